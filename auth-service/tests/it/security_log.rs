//! The security log that operators read.

use axum::http::Request;
use chrono::TimeDelta;
use serde_json::json;
use test_support::log::Log;
use test_support::person::{anon_key, keys};

use crate::mailbox::wrong;
use crate::sign_in_failures::limited;
use crate::support::{Auth, PASSWORD, refresh, refused, session};

const ANA: &str = "ana@demo.serasi.test";
const NOBODY: &str = "nobody@demo.serasi.test";

#[tokio::test]
async fn security_events_are_logged_without_secrets() {
    let log = Log::listen();
    let auth = limited(1, 100, &[]).await;
    let (user_id, tokens) = sign_in_and_change_things(&auth).await;

    let text = log.text();
    let expected = [
        ("signed_in", 2),
        ("sign_in_failed", 2),
        ("sign_in_paused", 1),
        ("refresh_token_reused", 1),
        ("password_changed", 1),
        ("proof_failed", 1),
        ("account_updated", 1),
        ("account_deleted", 1),
    ];
    for (event, times) in expected {
        assert_eq!(log.lines(event).len(), times, "{event}: {text}");
    }
    for event in
        ["signed_in", "refresh_token_reused", "password_changed", "account_updated", "account_deleted"]
    {
        assert!(log.lines(event).iter().all(|line| line.contains(&user_id)), "{event}: {text}");
    }
    assert_marks_hide_addresses(&log);

    let secrets = [ANA, NOBODY, PASSWORD, "a wrong one", "a new one", "an operator's", "123456", "argon2id"];
    for secret in secrets.into_iter().chain(tokens.iter().map(String::as_str)) {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

/// Returns the account's id, and the tokens of its sessions.
async fn sign_in_and_change_things(auth: &Auth) -> (String, Vec<String>) {
    let first = auth.influencer(ANA).await;
    let second = session(&auth.sign_in(ANA, PASSWORD).await);
    auth.sign_in(ANA, "a wrong one").await;
    auth.sign_in(ANA, PASSWORD).await;
    auth.sign_in(NOBODY, "a wrong one").await;
    let third = session(&refresh(&auth.client, &first.refresh_token).await);
    let fourth = session(&refresh(&auth.client, &third.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(60));
    refresh(&auth.client, &first.refresh_token).await;
    let change = auth.as_owner(&second).put_json("/user", &json!({ "password": "a new one" })).await;
    assert_eq!(change.status, 200, "{}", change.text());
    let guess = json!({ "type": "recovery", "email": ANA, "token": "123456" });
    auth.client.post_json("/verify", &guess).await;
    let path = format!("/admin/users/{}", first.user_id);
    auth.operator().put_json(&path, &json!({ "password": "an operator's" })).await;
    auth.operator().send(Request::delete(&path), "").await;
    let sessions = [&first, &second, &third, &fourth];
    let tokens = sessions.map(|session| [session.access_token.clone(), session.refresh_token.clone()]);
    (first.user_id, tokens.concat())
}

/// One address always gets the same mark, different addresses get different marks, and no mark contains its
/// address.
#[track_caller]
fn assert_marks_hide_addresses(log: &Log) {
    let lines = [log.lines("sign_in_failed"), log.lines("sign_in_paused")].concat();
    let mark = |line: &String| line.split("address=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let marks: Vec<String> = lines.iter().map(mark).collect();
    assert!(marks[0] == marks[2] && marks[0] != marks[1], "{marks:?}");
    for event in ["sign_in_failed", "sign_in_paused"] {
        assert!(log.lines(event)[0].contains("client=127.0.0.1"), "{event}: {}", log.text());
    }
}

/// Asserts this many lines of the event, each with all of these words.
#[track_caller]
fn assert_logged(log: &Log, event: &str, times: usize, words: &[&str]) {
    let lines = log.lines(event);
    let good = |line: &String| words.iter().all(|word| line.contains(word));
    assert!(lines.len() == times && lines.iter().all(good), "{times} of {event} {words:?}: {}", log.text());
}

const CLIENT: &str = "client=127.0.0.1";

#[tokio::test]
async fn refused_requests_are_logged() {
    let log = Log::listen();
    let auth = Auth::start_with(&[("AUTH_ACCESS_TOKEN_SECONDS", "999999")]).await;
    let ana = auth.influencer(ANA).await;
    let (user, actor) = (format!("user={}", ana.user_id), format!("actor={}", ana.user_id));
    let as_ana = auth.as_owner(&ana);

    refused(&as_ana.get(&format!("/admin/users/{}", ana.user_id)).await, 403, "not_admin");
    assert_logged(&log, "access_denied", 1, &[&actor, CLIENT, "by=\"/admin/users/{id}\""]);
    let log = Log::listen();
    as_ana.put_json("/user", &json!({ "app_metadata": { "marketplace_role": "admin" } })).await;
    assert_logged(&log, "access_denied", 1, &[&actor, CLIENT, "by=\"app_metadata\""]);

    auth.verify_link("recovery", "a-link-nobody-was-sent").await;
    auth.client.get("/verify?type=recovery&token=a-link-nobody-was-sent").await;
    assert_logged(&log, "proof_failed", 2, &["by=\"link\"", CLIENT]);

    auth.clock.advance(TimeDelta::hours(25));
    as_ana.get("/reauthenticate").await;
    let code = auth.last_mail().await.code().to_owned();
    let log = Log::listen();
    let change = json!({ "password": "a new one", "nonce": wrong(&code) });
    refused(&as_ana.put_json("/user", &change).await, 422, "reauthentication_not_valid");
    assert_logged(&log, "proof_failed", 1, &["by=\"reauthentication\"", &user, CLIENT]);

    let ban = json!({ "ban_duration": "1h" });
    auth.operator().put_json(&format!("/admin/users/{}", ana.user_id), &ban).await;
    refused(&auth.sign_in(ANA, PASSWORD).await, 400, "user_banned");
    assert_logged(&log, "sign_in_refused", 1, &["by=\"user_banned\"", &user, CLIENT]);
    for secret in [ANA, PASSWORD, "a new one", "a-link-nobody-was-sent", &code, &wrong(&code)] {
        assert!(!log.text().contains(secret), "{secret}: {}", log.text());
    }
}

#[tokio::test]
async fn refused_requests_do_not_fill_the_log() {
    let log = Log::listen();
    let auth = Auth::start_with(&[("AUTH_RATE_LIMITS", "on")]).await;
    let visitor = auth.client.with_token(anon_key());
    for _ in 0..60 {
        refused(&visitor.get("/admin/users").await, 403, "not_admin");
        auth.client.send(Request::post("/signup"), "{}").await;
    }
    let (denied, limited) = (log.lines("access_denied").len(), log.lines("client_limited").len());
    assert_eq!(denied + limited, 20, "{denied} and {limited} lines");
}

#[tokio::test]
async fn a_sign_up_that_needs_confirmation_is_logged() {
    let log = Log::listen();
    let auth = Auth::start().await;
    let vendor = auth.sign_up(ANA, json!({ "user_type": "vendor" })).await.json();
    let user = format!("user={}", vendor["id"].as_str().unwrap());

    assert_logged(&log, "signed_up", 1, &[&user, CLIENT]);
    refused(&auth.sign_in(ANA, PASSWORD).await, 400, "email_not_confirmed");
    assert_logged(&log, "sign_in_refused", 1, &["by=\"email_not_confirmed\"", &user, CLIENT]);
    auth.client.post_json("/otp", &json!({ "email": NOBODY, "data": { "user_type": "agency" } })).await;
    assert_eq!(log.lines("signed_up").len(), 2, "{}", log.text());
    assert!(!log.text().contains("demo.serasi.test"), "{}", log.text());
}

#[tokio::test]
async fn owners_changes_are_logged_with_the_client_address() {
    let log = Log::listen();
    let auth = Auth::start_with(&[("AUTH_CONFIRM_EMAIL", "none"), ("AUTH_REFRESH_REUSE_SECONDS", "0")]).await;
    let first = auth.influencer(ANA).await;
    let user = format!("user={}", first.user_id);
    let second = session(&refresh(&auth.client, &first.refresh_token).await);
    session(&refresh(&auth.client, &second.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(1));
    refresh(&auth.client, &first.refresh_token).await;
    let ana = session(&auth.sign_in(ANA, PASSWORD).await);
    auth.as_owner(&ana).put_json("/user", &json!({ "password": "a new one" })).await;
    auth.as_owner(&ana).put_json("/user", &json!({ "email": NOBODY })).await;
    let link = auth.mail_to(NOBODY).await.token_hash();
    let moved = session(&auth.verify_link("email_change", &link).await);
    auth.as_owner(&moved).post_json("/logout", &json!({})).await;

    for event in ["refresh_token_reused", "password_changed", "email_changed", "signed_out"] {
        assert_logged(&log, event, 1, &[&user, CLIENT]);
    }
}

#[tokio::test]
async fn operators_actions_are_logged_with_the_actor() {
    let log = Log::listen();
    let auth = Auth::start().await;
    let (one, other) = (uuid::Uuid::new_v4().to_string(), uuid::Uuid::new_v4().to_string());
    let named = keys().sign(&json!({ "role": "supabase_admin", "sub": one })).unwrap();
    let named = auth.client.with_token(named);
    let body = json!({ "email": ANA, "app_metadata": { "created_by": other } });
    let made = named.post_json("/admin/users", &body).await.json();
    let (user, actor) = (format!("user={}", made["id"].as_str().unwrap()), format!("actor={one}"));
    assert_logged(
        &log,
        "account_created",
        1,
        &[&user, &format!("actor={other}"), CLIENT, "by=\"supabase_admin\""],
    );

    let path = format!("/admin/users/{}", made["id"].as_str().unwrap());
    named.put_json(&path, &json!({ "email_confirm": false })).await;
    named.post_json("/admin/generate_link", &json!({ "type": "recovery", "email": ANA })).await;
    named.post_json("/invite", &json!({ "email": ANA })).await;
    named.send(Request::delete(&path), "").await;
    for event in ["account_updated", "link_generated", "account_invited", "account_deleted"] {
        assert_logged(&log, event, 1, &[&user, &actor, CLIENT, "by=\"supabase_admin\""]);
    }

    let log = Log::listen();
    auth.operator().post_json("/admin/users", &json!({ "email": NOBODY })).await;
    assert_logged(&log, "account_created", 1, &["user=", CLIENT, "by=\"service_role\""]);
    assert!(
        !log.lines("account_created")[0].contains("actor="),
        "the service key has no actor: {}",
        log.text()
    );
}
