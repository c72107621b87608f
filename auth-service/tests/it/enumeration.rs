//! Account enumeration: no answer, repeated answer, or response time reveals whether an address has an
//! account.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use test_support::client::Answer;

use crate::support::{Auth, refused};

/// The kinds of addresses; `nobody` has no account.
const KINDS: [&str; 5] = ["known", "unconfirmed", "banned", "deleted", "nobody"];

fn address(kind: &str) -> String {
    format!("{}@demo.serasi.test", kind.replace(", ", "-"))
}

async fn with_all_kinds(settings: &[(&str, &str)]) -> Auth {
    let auth = Auth::start_with(settings).await;
    auth.influencer(&address("known")).await;
    let vendor = auth.sign_up(&address("unconfirmed"), json!({ "user_type": "vendor" })).await;
    assert_eq!(vendor.status, 200);
    let banned = auth.influencer(&address("banned")).await;
    let ban = json!({ "ban_duration": "8760h" });
    let path = |id: &str| format!("/admin/users/{id}");
    assert_eq!(auth.operator().put_json(&path(&banned.user_id), &ban).await.status, 200);
    for kind in ["deleted", "deleted, too"] {
        let deleted = auth.influencer(&address(kind)).await;
        let softly = axum::http::Request::delete(path(&deleted.user_id));
        assert_eq!(auth.operator().send(softly, "{\"should_soft_delete\":true}").await.status, 200);
    }
    // The mails of these sign-ups must not count against the limits.
    auth.clock.advance(chrono::TimeDelta::hours(2));
    auth
}

/// Everything that a client sees of an answer.
fn visible(answer: &Answer) -> (u16, String, BTreeMap<String, String>) {
    let headers =
        answer.headers.iter().map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
    (answer.status.as_u16(), answer.text(), headers)
}

/// Every request that names an address, each with a label.
fn requests(email: &str) -> Vec<(&'static str, &'static str, Value)> {
    let agency = json!({ "user_type": "agency" });
    vec![
        ("recovery", "/recover", json!({ "email": email })),
        ("link, known accounts only", "/otp", json!({ "email": email, "create_user": false })),
        ("magic link, known accounts only", "/magiclink", json!({ "email": email, "create_user": false })),
        ("link for nobody", "/otp", json!({ "email": email, "data": { "user_type": "root" } })),
        (
            "link with too much data",
            "/otp",
            json!({ "email": email, "data": { "a": "x".repeat(8192 - r#"{"a":""}"#.len()) } }),
        ),
        ("confirmation again", "/resend", json!({ "type": "signup", "email": email })),
        ("change again", "/resend", json!({ "type": "email_change", "email": email })),
        ("link", "/otp", json!({ "email": email, "data": agency })),
        ("link for a vendor", "/otp", json!({ "email": email, "data": { "user_type": "vendor" } })),
    ]
}

#[tokio::test]
async fn repeated_requests_get_the_same_answers_for_every_address() {
    let limited = [("AUTH_RATE_LIMITS", "on"), ("AUTH_MAILS_PER_HOUR", "1000")];
    let auth = with_all_kinds(&limited).await;
    for (number, (name, ..)) in requests("").iter().enumerate() {
        // A new client has its full rate limit, and the clock is past every limit of the previous kind of
        // request.
        let client = auth.another_service().await;
        auth.clock.advance(chrono::TimeDelta::hours(2));
        let mut answers: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        // Immediately, again, after half a minute, when the next mail is due, and again right after it.
        for wait in [0, 0, 30, 30, 0] {
            auth.clock.advance(chrono::TimeDelta::seconds(wait));
            for kind in KINDS {
                // The requests for these two kinds create accounts, so the vendor link needs other addresses.
                let address = match (*name, kind) {
                    ("link for a vendor", "deleted") => address("deleted, too"),
                    ("link for a vendor", "nobody") => address("nobody, too"),
                    _ => address(kind),
                };
                let (_, path, body) = requests(&address).swap_remove(number);
                answers.entry(kind).or_default().push(visible(&client.post_json(path, &body).await));
            }
        }
        let known = &answers["known"];
        for kind in KINDS {
            assert_eq!(&answers[kind], known, "{name}: {kind}");
        }
        let statuses: Vec<u16> = known.iter().map(|(status, ..)| *status).collect();
        let wanted: &[u16] = match *name {
            "link for nobody" => &[422; 5],
            "link with too much data" => &[400; 5],
            _ => &[200, 429, 429, 200, 429],
        };
        assert_eq!(statuses, wanted, "{name}");
    }
}

#[tokio::test]
async fn a_used_up_mail_allowance_reveals_nothing() {
    let auth = with_all_kinds(&[
        ("AUTH_RATE_LIMITS", "on"),
        ("AUTH_MAILS_PER_HOUR", "1000"),
        ("AUTH_MAIL_INTERVAL_SECONDS", "0"),
    ])
    .await;
    for kind in KINDS {
        // A new client has its full rate limit.
        let client = auth.another_service().await;
        let body = json!({ "email": address(kind) });
        for _ in 0..10 {
            assert_eq!(client.post_json("/recover", &body).await.status, 200, "{kind}");
        }
        let over = client.post_json("/recover", &body).await;
        refused(&over, 429, "over_email_send_rate_limit");
        assert_eq!(over.header("retry-after"), Some("360"), "{kind}");
    }
    // An unknown address uses up the shared mail allowance just as a known one does.
    for kind in ["known", "nobody"] {
        let auth = with_all_kinds(&[("AUTH_RATE_LIMITS", "on"), ("AUTH_MAILS_PER_HOUR", "2")]).await;
        assert_eq!(auth.recover(&address(kind)).await.status, 200, "{kind}");
        assert_eq!(auth.recover("first@demo.serasi.test").await.status, 200, "{kind}");
        refused(&auth.recover("second@demo.serasi.test").await, 429, "over_email_send_rate_limit");
    }
}

#[tokio::test]
async fn with_sign_ups_off_link_requests_get_the_same_answer() {
    let auth = with_all_kinds(&[]).await.with_settings(&[("AUTH_SIGNUPS", "off")]).await;
    for kind in KINDS {
        let answer = auth.client.post_json("/otp", &json!({ "email": address(kind) })).await;
        assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "{}"), "{kind}");
    }
}

#[tokio::test]
async fn after_a_sign_up_every_address_waits_for_the_next_mail() {
    let auth = with_all_kinds(&[]).await;
    for kind in ["known", "unconfirmed", "banned", "nobody"] {
        let signed_up = auth.sign_up(&address(kind), json!({ "user_type": "vendor" })).await;
        assert_eq!(signed_up.status, 200, "{kind}");
        let resend = json!({ "type": "signup", "email": address(kind) });
        let again = auth.client.post_json("/resend", &resend).await;
        refused(&again, 429, "over_email_send_rate_limit");
        assert_eq!(again.header("retry-after"), Some("60"), "{kind}");
    }
}

/// The fastest of several answers, in tenths of a second: a busy machine delays some of them, but not all.
#[tokio::test]
async fn every_address_takes_the_same_time() {
    let auth = with_all_kinds(&[("AUTH_MAIL_INTERVAL_SECONDS", "0")]).await;
    for request in [0, 1, 5, 7] {
        let mut quickest: BTreeMap<&str, Duration> = BTreeMap::new();
        for _ in 0..3 {
            for kind in KINDS {
                let (_, path, body) = requests(&address(kind)).swap_remove(request);
                let began = Instant::now();
                assert_eq!(auth.client.post_json(path, &body).await.status, 200);
                let took = began.elapsed();
                quickest.entry(kind).and_modify(|least| *least = (*least).min(took)).or_insert(took);
            }
        }
        for (kind, took) in &quickest {
            let steps = took.as_millis() / 100;
            assert_eq!(steps, 1, "{kind} {}: {quickest:?}", requests("")[request].0);
        }
    }
}
