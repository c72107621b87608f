use serde_json::{Value, json};
use test_support::smtp_server::SmtpServer;

use crate::support::Outbox;

#[tokio::test]
async fn a_mail_arrives_once_with_both_parts_and_its_secrets_are_then_deleted() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox =
        Outbox::with(&[("SMTP_URL", &server.url()), ("MAIL_FROM", "Serasi <hello@serasi.test>")]).await;
    let _worker = outbox.worker();
    let link = "https://serasi.test/auth/v1/verify?token=a&type=recovery";

    let id =
        outbox.add_with("recovery", "aina@example.test", json!({ "link": link, "code": "428317" })).await;
    let mail = server.next("accepted").await;

    assert_eq!((&mail["from"], &mail["to"]), (&json!("hello@serasi.test"), &json!(["aina@example.test"])));
    let headers = &mail["headers"];
    assert_eq!(headers["from"], "Serasi <hello@serasi.test>");
    assert_eq!(headers["to"], "aina@example.test");
    assert_eq!(headers["subject"], "Set a new password");
    assert_eq!(headers["message-id"], format!("<{id}@serasi.test>"));
    assert_eq!(headers["auto-submitted"], "auto-generated");
    assert!(headers["date"].is_string());
    assert_eq!(mail["type"], "multipart/alternative");
    let part = |kind: &str| mail["parts"][kind].as_str().unwrap().to_owned();
    assert!(part("text/plain").contains(link) && part("text/plain").contains("428317"));
    assert!(part("text/html").contains("&#38;type=recovery") && part("text/html").contains("428317"));

    let row = outbox.sent(id).await;
    assert_eq!((row.data, row.attempts, row.last_error), (json!({}), 1, None));
    // The worker sends nothing twice: the next event at the server is the next mail.
    let next = outbox.add("next@example.test").await;
    outbox.sent(next).await;
    assert_eq!(server.next("accepted").await["to"], json!(["next@example.test"]));
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_is_sent_only_when_its_transaction_commits() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let add = "insert into serasi.mail_outbox (template, recipient, data)
        values ('recovery', $1, '{\"code\": \"428317\"}')";

    let mut failing = outbox.rows.begin().await.unwrap();
    sqlx::query(add).bind("never@example.test").execute(&mut *failing).await.unwrap();
    failing.rollback().await.unwrap();
    let mut working = outbox.rows.begin().await.unwrap();
    sqlx::query(add).bind("aina@example.test").execute(&mut *working).await.unwrap();
    working.commit().await.unwrap();

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
}

#[tokio::test]
async fn the_worker_continues_after_the_database_dropped_its_connection() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    outbox.add("first@example.test").await;
    server.next("accepted").await;

    let drop = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'auth-service mail'";
    let dropped: i64 = sqlx::query_scalar(drop).fetch_one(&outbox.rows).await.unwrap();
    assert!(dropped > 0);

    outbox.add("second@example.test").await;
    assert_eq!(server.next("accepted").await["to"], json!(["second@example.test"]));
}

#[tokio::test]
#[ignore = "needs PGBOUNCER, version 1.21 or later"]
async fn behind_a_pooler_mail_is_delivered() {
    let mut server = SmtpServer::with_plan("").await;
    let (outbox, _pooler) = Outbox::behind_pooler(&server.url()).await;
    let _worker = outbox.worker();
    for address in ["first@example.test", "second@example.test"] {
        outbox.add(address).await;
        assert_eq!(server.next("accepted").await["to"], json!([address]));
    }
}

#[tokio::test]
async fn every_valid_account_address_gets_its_mail() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    for address in ["me@localhost", "o'hara+tag&co@example.test", "{a|b}~c@xn--bcher-kva.example"] {
        outbox.add(address).await;
        assert_eq!(server.next("accepted").await["to"], json!([address]));
    }
}
