use std::net::{Ipv4Addr, TcpListener};
use std::time::Duration;

use auth_service::config::mail::SmtpServer as Settings;
use chrono::TimeDelta;
use platform::testing::faulty_proxy::Fault;
use serde_json::{Value, json};

use crate::server::SmtpServer;
use crate::support::Post;

/// A server that stalls is given up quickly.
fn impatient(post: &mut Post) -> &mut Settings {
    let server = post.config.mail.smtp.as_mut().unwrap();
    server.patience.command = Duration::from_millis(300);
    server.patience.message = Duration::from_millis(300);
    server
}

/// The mail arrives although this happened first, and once.
async fn arrives_after(plan: &str, event: &str, error: &str) {
    let mut server = SmtpServer::with_plan(plan).await;
    let mut post = Post::to(&server.url()).await;
    impatient(&mut post);
    post.config.mail.pace.first_retry = Duration::from_secs(60 * 60);
    post.config.mail.pace.longest_retry = Duration::from_secs(60 * 60);
    let _worker = post.worker();

    let id = post.add("aina@example.test").await;
    server.next(event).await;
    let row = post.until(id, |row| row.last_error.is_some()).await;
    assert_eq!(row.last_error.as_deref(), Some(error), "{plan}");
    assert!(!row.sent && !row.given_up && row.data["code"] == "428317", "{row:?}");
    assert_eq!(server.rest(), Vec::<Value>::new(), "it waits for its next attempt");
    post.let_time_pass().await;
    // Looked for at once, because another mail came.
    let other = post.add("other@example.test").await;

    let row = post.sent(id).await;
    assert_eq!((row.attempts, row.data, row.last_error), (2, json!({}), None));
    post.sent(other).await;
    let mut arrived = [server.next("accepted").await, server.next("accepted").await]
        .map(|mail| mail["to"][0].as_str().unwrap().to_owned());
    arrived.sort();
    assert_eq!(arrived, ["aina@example.test", "other@example.test"]);
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_recipient_that_is_refused_for_now_gets_it_later() {
    arrives_after("rcpt-451", "refused", "RCPT: 451").await;
}

#[tokio::test]
async fn a_message_that_is_refused_for_now_arrives_later() {
    arrives_after("message-451", "refused", "message: 451").await;
}

#[tokio::test]
async fn a_server_that_stalls_is_left_and_asked_again() {
    arrives_after("rcpt-stall", "stalled", "RCPT: no answer in time").await;
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_of_a_message_loses_nothing() {
    arrives_after("data-disconnect", "disconnected", "message: connection failed").await;
}

#[tokio::test]
async fn a_sender_that_is_refused_is_the_operators_fault_and_no_mails_end() {
    arrives_after("mail-550", "refused", "MAIL: 550").await;
}

#[tokio::test]
async fn an_answer_that_never_comes_may_double_a_mail_under_the_same_name() {
    let mut server = SmtpServer::with_plan("message-stall").await;
    let mut post = Post::to(&server.url()).await;
    impatient(&mut post);
    let _worker = post.worker();

    let id = post.add("aina@example.test").await;
    let first = server.next("stalled").await;
    let second = server.next("accepted").await;

    assert_eq!(first["headers"]["message-id"], second["headers"]["message-id"]);
    post.sent(id).await;
}

#[tokio::test]
async fn a_server_that_is_down_gets_the_mail_once_it_is_up() {
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let post = Post::to(&format!("smtp://127.0.0.1:{port}")).await;
    let _worker = post.worker();
    let id = post.add("aina@example.test").await;
    let row = post.until(id, |row| row.attempts > 2).await;
    assert!(!row.sent && !row.given_up);
    assert_eq!(row.last_error.as_deref(), Some("CONNECT: connection failed"));

    let mut server = SmtpServer::start(&["--port", &port.to_string()]).await;

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    post.sent(id).await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn who_is_refused_for_good_is_given_up_at_once_and_leaves_nothing_behind() {
    for (plan, error) in [("rcpt-550", "RCPT: 550"), ("message-554", "message: 554")] {
        let mut server = SmtpServer::with_plan(plan).await;
        let post = Post::to(&server.url()).await;
        let _worker = post.worker();

        let id = post.add("aina@example.test").await;
        let answer = server.next("refused").await["answer"].as_str().unwrap().to_owned();
        assert!(answer.contains("aina@example.test"), "the server quotes the address: {answer}");

        let row = post.given_up(id).await;
        assert_eq!((row.attempts, row.sent, row.data), (1, false, json!({})));
        assert_eq!(row.last_error.as_deref(), Some(error), "the address is not kept");
        let next = post.add("next@example.test").await;
        post.sent(next).await;
        assert_eq!(
            server.next("accepted").await["to"],
            json!(["next@example.test"]),
            "and it is not tried again"
        );
    }
}

#[tokio::test]
async fn a_wrong_password_keeps_the_mails_until_it_is_right() {
    let mut server = SmtpServer::start(&["--password", "right"]).await;
    let mut post = Post::to(&format!("smtp://serasi:wrong@127.0.0.1:{}", server.port)).await;
    let worker = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("turned away").await;
    let row = post.until(id, |row| row.last_error.is_some()).await;
    assert!(!row.sent && !row.given_up);
    assert_eq!(row.last_error.as_deref(), Some("CONNECT: 535"));
    worker.stop().await;

    let right = Post::to(&format!("smtp://serasi:right@127.0.0.1:{}", server.port)).await;
    post.config.mail.smtp = right.config.mail.smtp.clone();
    post.let_time_pass().await;
    let _worker = post.worker();

    server.until("accepted").await;
    post.sent(id).await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_that_always_fails_is_given_up_after_the_last_attempt() {
    let mut server = SmtpServer::with_plan(&["rcpt-451"; 9].join(",")).await;
    let mut post = Post::to(&server.url()).await;
    post.config.mail.pace.attempts = 3;
    let _worker = post.worker();

    let id = post.add("aina@example.test").await;
    let row = post.given_up(id).await;

    assert_eq!((row.attempts, row.data, row.last_error.as_deref()), (3, json!({}), Some("RCPT: 451")));
    for _ in 0..3 {
        server.next("refused").await;
    }
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_mail_whose_worker_dies_each_time_ends_too() {
    let mut server = SmtpServer::with_plan("").await;
    let post = Post::to(&server.url()).await;
    let id = post.add("aina@example.test").await;
    let worn_out = "update app.mail_outbox set attempts = 100, last_error = 'RCPT: 451'";
    sqlx::query(worn_out).execute(&post.rows).await.unwrap();

    let _worker = post.worker();

    let row = post.given_up(id).await;
    assert_eq!((row.attempts, row.last_error.as_deref()), (100, Some("RCPT: 451")));
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_link_that_is_dead_by_now_is_not_sent_but_good_news_is() {
    let mut server = SmtpServer::with_plan("").await;
    let mut post = Post::to(&server.url()).await;
    post.config.mail.pace.token_life = TimeDelta::hours(1);
    let dead = post.add("aina@example.test").await;
    let news = json!({ "name": "Aina", "profile_id": dead });
    let news = post.add_with("approved", "aina@example.test", news).await;
    let age = "update app.mail_outbox set created_at = now() - interval '61 min'";
    sqlx::query(age).execute(&post.rows).await.unwrap();
    let fresh = post.add("fresh@example.test").await;
    let age = "update app.mail_outbox set created_at = now() - interval '59 min' where id = $1";
    sqlx::query(age).bind(fresh).execute(&post.rows).await.unwrap();

    let _worker = post.worker();

    let row = post.given_up(dead).await;
    assert_eq!((row.attempts, row.data, row.last_error.as_deref()), (0, json!({}), Some("expired")));
    post.sent(news).await;
    post.sent(fresh).await;
    server.next("accepted").await;
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_row_that_makes_no_mail_is_given_up_and_holds_up_nobody() {
    let mut server = SmtpServer::with_plan("").await;
    let post = Post::to(&server.url()).await;
    let useless = [json!({}), json!({ "link": "javascript:alert(1)" }), json!({ "link": 7 })];
    let mut ids = Vec::new();
    for data in useless {
        ids.push(post.add_with("recovery", "aina@example.test", data).await);
    }
    let _worker = post.worker();

    for id in ids {
        let row = post.given_up(id).await;
        assert_eq!((row.attempts, row.data), (1, json!({})));
    }
    post.add("next@example.test").await;
    assert_eq!(server.next("accepted").await["to"], json!(["next@example.test"]));
}

#[tokio::test]
async fn a_database_that_falls_silent_while_a_mail_goes_out_neither_loses_nor_doubles_it() {
    let mut server = SmtpServer::with_plan("hold").await;
    let (post, proxy) = Post::behind_proxy(&server.url()).await;
    let _worker = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("held").await;

    proxy.set(Fault::BlackHole);
    server.release();
    server.next("accepted").await;
    // Longer than the worker waits for an answer.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert!(!post.mail(id).await.sent);
    proxy.set(Fault::None);

    assert_eq!(post.sent(id).await.attempts, 1);
    assert_eq!(server.rest(), Vec::<Value>::new());
}
