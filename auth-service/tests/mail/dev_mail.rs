use std::net::SocketAddr;

use auth_service::mail::{Mail, WithoutSmtp};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use serde_json::json;
use test_support::client::TestClient;

use crate::support::Outbox;

const LINK: &str = "https://serasi.test/auth/v1/verify?token=a&type=signup";

/// A service that shows its mails, with one mail in its list.
async fn showing() -> (Outbox, Mail, TestClient, String) {
    let outbox = Outbox::with(&[]).await;
    let mail = Mail::start(&outbox.config, WithoutSmtp::Show).unwrap();
    let client = TestClient::new(mail.router().unwrap());
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

    let by_query = client.get("/dev/mail?format=json").await.json();
    let accept = Request::get("/dev/mail").header("accept", "application/json");
    let by_header = client.send(accept, Body::empty()).await.json();

    assert_eq!(by_query, by_header);
    assert_eq!(by_query[0]["to"], "later@example.test", "the newest first");
    let mail = &by_query[1];
    assert_eq!((&mail["id"], &mail["template"]), (&json!(id), &json!("confirmation")));
    assert_eq!((&mail["link"], &mail["code"]), (&json!(LINK), &json!("428317")));
    assert_eq!(mail["subject"], "Confirm your e-mail address");
    assert!(mail["text"].as_str().unwrap().contains(LINK));
    assert_eq!(client.get(&format!("/dev/mail/{id}?format=json")).await.json(), *mail);
    assert_eq!(
        outbox.mail(second).await.data,
        json!({}),
        "the outbox no longer stores the data of a captured mail"
    );
}

#[tokio::test]
async fn the_pages_show_a_list_and_each_mail_as_sent() {
    let (_outbox, _mail, client, id) = showing().await;

    let list = client.get("/dev/mail").await;
    let page = client.get(&format!("/dev/mail/{id}")).await;
    let html = client.get(&format!("/dev/mail/{id}/html")).await;
    let source = client.get(&format!("/dev/mail/{id}/source")).await;

    assert!(list.text().contains(&format!("/dev/mail/{id}")) && list.text().contains("428317"));
    assert!(page.text().contains(&format!("src=\"/dev/mail/{id}/html\" sandbox=\"")), "{}", page.text());
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
    let nobody = client.get("/dev/mail/00000000-0000-4000-8000-000000000000").await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_local_requests_are_answered() {
    let (_outbox, mail, _client, id) = showing().await;
    let status = async |peer: &str, headers: &[(&str, &str)], path: String| {
        let peer: SocketAddr = peer.parse().unwrap();
        let mut request = Request::get(path).extension(ConnectInfo(peer));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        tower::ServiceExt::oneshot(mail.router().unwrap(), request).await.unwrap().status()
    };
    let paths = ["", &format!("/{id}"), &format!("/{id}/html"), &format!("/{id}/source")];
    for path in paths.map(|path| format!("/dev/mail{path}")) {
        for peer in ["127.0.0.1:5", "127.8.9.1:5", "[::1]:5", "[::ffff:127.0.0.1]:5"] {
            for host in ["127.0.0.1:8000", "localhost", "LOCALHOST:8000", "[::1]:8000"] {
                assert_eq!(status(peer, &[("host", host)], path.clone()).await, 200, "{peer} {host} {path}");
            }
        }
        for peer in ["192.168.0.9:5", "10.0.0.1:5", "203.0.113.7:5", "[2001:db8::1]:5", "[::ffff:10.0.0.1]:5"]
        {
            assert_eq!(status(peer, &[("host", "localhost")], path.clone()).await, 404, "{peer} {path}");
        }
        for (name, value) in [
            ("host", "serasi.test"),
            ("host", "localhost.evil.test"),
            ("host", "127.0.0.1.evil.test"),
            ("host", "192.168.0.9:8000"),
            ("host", "me@evil.test"),
            ("x-forwarded-for", "203.0.113.7"),
            ("forwarded", "for=203.0.113.7"),
            ("x-real-ip", "203.0.113.7"),
            ("via", "1.1 proxy"),
        ] {
            let seen = status("127.0.0.1:5", &[(name, value)], path.clone()).await;
            assert_eq!(seen, 404, "{name}: {value} {path}");
        }
    }
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
    let outbox = Outbox::to("smtp://127.0.0.1:9").await;
    let mail = Mail::start(&outbox.config, WithoutSmtp::Show).unwrap();
    assert!(mail.router().is_none());
}

#[tokio::test]
async fn a_separate_worker_without_smtp_leaves_mails_waiting() {
    let outbox = Outbox::with(&[]).await;
    let mail = Mail::start(&outbox.config, WithoutSmtp::Wait).unwrap();
    assert!(mail.router().is_none());

    let id = outbox.add("aina@example.test").await;

    mail.stop().await;
    assert_eq!(outbox.mail(id).await.attempts, 0);
}
