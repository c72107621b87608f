//! The security log of successful and failed attempts.

use axum::http::Request;
use serde_json::{Value, json};
use test_support::log::Log;
use test_support::person::{anon_key, keys};

use crate::stack::{PASSWORD, Stack, email, new_admin, refused};

/// The `actor` field for a token's account.
fn actor(token: &str) -> String {
    let claims = serde_json::to_value(keys().verify(token).unwrap()).unwrap();
    format!("actor={}", claims["sub"].as_str().unwrap())
}

#[track_caller]
fn assert_logged(log: &Log, event: &str, words: &[&str]) {
    let lines = log.lines(event);
    let good = lines.len() == 1 && words.iter().all(|word| lines[0].contains(word));
    assert!(good, "{event} {words:?}: {}", log.text());
}

#[tokio::test]
async fn denied_attempts_do_not_fill_the_log() {
    let stack = Stack::start().await;
    let log = Log::listen();
    for _ in 0..60 {
        refused(&stack.create_admin(&anon_key(), new_admin()).await, 401);
    }
    assert_eq!(log.lines("access_denied").len(), 20);
}

#[tokio::test]
async fn each_attempt_is_logged_without_secrets() {
    let stack = Stack::start().await;
    let (superadmin, influencer) = (stack.officer("superadmin").await, stack.portal_user("influencer").await);
    let create = async |token: &str, body: Value| {
        let request = Request::post("/create-admin").header("x-forwarded-for", "203.0.113.9");
        let functions = stack.functions_with("TRUSTED_PROXIES", "127.0.0.1".to_owned()).await;
        functions.with_token(token).send(request, body.to_string()).await
    };
    let client = "client=203.0.113.9";

    let log = Log::listen();
    refused(&create(&influencer, new_admin()).await, 403);
    assert_logged(&log, "access_denied", &[&actor(&influencer), client, "by=\"create-admin\""]);

    refused(&create(&superadmin, json!({ "email": email("new"), "password": "12345" })).await, 400);
    assert_logged(&log, "admin_not_created", &[&actor(&superadmin), client, "status=400"]);
    assert!(log.lines("admin_created").is_empty(), "{}", log.text());

    let made = create(&superadmin, new_admin()).await.json();
    let user = format!("user={}", made["user"]["id"].as_str().unwrap());
    assert_logged(&log, "admin_created", &[&user, &actor(&superadmin), client, "role=\"admin\""]);
    assert_logged(&log, "account_created", &[&user, &actor(&superadmin)]);

    for secret in [&*email("new"), PASSWORD, "12345", &superadmin, &influencer] {
        assert!(!log.text().contains(secret), "{secret}: {}", log.text());
    }
}
