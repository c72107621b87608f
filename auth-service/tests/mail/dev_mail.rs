use auth_service::background::Background;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use mail::Captured;
use platform::secret::Secret;
use serde_json::json;
use test_support::client::TestClient;

use crate::support::Outbox;

const LINK: &str = "https://serasi.test/auth/v1/verify?token=a&type=signup";

/// A service that shows its mails, with one mail in its list.
async fn showing() -> (Outbox, Background, TestClient, String) {
    let settings = [("SITE_URL", "http://127.0.0.1:8000"), ("MAIL_FROM", "no-reply@serasi.test")];
    let outbox = Outbox::with(&settings).await;
    let captured = Captured::new(&Secret::new("known"));
    let client = TestClient::new(captured.router());
    let mail = Background::start(&outbox.config, Some(captured)).unwrap();
    let data = json!({ "link": LINK, "code": "428317" });
    let id = outbox.add_with("confirmation", "o'hara&co@example.test", data).await;
    outbox.sent(id).await;
    (outbox, mail, client, id.to_string())
}

#[tokio::test]
async fn mails_are_readable_as_json() {
    let (outbox, _mail, client, id) = showing().await;
    let second = outbox.add("later@example.test").await;
    outbox.sent(second).await;

    let by_query = client.get("/dev/mail/known?format=json").await.json();
    let accept = Request::get("/dev/mail/known").header("accept", "application/json");
    let by_header = client.send(accept, Body::empty()).await.json();

    assert_eq!(by_query, by_header);
    assert_eq!(by_query[0]["to"], "later@example.test", "the newest first");
    let mail = &by_query[1];
    assert_eq!((&mail["id"], &mail["template"]), (&json!(id), &json!("confirmation")));
    assert_eq!((&mail["link"], &mail["code"]), (&json!(LINK), &json!("428317")));
    assert_eq!(mail["subject"], "Confirm your e-mail address");
    assert!(mail["text"].as_str().unwrap().contains(LINK));
    assert_eq!(client.get(&format!("/dev/mail/known/{id}?format=json")).await.json(), *mail);
    assert_eq!(
        outbox.mail(second).await.data,
        json!({}),
        "the outbox no longer stores the data of a captured mail"
    );
}

#[tokio::test]
async fn the_pages_show_a_list_and_each_mail_as_sent() {
    let (_outbox, _mail, client, id) = showing().await;

    let list = client.get("/dev/mail/known").await;
    let page = client.get(&format!("/dev/mail/known/{id}")).await;
    let html = client.get(&format!("/dev/mail/known/{id}/html")).await;
    let source = client.get(&format!("/dev/mail/known/{id}/source")).await;

    assert!(list.text().contains(&format!("/dev/mail/known/{id}")) && list.text().contains("428317"));
    assert!(
        page.text().contains(&format!("src=\"/dev/mail/known/{id}/html\" sandbox=\"")),
        "{}",
        page.text()
    );
    assert!(!page.text().contains("allow-same-origin") && !page.text().contains("allow-scripts"));
    for page in [&list, &page] {
        assert!(
            page.text().contains("o&#39;hara&#38;co@example.test"),
            "an address is text: {}",
            page.text()
        );
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && policy.contains("frame-ancestors 'none'"));
    }
    let policy = html.header("content-security-policy").unwrap();
    assert!(policy.contains("default-src 'none'") && policy.contains("sandbox allow-popups"), "{policy}");
    assert!(!policy.contains("allow-scripts") && !policy.contains("allow-same-origin"), "{policy}");
    assert!(source.text().contains(&format!("Message-ID: <{id}@serasi.test>")), "{}", source.text());
    assert!(source.header("content-type").unwrap().starts_with("text/plain"));
    for answer in [&list, &page, &html, &source] {
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
    }
    let nobody = client.get("/dev/mail/known/00000000-0000-4000-8000-000000000000").await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_secret_is_required() {
    let (_outbox, _mail, client, id) = showing().await;
    for guess in ["", "/", "/know", "/known2", "/KNOWN", "/%6bnown/..", "/.."] {
        for path in ["", "?format=json", &format!("/{id}"), &format!("/{id}/html"), &format!("/{id}/source")]
        {
            let path = format!("/dev/mail{guess}{path}");
            assert_eq!(client.get(&path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    }
}

/// The list stays empty, and the e-mail in the outbox.
async fn is_not_shown(settings: &[(&str, &str)], captured: Option<Captured>) {
    let outbox = Outbox::with(settings).await;
    let client = captured.as_ref().map(|captured| TestClient::new(captured.router()));
    let id = outbox.add("aina@example.test").await;
    let mail = Background::start(&outbox.config, captured).unwrap();
    outbox.add("other@example.test").await;
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    mail.stop().await;
    assert!(!outbox.mail(id).await.sent);
    if let Some(client) = client {
        assert_eq!(client.get("/dev/mail/known?format=json").await.json(), json!([]));
    }
}

#[tokio::test]
async fn a_public_site_shows_no_mails() {
    let captured = Captured::new(&Secret::new("known"));
    is_not_shown(&[("SITE_URL", "https://serasi.test")], Some(captured)).await;
}

#[tokio::test]
async fn other_paths_are_not_affected() {
    let (_outbox, _mail, client, _id) = showing().await;
    let answer = client.get("/elsewhere").await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(answer.header("cross-origin-resource-policy"), None);
}

#[tokio::test]
async fn no_mails_are_shown_when_smtp_is_configured() {
    let settings = [("SITE_URL", "http://127.0.0.1:8000"), ("SMTP_URL", "smtp://127.0.0.1:9")];
    is_not_shown(&settings, Some(Captured::new(&Secret::new("known")))).await;
}

#[tokio::test]
async fn a_separate_worker_without_smtp_leaves_mails_waiting() {
    is_not_shown(&[], None).await;
}
