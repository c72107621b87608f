//! Hostile input: the service rejects it or stores it unchanged. It never fails and never truncates.

use axum::http::{Request, header};
use serde_json::{Value, json};
use test_support::client::{Answer, TestClient};

use crate::support::{Auth, PASSWORD, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
/// The bcrypt hash of `secret1`.
const IMPORTED: &str = "$2b$04$J9PCdTm.YtoAdN8OovpCKeAJxsxsqehp2bcpQShfnHSJHnugilXuO";

#[tokio::test]
async fn a_password_with_a_nul_byte_is_rejected_wherever_one_is_set() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let made = json!({ "email": "new@demo.serasi.test", "password": "secret\0more" });
    let answers = [
        auth.client.post_json("/signup", &made).await,
        auth.operator().post_json("/admin/users", &made).await,
        auth.operator()
            .put_json(&format!("/admin/users/{}", ana.user_id), &json!({ "password": "secret\0more" }))
            .await,
        auth.as_owner(&ana).put_json("/user", &json!({ "password": "secret\0more" })).await,
        auth.operator()
            .post_json(
                "/admin/generate_link",
                &json!({ "type": "signup", "email": "new@demo.serasi.test", "password": "secret\0more" }),
            )
            .await,
    ];
    for answer in &answers {
        refused(answer, 400, "validation_failed");
        says(answer, "Password cannot contain a NUL character");
    }
    session(&auth.sign_in(ANA, PASSWORD).await);
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn an_imported_hash_does_not_match_a_password_truncated_at_a_nul_byte() {
    let auth = Auth::start().await;
    let made = json!({ "email": ANA, "password_hash": IMPORTED, "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &made).await.status, 200);

    for password in ["secret1\0", "secret1\0more", "\0secret1"] {
        refused(&auth.sign_in(ANA, password).await, 400, "invalid_credentials");
    }
    session(&auth.sign_in(ANA, "secret1").await);
}

/// Every text field that each request takes.
const FIELDS: [(&str, &str, &[&str]); 13] = [
    ("POST", "/signup", &["email", "phone", "password", "code_challenge", "code_challenge_method"]),
    ("POST", "/token?grant_type=password", &["email", "phone", "password"]),
    ("POST", "/token?grant_type=refresh_token", &["refresh_token"]),
    ("POST", "/token?grant_type=pkce", &["auth_code", "code_verifier"]),
    ("POST", "/recover", &["email", "code_challenge", "code_challenge_method"]),
    ("POST", "/resend", &["type", "email", "phone"]),
    ("POST", "/otp", &["email", "phone", "code_challenge"]),
    ("POST", "/verify", &["type", "token", "token_hash", "email", "phone", "redirect_to"]),
    ("PUT", "/user", &["email", "phone", "password", "current_password", "nonce", "code_challenge"]),
    ("POST", "/invite", &["email"]),
    (
        "POST",
        "/admin/users",
        &["id", "aud", "role", "email", "phone", "password", "password_hash", "ban_duration"],
    ),
    ("POST", "/admin/generate_link", &["type", "email", "new_email", "password", "redirect_to"]),
    ("POST", "/factors", &["factor_type", "friendly_name"]),
];

fn complete(path: &str) -> Value {
    match path {
        "/token?grant_type=refresh_token" => json!({ "refresh_token": "abcdefghijkl" }),
        "/token?grant_type=pkce" => json!({ "auth_code": "x", "code_verifier": "x".repeat(43) }),
        "/resend" => json!({ "type": "signup", "email": ANA }),
        "/verify" => json!({ "type": "email", "email": ANA, "token": "123456" }),
        "/admin/generate_link" => json!({ "type": "magiclink", "email": ANA }),
        "/user" => json!({ "nonce": "123456" }),
        _ => json!({ "email": ANA, "password": PASSWORD }),
    }
}

async fn send(client: &TestClient, method: &str, path: &str, body: String) -> Answer {
    let request =
        Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, "application/json");
    client.send(request, body).await
}

#[tokio::test]
async fn hostile_texts_never_cause_a_failure() {
    let auth = Auth::start_with(&[("AUTH_MAIL_INTERVAL_SECONDS", "0")]).await;
    let ana = auth.influencer(ANA).await;
    let texts =
        ["\0", "a\0b@demo.serasi.test", "\u{202e}\u{feff}", "\r\nX: y", &"x".repeat(100_000), "%00", "'\"\\"];
    for (method, path, fields) in FIELDS {
        let client = if path.starts_with("/admin") || path == "/invite" {
            auth.operator()
        } else {
            auth.as_owner(&ana)
        };
        for field in fields {
            for text in texts {
                let mut body = complete(path);
                body[field] = json!(text);
                let answer = send(&client, method, path, body.to_string()).await;
                assert!(!answer.status.is_server_error(), "{path} {field} {text:.20?}: {}", answer.text());
            }
        }
        for data in ["data", "user_metadata", "app_metadata"] {
            for value in [
                json!({ "a": "\0" }),
                json!({ "\0": 1 }),
                json!(["\0"]),
                json!("x"),
                json!({ "a": "x".repeat(100_000) }),
            ] {
                let mut body = complete(path);
                body[data] = value;
                let answer = send(&client, method, path, body.to_string()).await;
                assert!(!answer.status.is_server_error(), "{path} {data}: {}", answer.text());
            }
        }
    }
    for query in [
        "/logout?scope=%00",
        "/verify?token=%00&type=signup",
        "/verify?token=x&type=%00",
        "/user?x=%00",
        "/authorize?provider=%00",
    ] {
        for method in ["GET", "POST"] {
            let answer = send(&auth.client, method, query, String::new()).await;
            assert!(!answer.status.is_server_error(), "{method} {query}: {}", answer.text());
        }
    }
    let filtered = auth.operator().get("/admin/users?filter=%00&page=0&per_page=99999999999").await;
    assert!(!filtered.status.is_server_error(), "{}", filtered.text());
}

#[tokio::test]
async fn malformed_json_is_rejected() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (method, path, _) in FIELDS {
        let client = if path.starts_with("/admin") || path == "/invite" {
            auth.operator()
        } else {
            auth.as_owner(&ana)
        };
        for body in [
            format!(r#"{{"email": "{ANA}", "data": {}}}"#, deep(10_000)),
            deep(100_000),
            "[]".to_owned(),
            "7".to_owned(),
            "\"x\"".to_owned(),
            format!("{{\"email\": \"{ANA}\""),
            "{\"email\": \"\\ud800\"}".to_owned(),
            "{\"email\": 1e999}".to_owned(),
            "\0".to_owned(),
        ] {
            let answer = send(&client, method, path, body.clone()).await;
            assert!(
                answer.status.is_client_error(),
                "{path} {body:.40}: {} {}",
                answer.status,
                answer.text()
            );
        }
        let large = format!("{{\"email\": \"{}\"}}", "x".repeat(1024 * 1024));
        assert_eq!(send(&client, method, path, large).await.status, 413, "{path}");
        // The last of two duplicate members counts, as in GoTrue.
        let twice = format!(
            r#"{{"email": "x", "email": "{ANA}", "password": "wrong one", "type": "x", "type": "signup"}}"#
        );
        let answer = send(&client, method, path, twice).await;
        assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
    }
}
