use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::server::SmtpServer;
use crate::support::Post;

/// The service's program, as a container runs it; killed when the test ends.
struct Program(Child);

impl Program {
    async fn start(post: &Post, smtp_url: &str, log: Stdio) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auth-service"));
        command.env_clear().envs(post.environment(smtp_url).await).env("RUST_LOG", "trace");
        Self(command.stderr(log).spawn().unwrap())
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_deliver_a_hundred_mails_once_each() {
    let mut server = SmtpServer::with_plan("").await;
    let post = Post::to(&server.url()).await;
    let wanted: BTreeSet<String> = (0..100).map(|number| format!("person{number}@example.test")).collect();
    let mut ids = Vec::new();
    for recipient in &wanted {
        ids.push(post.add(recipient).await);
    }

    let _workers = (post.worker(), post.worker());

    let mut arrived = Vec::new();
    while arrived.len() < wanted.len() {
        let mail = server.next("accepted").await;
        arrived.push((mail["to"][0].as_str().unwrap().to_owned(), mail["headers"]["message-id"].to_string()));
    }
    for id in ids {
        assert_eq!(post.sent(id).await.attempts, 1);
    }

    assert_eq!(server.rest(), Vec::<Value>::new(), "nothing goes twice");
    assert_eq!(arrived.iter().map(|mail| mail.0.clone()).collect::<BTreeSet<_>>(), wanted);
    assert_eq!(arrived.iter().map(|mail| &mail.1).collect::<BTreeSet<_>>().len(), wanted.len());
}

#[tokio::test]
async fn a_worker_killed_before_the_server_had_the_mail_loses_nothing() {
    let mut server = SmtpServer::with_plan("rcpt-stall").await;
    let post = Post::to(&server.url()).await;
    let id = post.add("aina@example.test").await;
    let program = Program::start(&post, &server.url(), Stdio::null()).await;
    server.next("stalled").await;

    program.signal("-KILL");
    drop(program);
    let row = post.mail(id).await;
    assert_eq!((row.attempts, row.sent), (1, false));
    post.let_time_pass().await;
    let _worker = post.worker();

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    assert_eq!(post.sent(id).await.attempts, 2);
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_worker_killed_before_it_heard_the_answer_may_double_a_mail_under_the_same_name() {
    let mut server = SmtpServer::with_plan("message-stall").await;
    let post = Post::to(&server.url()).await;
    let id = post.add("aina@example.test").await;
    let program = Program::start(&post, &server.url(), Stdio::null()).await;
    let first = server.next("stalled").await;

    program.signal("-KILL");
    drop(program);
    post.let_time_pass().await;
    let _worker = post.worker();

    let second = server.next("accepted").await;
    assert_eq!(first["headers"]["message-id"], second["headers"]["message-id"]);
    post.sent(id).await;
}

#[tokio::test]
async fn nobody_takes_a_mail_that_is_on_its_way() {
    let mut server = SmtpServer::with_plan("hold").await;
    let post = Post::to(&server.url()).await;
    let _first = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("held").await;

    let _second = post.worker();
    let other = post.add("other@example.test").await;
    assert_eq!(server.next("accepted").await["to"], json!(["other@example.test"]));
    post.sent(other).await;
    server.release();

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    assert_eq!(post.sent(id).await.attempts, 1);
}

#[tokio::test]
async fn a_mail_that_another_worker_is_just_claiming_is_passed_over() {
    let server = SmtpServer::with_plan("").await;
    let post = Post::to(&server.url()).await;
    let (first, second) = (post.add("first@example.test").await, post.add("second@example.test").await);
    let mut claiming = post.rows.begin().await.unwrap();
    let claim = "select from app.mail_outbox where id = $1 for update";
    sqlx::query(claim).bind(first).execute(&mut *claiming).await.unwrap();

    let _worker = post.worker();

    post.sent(second).await;
    assert_eq!(post.mail(first).await.attempts, 0);
    claiming.rollback().await.unwrap();
    post.sent(first).await;
}

#[tokio::test]
async fn a_worker_that_was_too_slow_does_not_disturb_who_took_over() {
    let mut server = SmtpServer::with_plan("message-stall,hold").await;
    let mut post = Post::to(&server.url()).await;
    post.config.mail.smtp.as_mut().unwrap().patience.message = Duration::from_secs(3);
    let slow = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("stalled").await;

    post.let_time_pass().await;
    post.config.mail.smtp.as_mut().unwrap().patience.message = Duration::from_secs(60);
    let _quick = post.worker();
    server.next("held").await;
    // Has had no answer by then, and would try again at once.
    slow.stop().await;
    let row = post.mail(id).await;
    assert_eq!((row.attempts, row.last_error), (2, None));
    server.release();

    assert_eq!(post.sent(id).await.attempts, 2);
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn addresses_are_forgotten_a_month_after_their_mail() {
    let server = SmtpServer::with_plan("").await;
    let post = Post::to(&server.url()).await;
    let age =
        "update app.mail_outbox set data = '{}', sent_at = now() - make_interval(days => $2) where id = $1";
    let (old, recent) = (post.add("old@example.test").await, post.add("recent@example.test").await);
    for (id, days) in [(old, 31), (recent, 29)] {
        sqlx::query(age).bind(id).bind(days).execute(&post.rows).await.unwrap();
    }
    let waiting = post.add("waiting@example.test").await;

    let _worker = post.worker();
    post.sent(waiting).await;

    let left: Vec<String> = sqlx::query_scalar("select recipient from app.mail_outbox order by 1")
        .fetch_all(&post.rows)
        .await
        .unwrap();
    assert_eq!(left, ["recent@example.test", "waiting@example.test"]);
}

#[tokio::test]
async fn a_worker_that_stops_finishes_what_is_on_its_way_and_begins_nothing() {
    let mut server = SmtpServer::with_plan("hold").await;
    let post = Post::to(&server.url()).await;
    let worker = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("held").await;

    let stopping = tokio::spawn(worker.stop());
    // A current-thread runtime runs it up to where it waits.
    tokio::task::yield_now().await;
    let late = post.add("late@example.test").await;
    assert!(!stopping.is_finished());
    server.release();
    stopping.await.unwrap();

    server.next("accepted").await;
    assert!(post.mail(id).await.sent);
    assert_eq!(post.mail(late).await.attempts, 0);
    let _next = post.worker();
    post.sent(late).await;
}

#[tokio::test]
async fn a_delivery_is_written_down_although_the_database_dropped_the_worker() {
    let mut server = SmtpServer::with_plan("hold").await;
    let post = Post::to(&server.url()).await;
    let _worker = post.worker();
    let id = post.add("aina@example.test").await;
    server.next("held").await;

    let drop = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'auth-service mail'";
    sqlx::query(drop).execute(&post.rows).await.unwrap();
    server.release();

    assert_eq!(post.sent(id).await.attempts, 1);
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn the_log_tells_what_became_of_a_mail_but_not_whose_nor_what_is_in_it() {
    let server =
        SmtpServer::start(&["--plan", "rcpt-451,rcpt-550,rcpt-550", "--password", "hush-hush"]).await;
    let url = format!("smtp://serasi:hush-hush@127.0.0.1:{}", server.port);
    let post = Post::to(&url).await;
    let id = post.add("aina@example.test").await;
    let mut program = Program::start(&post, &url, Stdio::piped()).await;
    let mut log = program.0.stderr.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).map(|_| text)
    });
    post.until(id, |row| row.last_error.is_some()).await;
    post.let_time_pass().await;
    let waking = post.add("waking@example.test").await;
    post.given_up(id).await;
    post.given_up(waking).await;

    program.signal("-TERM");
    assert!(program.0.wait().unwrap().success(), "it stops cleanly");
    let log = reading.join().unwrap().unwrap();

    assert!(log.contains("a mail was given up") && log.contains(&id.to_string()), "{log}");
    for secret in ["aina", "waking", "428317", "serasi.test/x", "hush-hush"] {
        assert!(!log.contains(secret), "{secret} stands in the log: {log}");
    }
}
