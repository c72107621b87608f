use std::time::Duration;

use chrono::TimeDelta;
use platform::clock::Clock;
use serde_json::{Value, json};
use test_support::smtp_server::SmtpServer;
use uuid::Uuid;

use crate::support::Outbox;

const SUBJECT: Uuid = Uuid::from_u128(1);

/// An account, which is an agency.
pub async fn account(outbox: &Outbox, email: &str) -> Uuid {
    let add = r#"insert into auth.users (email, raw_user_meta_data) values ($1, '{"user_type": "agency"}') returning id"#;
    sqlx::query_scalar(add).bind(email).fetch_one(&outbox.rows).await.unwrap()
}

async fn notify(outbox: &Outbox, recipient: Uuid, kind: &str, data: Value) {
    let notify = "select app.notify($1, $2, $3, $4)";
    sqlx::query(notify)
        .bind(recipient)
        .bind(kind)
        .bind(SUBJECT)
        .bind(data)
        .execute(&outbox.rows)
        .await
        .unwrap();
}

async fn flood(outbox: &Outbox, recipient: &str, mails: i32) {
    let add = r#"insert into serasi.mail_outbox (template, recipient, data)
        select 'gig_closed', $1, '{"title": "Raya", "path": "/gigs/1"}' from generate_series(1, $2)"#;
    sqlx::query(add).bind(recipient).bind(mails).execute(&outbox.rows).await.unwrap();
}

async fn accepted(server: &mut SmtpServer, mails: usize) -> Vec<String> {
    let mut recipients = Vec::new();
    for _ in 0..mails {
        recipients.push(server.next("accepted").await["to"][0].as_str().unwrap().to_owned());
    }
    recipients
}

async fn pending(outbox: &Outbox) -> i64 {
    let count = "select count(*) from serasi.mail_outbox where sent_at is null and given_up_at is null";
    sqlx::query_scalar(count).fetch_one(&outbox.rows).await.unwrap()
}

/// Waits until this many e-mails were postponed, or wait because the total is used up.
async fn settled(outbox: &Outbox, unsent: i64) {
    for _ in 0..3000 {
        if pending(outbox).await == unsent {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} e-mails are not sent", pending(outbox).await);
}

#[tokio::test]
async fn a_notification_arrives_with_its_link_and_the_way_to_unsubscribe() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let aina = account(&outbox, "aina@example.test").await;

    notify(&outbox, aina, "enquiry_received", json!({ "name": "Kopi Satu", "path": "/enquiries/1" })).await;

    let mail = server.next("accepted").await;
    assert_eq!(
        (&mail["to"], &mail["type"]),
        (&json!(["aina@example.test"]), &json!("multipart/alternative"))
    );
    assert_eq!(mail["headers"]["subject"], "Kopi Satu sent you an enquiry");
    assert_eq!(mail["headers"]["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    let one_click = mail["headers"]["list-unsubscribe"].as_str().unwrap();
    let token = one_click
        .strip_prefix("<https://serasi.test/functions/v1/unsubscribe?token=")
        .and_then(|rest| rest.strip_suffix('>'))
        .unwrap();
    for part in ["text/plain", "text/html"] {
        let part = mail["parts"][part].as_str().unwrap();
        assert!(part.contains("https://serasi.test/enquiries/1"), "{part}");
        assert!(part.contains(&format!("https://serasi.test/unsubscribe?token={token}")), "{part}");
    }

    // The database stores the e-mail's token, and following the link stops the next e-mail.
    let kind: String =
        sqlx::query_scalar("select app.unsubscribe($1)").bind(token).fetch_one(&outbox.rows).await.unwrap();
    assert_eq!(kind, "enquiry_received");
    notify(&outbox, aina, "enquiry_received", json!({ "name": "Other", "path": "/enquiries/1" })).await;
    notify(&outbox, aina, "gig_closed", json!({ "title": "Raya", "path": "/gigs/1" })).await;
    assert_eq!(server.next("accepted").await["headers"]["subject"], "“Raya” is closed");
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_digest_lists_what_happened() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let aina = account(&outbox, "aina@example.test").await;
    let daily =
        "insert into app.notification_settings (user_id, kind, delivery) values ($1, 'gig_closed', 'daily')";
    sqlx::query(daily).bind(aina).execute(&outbox.rows).await.unwrap();
    notify(&outbox, aina, "gig_closed", json!({ "title": "Raya", "path": "/gigs/1" })).await;

    sqlx::query("select app.tick_notifications(now() + interval '1 day')")
        .execute(&outbox.rows)
        .await
        .unwrap();

    let mail = server.next("accepted").await;
    assert_eq!(mail["headers"]["subject"], "One new notification");
    assert!(
        mail["headers"]["list-unsubscribe"].as_str().unwrap().contains("/functions/v1/unsubscribe?token=")
    );
    for part in ["text/plain", "text/html"] {
        let part = mail["parts"][part].as_str().unwrap();
        assert!(part.contains("“Raya” is closed") && part.contains("https://serasi.test/gigs/1"), "{part}");
        assert!(part.contains("https://serasi.test/notifications"), "{part}");
    }
}

#[tokio::test]
async fn a_password_reset_overtakes_notifications_that_a_slow_server_holds() {
    let mut server = SmtpServer::with_plan("hold,hold").await;
    let outbox = Outbox::to(&server.url()).await;
    flood(&outbox, "aina@example.test", 10).await;
    let _worker = outbox.worker();
    server.next("held").await;
    server.next("held").await;

    outbox.add("aina@example.test").await;

    assert_eq!(server.next("accepted").await["headers"]["subject"], "Set a new password");
    server.release();
    accepted(&mut server, 10).await;
}

#[tokio::test]
async fn digests_go_last() {
    let mut server = SmtpServer::with_plan("").await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.mail.pace.lanes = 1;
    let digest =
        json!({ "items": [{ "kind": "gig_closed", "data": { "title": "Raya", "path": "/gigs/1" } }] });
    outbox.add_with("digest", "digest@example.test", digest).await;
    flood(&outbox, "notification@example.test", 1).await;

    let _worker = outbox.worker();

    assert_eq!(accepted(&mut server, 2).await, ["notification@example.test", "digest@example.test"]);
}

#[tokio::test]
async fn one_address_gets_twenty_notifications_an_hour_from_all_replicas() {
    let mut server = SmtpServer::with_plan("").await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.clock = Clock::fixed(Clock::system().now());
    flood(&outbox, "aina@example.test", 12).await;
    flood(&outbox, "AINA@example.test", 13).await;
    let _workers = (outbox.worker(), outbox.worker());

    accepted(&mut server, 20).await;
    settled(&outbox, 5).await;
    flood(&outbox, "other@example.test", 1).await;
    outbox.add("aina@example.test").await;
    let mut others = accepted(&mut server, 2).await;
    others.sort();
    assert_eq!(others, ["aina@example.test", "other@example.test"], "others and resets don't wait");
    // Otherwise the end of its lease would deliver one again.
    settled(&outbox, 5).await;

    // The allowance refills evenly: one e-mail every three minutes.
    outbox.config.clock.advance(TimeDelta::minutes(6));
    outbox.let_time_pass().await;
    outbox.add("waking@example.test").await;
    accepted(&mut server, 3).await;
    settled(&outbox, 3).await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn all_notifications_share_an_allowance_that_resets_and_security_mails_do_not_need() {
    let mut server = SmtpServer::with_plan("").await;
    let mut outbox = Outbox::with(&[("SMTP_URL", &server.url()), ("AUTH_NOTIFICATIONS_PER_HOUR", "3")]).await;
    outbox.config.clock = Clock::fixed(Clock::system().now());
    for number in 0..5 {
        flood(&outbox, &format!("person{number}@example.test"), 1).await;
    }
    let _workers = (outbox.worker(), outbox.worker());

    accepted(&mut server, 3).await;
    settled(&outbox, 2).await;
    outbox.add("aina@example.test").await;
    assert_eq!(accepted(&mut server, 1).await, ["aina@example.test"]);
    flood(&outbox, "aina@example.test", 40).await;
    for template in ["factor_added", "factor_reset"] {
        outbox.add_with(template, "aina@example.test", json!({ "path": "/account/security" })).await;
        let mail = server.next("accepted").await;
        assert!(mail["headers"]["subject"].as_str().unwrap().contains("second factor"), "{mail}");
    }
    settled(&outbox, 42).await;
    sqlx::query("delete from serasi.mail_outbox where recipient = 'aina@example.test'")
        .execute(&outbox.rows)
        .await
        .unwrap();

    outbox.config.clock.advance(TimeDelta::minutes(20));
    outbox.add("waking@example.test").await;
    accepted(&mut server, 2).await;
    settled(&outbox, 1).await;
}

#[tokio::test]
async fn a_digest_outlives_the_token_life_but_not_three_days() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let digest =
        json!({ "items": [{ "kind": "gig_closed", "data": { "title": "Raya", "path": "/gigs/1" } }] });
    let late = outbox.add_with("digest", "late@example.test", digest.clone()).await;
    let old = outbox.add_with("digest", "old@example.test", digest).await;
    for (id, days) in [(late, 2), (old, 4)] {
        let age =
            "update serasi.mail_outbox set created_at = now() - make_interval(days => $2) where id = $1";
        sqlx::query(age).bind(id).bind(days).execute(&outbox.rows).await.unwrap();
    }

    let _worker = outbox.worker();

    assert_eq!(accepted(&mut server, 1).await, ["late@example.test"]);
    outbox.sent(late).await;
    assert_eq!(outbox.given_up(old).await.last_error.as_deref(), Some("expired"));
}

#[tokio::test]
async fn a_notification_that_changes_during_its_delivery_is_mailed_again() {
    let mut server = SmtpServer::with_plan("hold").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let aina = account(&outbox, "aina@example.test").await;
    let data = |state: &str| json!({ "name": "Aina", "state": state, "path": "/enquiries/1" });
    notify(&outbox, aina, "enquiry_answered", data("declined")).await;
    server.next("held").await;

    notify(&outbox, aina, "enquiry_answered", data("accepted")).await;
    assert_eq!(server.next("accepted").await["headers"]["subject"], "Aina accepted your enquiry");
    server.release();
    assert_eq!(server.next("accepted").await["headers"]["subject"], "Aina declined your enquiry");

    notify(&outbox, aina, "enquiry_answered", data("accepted")).await;
    flood(&outbox, "other@example.test", 1).await;
    assert_eq!(accepted(&mut server, 1).await, ["other@example.test"], "the same is not mailed again");
}
