//! The hourly allowances of sign-ups and account mails. The database counts, so all services share them.

use axum::http::Request;
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::client::{Answer, TestClient};

use crate::support::{Auth, refused, says};

const NAMES: [&str; 8] = ["ana", "bea", "cid", "dan", "eva", "fay", "gil", "hal"];

fn address(name: &str) -> String {
    format!("{name}@demo.serasi.test")
}

async fn with_accounts(settings: &[(&str, &str)]) -> Auth {
    let settings = [&[("AUTH_RATE_LIMITS", "on")], settings].concat();
    let auth = Auth::start_with(&settings).await;
    for name in NAMES {
        auth.influencer(&address(name)).await;
    }
    auth
}

#[track_caller]
fn used_up(answer: &Answer, retry_after: &str) {
    refused(answer, 429, "over_email_send_rate_limit");
    says(answer, "email rate limit exceeded");
    assert_eq!(answer.header("retry-after"), Some(retry_after));
}

#[tokio::test]
async fn all_services_share_one_allowance_that_survives_a_restart() {
    let auth = with_accounts(&[("AUTH_MAILS_PER_HOUR", "4")]).await;
    let other = auth.another_service().await;

    let asked = NAMES.iter().enumerate().map(async |(number, name)| {
        let client = if number % 2 == 0 { &auth.client } else { &other };
        client.post_json("/recover", &json!({ "email": address(name) })).await
    });
    let answers = join_all(asked).await;

    let sent = answers.iter().filter(|answer| answer.status == 200).count();
    answers.iter().filter(|answer| answer.status != 200).for_each(|answer| used_up(answer, "900"));
    assert_eq!((sent, auth.mails().await.len()), (4, 4));

    // The allowance refills evenly over the hour, and a restart does not refill it.
    auth.clock.advance(TimeDelta::milliseconds(899_001));
    let auth = auth.restarted().await;
    used_up(&auth.recover(&address("hal")).await, "1");
    assert_eq!(auth.mails().await.len(), 4);
    auth.clock.advance(TimeDelta::milliseconds(999));
    let next = join_all(NAMES.iter().map(async |name| auth.recover(&address(name)).await)).await;
    assert_eq!(next.iter().filter(|answer| answer.status == 200).count(), 1);
}

#[tokio::test]
async fn one_address_cannot_use_up_the_shared_allowance() {
    let auth = with_accounts(&[("AUTH_MAIL_INTERVAL_SECONDS", "0")]).await;
    for _ in 0..10 {
        assert_eq!(auth.recover(&address("ana")).await.status, 200);
    }

    used_up(&auth.recover(&address("ana")).await, "360");

    assert_eq!(auth.recover(&address("bea")).await.status, 200);
    auth.clock.advance(TimeDelta::minutes(6));
    assert_eq!(auth.recover(&address("ana")).await.status, 200);
    used_up(&auth.recover(&address("ana")).await, "360");
}

#[tokio::test]
async fn refused_requests_do_not_use_the_allowance() {
    let auth = with_accounts(&[("AUTH_MAILS_PER_HOUR", "3")]).await;
    assert_eq!(auth.recover(&address("ana")).await.status, 200);
    // An address without an account uses as much as one with an account, so that nobody can tell them apart.
    assert_eq!(auth.recover(&address("nobody")).await.status, 200);
    for _ in 0..5 {
        let early = auth.recover(&address("ana")).await;
        refused(&early, 429, "over_email_send_rate_limit");
        says(&early, "For security purposes, you can only request this after 60 seconds.");
        refused(&auth.recover(&address("nobody")).await, 429, "over_email_send_rate_limit");
    }

    assert_eq!(auth.recover(&address("bea")).await.status, 200);
    used_up(&auth.recover(&address("cid")).await, "1200");
}

#[tokio::test]
async fn expired_counts_are_deleted() {
    let auth = with_accounts(&[]).await;
    for name in &NAMES[..4] {
        assert_eq!(auth.recover(&address(name)).await.status, 200);
    }
    let kept = "select count(*) from auth.mail_allowances";
    // Each address has an interval row and an hourly row; one more row counts all addresses together, and one the
    // sign-ups.
    assert_eq!(auth.count(kept).await, 10);
    assert_eq!(
        auth.count("select count(*) from auth.mail_allowances where address_hash like '%@%'").await,
        0
    );

    auth.clock.advance(TimeDelta::hours(1));
    assert_eq!(auth.recover(&address("hal")).await.status, 200);
    assert_eq!(auth.count(kept).await, 3);
}

/// A request from a client behind a trusted proxy.
async fn from(auth: &TestClient, client: &str, path: &str, body: Value) -> Answer {
    let request = Request::post(path).header("x-forwarded-for", client);
    auth.send(request.header("content-type", "application/json"), body.to_string()).await
}

async fn recover_from(auth: &Auth, client: &str, name: &str) -> Answer {
    from(&auth.client, client, "/recover", json!({ "email": address(name) })).await
}

fn account(name: &str, user_type: &str) -> Value {
    json!({ "email": address(name), "password": "serasi-demo", "data": { "user_type": user_type } })
}

/// The n-th of as many clients as the owner of an IPv6 network has.
fn client(number: usize) -> String {
    format!("2001:db8:0:{number:x}::1")
}

const LIMITED: [(&str, &str); 2] = [("AUTH_RATE_LIMITS", "on"), ("TRUSTED_PROXIES", "127.0.0.1")];

/// SECURITY.md: only a client with many network addresses can exhaust an allowance.
#[tokio::test]
async fn a_client_uses_up_only_its_own_share_of_one_allowance() {
    let auth = with_accounts(&LIMITED).await;
    let eve = |number: usize| format!("2001:db8:0:1::{number:x}");
    let sign_ups = (0..30).map(async |number| {
        from(&auth.client, &eve(number), "/signup", account(&format!("vendor{number}"), "vendor")).await
    });
    let accepted = join_all(sign_ups).await.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(accepted, 5, "a sixth of the sign-ups");

    // Resets are counted apart, and another client has its own share.
    let mut accepted = 0;
    for name in NAMES {
        accepted += usize::from(recover_from(&auth, &eve(0), name).await.status == 200);
    }
    assert_eq!(accepted, 5);
    used_up(&recover_from(&auth, &eve(1), "hal").await, "720");
    auth.clock.advance(TimeDelta::minutes(1));
    assert_eq!(recover_from(&auth, &client(2), "ana").await.status, 200);
    assert_eq!(from(&auth.client, &client(2), "/signup", account("vendor", "vendor")).await.status, 200);

    // Many clients together exhaust the resets of all.
    let many = (2..40).map(async |number| recover_from(&auth, &client(number), &format!("n{number}")).await);
    let accepted = join_all(many).await.iter().filter(|answer| answer.status == 200).count();
    assert!((24..=25).contains(&accepted), "{accepted} of the 24 that are left, and what a minute refills");
    refused(&recover_from(&auth, &client(99), "hal").await, 429, "over_email_send_rate_limit");
    assert_eq!(from(&auth.client, &client(99), "/signup", account("vendor99", "vendor")).await.status, 200);
}

#[tokio::test]
async fn every_spelling_of_an_address_counts_as_one_mailbox() {
    let auth = Auth::start_with(&[&LIMITED[..], &[("AUTH_MAIL_INTERVAL_SECONDS", "0")]].concat()).await;
    let sign_ups = (0..25).map(async |number| {
        let spelled = account(&format!("Victim+{number}"), "vendor");
        from(&auth.client, &client(number), "/signup", spelled).await
    });
    let answers = join_all(sign_ups).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 10);
    assert_eq!(auth.mails().await.len(), 10);
    // Mail goes to the address as it was typed.
    assert!(auth.mails().await.iter().all(|mail| mail.recipient.starts_with("victim+")));
}

#[tokio::test]
async fn all_services_and_clients_share_an_allowance_of_sign_ups() {
    let auth = Auth::start_with(&[&LIMITED[..], &[("AUTH_SIGNUPS_PER_HOUR", "4")]].concat()).await;
    let other = auth.another_service().await;
    let sign_up = async |number: usize| {
        let service = if number.is_multiple_of(2) { &auth.client } else { &other };
        from(service, &client(number), "/signup", account(&format!("new{number}"), "agency")).await
    };

    let answers = join_all((0..8).map(&sign_up)).await;

    let (accepted, refused_ones): (Vec<Answer>, Vec<Answer>) =
        answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(accepted.len(), 4);
    for answer in &refused_ones {
        refused(answer, 429, "over_request_rate_limit");
        assert_eq!(answer.header("retry-after"), Some("900"));
    }
    let accounts = "select count(*) from auth.users where email like 'new%'";
    assert_eq!(auth.count(accounts).await, 4);
    auth.clock.advance(TimeDelta::minutes(15));
    assert_eq!(sign_up(8).await.status, 200);
    refused(&sign_up(9).await, 429, "over_request_rate_limit");
    // Those who have an account sign in as before.
    assert_eq!(auth.count("select count(*) from auth.sessions").await, 5);
}
