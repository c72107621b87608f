use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use serde_json::{Value, json};
use test_support::faulty_proxy::Fault;
use test_support::smtp_server::SmtpServer;

use crate::support::Outbox;

/// Makes the worker wait at most this long for each answer of the server.
fn with_timeouts(outbox: &mut Outbox, limit: Duration) {
    outbox.config.mail.smtp.as_mut().unwrap().timeout = limit;
}

/// Asserts that the mail still arrives, exactly once, after this failure.
async fn arrives_after(plan: &str, event: &str, error: &str) {
    let mut server = SmtpServer::with_plan(plan).await;
    let mut outbox = Outbox::to(&server.url()).await;
    if plan.ends_with("-stall") {
        // Long enough for the second attempt on a busy machine.
        with_timeouts(&mut outbox, Duration::from_secs(3));
    }
    outbox.config.mail.pace.first_retry = Duration::from_secs(60 * 60);
    outbox.config.mail.pace.longest_retry = Duration::from_secs(60 * 60);
    let _worker = outbox.worker();

    let id = outbox.add("aina@example.test").await;
    server.next(event).await;
    let row = outbox.until(id, |row| row.last_error.is_some()).await;
    assert!(row.last_error.as_ref().unwrap().starts_with(error), "{plan}: {row:?}");
    assert!(!row.sent && !row.given_up && row.data["code"] == "428317", "{row:?}");
    assert_eq!(server.rest(), Vec::<Value>::new(), "it waits for its next attempt");
    outbox.let_time_pass().await;
    // Another mail wakes the worker.
    let other = outbox.add("other@example.test").await;

    let row = outbox.sent(id).await;
    assert_eq!((row.attempts, row.data, row.last_error), (2, json!({}), None));
    outbox.sent(other).await;
    let mut arrived = [server.next("accepted").await, server.next("accepted").await]
        .map(|mail| mail["to"][0].as_str().unwrap().to_owned());
    arrived.sort();
    assert_eq!(arrived, ["aina@example.test", "other@example.test"]);
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_temporarily_refused_recipient_gets_the_mail_later() {
    arrives_after("rcpt-451", "refused", "RCPT: 451").await;
}

#[tokio::test]
async fn a_temporarily_refused_message_arrives_later() {
    arrives_after("message-451", "refused", "message: 451").await;
}

#[tokio::test]
async fn a_stalled_connection_is_dropped_and_retried() {
    arrives_after("rcpt-stall", "stalled", "RCPT: no answer in time").await;
}

#[tokio::test]
async fn a_connection_lost_in_the_middle_of_a_message_loses_no_mail() {
    arrives_after("data-disconnect", "disconnected", "message: ").await;
}

#[tokio::test]
async fn a_refused_sender_is_a_configuration_error_and_no_mail_is_given_up() {
    arrives_after("mail-550", "refused", "MAIL: 550").await;
}

#[tokio::test]
async fn a_missing_answer_may_duplicate_a_mail_with_the_same_message_id() {
    let mut server = SmtpServer::with_plan("message-stall").await;
    let mut outbox = Outbox::to(&server.url()).await;
    with_timeouts(&mut outbox, Duration::from_millis(200));
    let _worker = outbox.worker();

    let id = outbox.add("aina@example.test").await;
    let first = server.next("stalled").await;
    let second = server.next("accepted").await;

    assert_eq!(first["headers"]["message-id"], second["headers"]["message-id"]);
    outbox.sent(id).await;
}

#[tokio::test]
async fn mails_are_delivered_once_the_server_is_up() {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let outbox = Outbox::to(&format!("smtp://127.0.0.1:{port}")).await;
    let _worker = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    let row = outbox.until(id, |row| row.attempts > 2).await;
    assert!(!row.sent && !row.given_up);
    assert!(row.last_error.as_ref().unwrap().starts_with("CONNECT: "), "{row:?}");

    let mut server = SmtpServer::start(&["--port", &port.to_string()]).await;

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    outbox.sent(id).await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_permanently_refused_mail_is_given_up_at_once_and_its_data_deleted() {
    for (plan, error) in [("rcpt-550", "RCPT: 550"), ("message-554", "message: 554")] {
        let mut server = SmtpServer::with_plan(plan).await;
        let outbox = Outbox::to(&server.url()).await;
        let _worker = outbox.worker();

        let id = outbox.add("aina@example.test").await;
        let answer = server.next("refused").await["answer"].as_str().unwrap().to_owned();
        assert!(answer.contains("aina@example.test"), "the server quotes the address: {answer}");

        let row = outbox.given_up(id).await;
        assert_eq!((row.attempts, row.sent, row.data), (1, false, json!({})));
        assert_eq!(row.last_error.as_deref(), Some(error), "the address is not kept");
        let next = outbox.add("next@example.test").await;
        outbox.sent(next).await;
        assert_eq!(
            server.next("accepted").await["to"],
            json!(["next@example.test"]),
            "and it is not tried again"
        );
    }
}

#[tokio::test]
async fn mails_wait_while_the_smtp_password_is_wrong() {
    let mut server = SmtpServer::start(&["--password", "right"]).await;
    let mut outbox = Outbox::to(&format!("smtp://serasi:wrong@127.0.0.1:{}", server.port)).await;
    let worker = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("turned away").await;
    let row = outbox.until(id, |row| row.last_error.is_some()).await;
    assert!(!row.sent && !row.given_up);
    assert_eq!(row.last_error.as_deref(), Some("CONNECT: 535"));
    worker.stop().await;

    let right = Outbox::to(&format!("smtp://serasi:right@127.0.0.1:{}", server.port)).await;
    outbox.config.mail.smtp = right.config.mail.smtp.clone();
    outbox.let_time_pass().await;
    let _worker = outbox.worker();

    server.until("accepted").await;
    outbox.sent(id).await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_that_always_fails_is_given_up_after_the_last_attempt() {
    let mut server = SmtpServer::with_plan(&["rcpt-451"; 9].join(",")).await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.mail.pace.attempts = 3;
    let _worker = outbox.worker();

    let id = outbox.add("aina@example.test").await;
    let row = outbox.given_up(id).await;

    assert_eq!((row.attempts, row.data, row.last_error.as_deref()), (3, json!({}), Some("RCPT: 451")));
    for _ in 0..3 {
        server.next("refused").await;
    }
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_whose_worker_dies_each_time_is_given_up_too() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let id = outbox.add("aina@example.test").await;
    let worn_out = "update serasi.mail_outbox set attempts = 100, last_error = 'RCPT: 451'";
    sqlx::query(worn_out).execute(&outbox.rows).await.unwrap();

    let _worker = outbox.worker();

    let row = outbox.given_up(id).await;
    assert_eq!((row.attempts, row.last_error.as_deref()), (101, Some("RCPT: 451")));
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn expired_links_are_not_sent_but_security_mails_are() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let dead = outbox.add("aina@example.test").await;
    let news = json!({ "path": "/account/security" });
    let news = outbox.add_with("factor_added", "aina@example.test", news).await;
    let age = "update serasi.mail_outbox set created_at = now() - interval '61 min'";
    sqlx::query(age).execute(&outbox.rows).await.unwrap();
    let fresh = outbox.add("fresh@example.test").await;
    let age = "update serasi.mail_outbox set created_at = now() - interval '59 min' where id = $1";
    sqlx::query(age).bind(fresh).execute(&outbox.rows).await.unwrap();

    let _worker = outbox.worker();

    let row = outbox.given_up(dead).await;
    assert_eq!((row.attempts, row.data, row.last_error.as_deref()), (1, json!({}), Some("expired")));
    outbox.sent(news).await;
    outbox.sent(fresh).await;
    server.next("accepted").await;
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn an_invalid_row_is_given_up_and_does_not_block_others() {
    let mut server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let useless = [json!({}), json!({ "link": "javascript:alert(1)" }), json!({ "link": 7 })];
    let mut ids = Vec::new();
    for data in useless {
        ids.push(outbox.add_with("recovery", "aina@example.test", data).await);
    }
    let _worker = outbox.worker();

    for id in ids {
        let row = outbox.given_up(id).await;
        assert_eq!((row.attempts, row.data), (1, json!({})));
    }
    outbox.add("next@example.test").await;
    assert_eq!(server.next("accepted").await["to"], json!(["next@example.test"]));
}

#[tokio::test]
async fn a_silent_database_during_a_delivery_neither_loses_nor_duplicates_the_mail() {
    let mut server = SmtpServer::with_plan("hold").await;
    let (outbox, proxy) = Outbox::behind_proxy(&server.url()).await;
    let _worker = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("held").await;

    proxy.set(Fault::BlackHole);
    server.release();
    server.next("accepted").await;
    // Longer than the worker waits for the database.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!outbox.mail(id).await.sent);
    proxy.set(Fault::None);

    assert_eq!(outbox.sent(id).await.attempts, 1);
    assert_eq!(server.rest(), Vec::<Value>::new());
}
