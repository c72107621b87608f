//! `GET /verify`: where a followed link redirects, and where it never redirects.

use axum::body::Body;
use axum::http::{Method, Request};
use serde_json::{Value, json};
use test_support::client::Answer;

use crate::mailbox::{location, parameters};
use crate::support::{Auth, claims, refused, says};

const ANA: &str = "ana@demo.serasi.test";

async fn recovery_link(auth: &Auth) -> String {
    auth.influencer(ANA).await;
    auth.recover(ANA).await;
    auth.last_mail().await.token_hash()
}

async fn follow(auth: &Auth, query: &str) -> Answer {
    auth.client.get(&format!("/verify?{query}")).await
}

#[tokio::test]
async fn a_valid_link_redirects_with_a_session() {
    let auth = Auth::start().await;
    let link = recovery_link(&auth).await;

    let answer =
        follow(&auth, &format!("token={link}&type=recovery&redirect_to=https://serasi.test/a%3Fb")).await;

    let place = location(&answer);
    let (page, fragment) = place.split_once('#').unwrap();
    assert_eq!(page, "https://serasi.test/a?b");
    let names: Vec<_> = fragment.split('&').map(|pair| pair.split('=').next().unwrap()).collect();
    let expected = ["access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type"];
    assert_eq!(names, expected);
    let session = parameters(fragment);
    assert_eq!(
        (&session["token_type"], &session["type"], &session["sb"]),
        (&json!("bearer"), &json!("recovery"), &json!(""))
    );
    assert_eq!(session["expires_in"], "3600");
    assert_eq!(session["expires_at"], (auth.clock.now().timestamp() + 3600).to_string());
    let token = session["access_token"].as_str().unwrap();
    assert_eq!(claims(token)["email"], ANA);
    assert_eq!(auth.client.with_token(token).get("/user").await.status, 200);
    assert_eq!(auth.refresh(session["refresh_token"].as_str().unwrap()).await.status, 200);
    assert_eq!((answer.text().as_str(), answer.header("cache-control")), ("", Some("no-store")));

    let again = location(&follow(&auth, &format!("token={link}&type=recovery")).await);
    let expired = "https://serasi.test#error=access_denied&error_code=otp_expired\
                   &error_description=Email+link+is+invalid+or+has+expired&sb=";
    assert_eq!(again, expired);
}

#[tokio::test]
async fn a_head_request_does_not_use_a_link_up() {
    let auth = Auth::start().await;
    let link = recovery_link(&auth).await;
    let path = format!("/verify?token={link}&type=recovery");

    let looked = auth.client.send(Request::builder().method(Method::HEAD).uri(&path), Body::empty()).await;

    assert_eq!((looked.status.as_u16(), looked.header("location")), (200, None));
    assert!(location(&auth.client.get(&path).await).contains("access_token"));
}

#[tokio::test]
async fn a_link_without_type_or_token_does_not_redirect() {
    let auth = Auth::start().await;
    for (query, message) in [
        ("token=x", "Verify requires a verification type"),
        ("", "Verify requires a verification type"),
        ("type=recovery", "Verify requires a token or a token hash"),
        ("type=recovery&token=", "Verify requires a token or a token hash"),
    ] {
        let answer = follow(&auth, query).await;
        refused(&answer, 400, "validation_failed");
        says(&answer, message);
    }
}

#[tokio::test]
async fn an_invalid_link_redirects_with_the_error() {
    let auth = Auth::start().await;
    let link = recovery_link(&auth).await;
    for query in [
        "token=x&type=recovery".to_owned(),
        format!("token={link}&type=signup"),
        format!("token={link}x&type=recovery"),
        "token=%00&type=recovery".to_owned(),
    ] {
        let place = location(&follow(&auth, &format!("{query}&redirect_to=https://serasi.test/a")).await);
        let error = parameters(place.strip_prefix("https://serasi.test/a#").unwrap());
        assert_eq!(
            error,
            json!({
                "error": "access_denied", "error_code": "otp_expired",
                "error_description": "Email link is invalid or has expired", "sb": "",
            })
        );
    }
    let place = location(&follow(&auth, &format!("token={link}&type=else")).await);
    let error = parameters(place.split_once('#').unwrap().1);
    assert_eq!(
        (&error["error"], &error["error_code"]),
        (&json!("invalid_request"), &json!("validation_failed"))
    );
    let pkce = location(&follow(&auth, "token=pkce_x&type=recovery").await);
    let (query, fragment) = pkce.split_once('?').unwrap().1.split_once('#').unwrap();
    assert_eq!(parameters(query)["error_code"], "otp_expired");
    assert_eq!(parameters(fragment)["error_code"], "otp_expired");
}

#[tokio::test]
async fn links_redirect_only_to_allowed_sites() {
    let auth =
        Auth::start_with(&[("AUTH_REDIRECT_URLS", "https://*.partner.test/**, serasi://callback")]).await;
    let redirected_to = async |named: &str| {
        let named: String = url::form_urlencoded::byte_serialize(named.as_bytes()).collect();
        let place = location(&follow(&auth, &format!("token=x&type=recovery&redirect_to={named}")).await);
        place.split('#').next().unwrap().to_owned()
    };
    for good in [
        "https://a.partner.test/b/c",
        "serasi://callback",
        "http://localhost.partner.test/".replace("http:", "https:").as_str(),
        "http://127.0.0.1:3000/x",
    ] {
        assert_eq!(redirected_to(good).await, good);
    }
    for bad in [
        "//evil.test",
        "https://evil.test",
        "javascript:alert(1)",
        "https://serasi.test.evil.test",
        "https://serasi.test@evil.test",
        "https://serasi.test\\@evil.test",
        "/\\evil.test",
        "https://evil.test/.partner.test/",
        "http://10.0.0.1/",
        "https://a.b.partner.test.evil.test/",
    ] {
        assert_eq!(redirected_to(bad).await, "https://serasi.test", "{bad}");
    }
}

#[tokio::test]
async fn the_header_wins_over_the_query_and_both_over_the_referer() {
    let auth = Auth::start().await;
    let redirected_to = async |header: &str, query: &str, page: &str| {
        let path = format!("/verify?token=x&type=recovery&redirect_to={query}");
        let mut request = Request::get(path);
        for (name, value) in [("redirect_to", header), ("referer", page)] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let place = location(&auth.client.send(request, "").await);
        place.split('#').next().unwrap().trim_start_matches("https://serasi.test").to_owned()
    };
    let at = |path: &str| format!("https://serasi.test/{path}");
    assert_eq!(redirected_to(&at("h"), &at("q"), &at("p")).await, "/h");
    assert_eq!(redirected_to("", &at("q"), &at("p")).await, "/q");
    assert_eq!(redirected_to("", "", &at("p")).await, "/p");
    assert_eq!(redirected_to("", "https://evil.test", &at("p")).await, "/p");
    assert_eq!(redirected_to("", "", "https://evil.test/").await, "");
}

#[tokio::test]
async fn mailed_links_point_to_our_site_whatever_the_request_claims() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    let recover = async |redirect_to: &str| {
        auth.wait_a_minute();
        let request = Request::post("/recover")
            .header("host", "evil.test")
            .header("x-forwarded-host", "evil.test")
            .header("redirect_to", redirect_to);
        assert_eq!(auth.client.send(request, json!({ "email": ANA }).to_string()).await.status, 200);
        auth.last_mail().await
    };

    let mail = recover("https://serasi.test/new-password?a=b").await;
    assert_eq!(mail.link().origin().ascii_serialization(), "https://serasi.test");
    assert_eq!(mail.parameter("redirect_to").as_deref(), Some("https://serasi.test/new-password?a=b"));

    let mail = recover("https://evil.test/").await;
    assert_eq!((mail.link().host_str(), mail.parameter("redirect_to")), (Some("serasi.test"), None));
    assert_eq!(
        mail.data
            .as_object()
            .unwrap()
            .values()
            .filter(|text| text.as_str().is_some_and(|text| text.contains("evil")))
            .collect::<Vec<&Value>>(),
        Vec::<&Value>::new()
    );
}
