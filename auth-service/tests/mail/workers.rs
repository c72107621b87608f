use std::collections::BTreeSet;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use test_support::smtp_server::SmtpServer;

use crate::support::Outbox;

/// The service's program as a container runs it. It is killed when the test ends.
struct Program(Child);

impl Program {
    async fn start(outbox: &Outbox, smtp_url: &str, log: Stdio) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_auth-service"));
        command.env_clear().envs(outbox.environment(smtp_url).await).env("RUST_LOG", "trace");
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
    let outbox = Outbox::to(&server.url()).await;
    let wanted: BTreeSet<String> = (0..100).map(|number| format!("person{number}@example.test")).collect();
    let mut ids = Vec::new();
    for recipient in &wanted {
        ids.push(outbox.add(recipient).await);
    }

    let _workers = (outbox.worker(), outbox.worker());

    let mut arrived = Vec::new();
    while arrived.len() < wanted.len() {
        let mail = server.next("accepted").await;
        arrived.push((mail["to"][0].as_str().unwrap().to_owned(), mail["headers"]["message-id"].to_string()));
    }
    for id in ids {
        assert_eq!(outbox.sent(id).await.attempts, 1);
    }

    assert_eq!(server.rest(), Vec::<Value>::new(), "no mail is sent twice");
    assert_eq!(arrived.iter().map(|mail| mail.0.clone()).collect::<BTreeSet<_>>(), wanted);
    assert_eq!(arrived.iter().map(|mail| &mail.1).collect::<BTreeSet<_>>().len(), wanted.len());
}

#[tokio::test]
async fn a_worker_killed_before_the_delivery_loses_no_mail() {
    let mut server = SmtpServer::with_plan("rcpt-stall").await;
    let outbox = Outbox::to(&server.url()).await;
    let id = outbox.add("aina@example.test").await;
    let program = Program::start(&outbox, &server.url(), Stdio::null()).await;
    server.next("stalled").await;

    program.signal("-KILL");
    drop(program);
    let row = outbox.mail(id).await;
    assert_eq!((row.attempts, row.sent), (1, false));
    outbox.let_time_pass().await;
    let _worker = outbox.worker();

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    assert_eq!(outbox.sent(id).await.attempts, 2);
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_worker_killed_before_the_answer_may_duplicate_a_mail_with_the_same_message_id() {
    let mut server = SmtpServer::with_plan("message-stall").await;
    let outbox = Outbox::to(&server.url()).await;
    let id = outbox.add("aina@example.test").await;
    let program = Program::start(&outbox, &server.url(), Stdio::null()).await;
    let first = server.next("stalled").await;

    program.signal("-KILL");
    drop(program);
    outbox.let_time_pass().await;
    let _worker = outbox.worker();

    let second = server.next("accepted").await;
    assert_eq!(first["headers"]["message-id"], second["headers"]["message-id"]);
    outbox.sent(id).await;
}

#[tokio::test]
async fn no_worker_takes_a_mail_that_another_is_sending() {
    let mut server = SmtpServer::with_plan("hold").await;
    let outbox = Outbox::to(&server.url()).await;
    let _first = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("held").await;

    let _second = outbox.worker();
    let other = outbox.add("other@example.test").await;
    assert_eq!(server.next("accepted").await["to"], json!(["other@example.test"]));
    outbox.sent(other).await;
    server.release();

    assert_eq!(server.next("accepted").await["to"], json!(["aina@example.test"]));
    assert_eq!(outbox.sent(id).await.attempts, 1);
}

#[tokio::test]
async fn a_mail_that_another_worker_is_claiming_is_skipped() {
    let server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let (first, second) = (outbox.add("first@example.test").await, outbox.add("second@example.test").await);
    let mut claiming = outbox.rows.begin().await.unwrap();
    let claim = "select from serasi.mail_outbox where id = $1 for update";
    sqlx::query(claim).bind(first).execute(&mut *claiming).await.unwrap();

    let _worker = outbox.worker();

    outbox.sent(second).await;
    assert_eq!(outbox.mail(first).await.attempts, 0);
    claiming.rollback().await.unwrap();
    outbox.sent(first).await;
}

#[tokio::test]
async fn a_worker_that_lost_its_lease_does_not_disturb_the_next_one() {
    let mut server = SmtpServer::with_plan("message-stall,hold").await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.mail.smtp.as_mut().unwrap().timeout = Duration::from_secs(2);
    // With room for a second delivery, the slow worker could claim the e-mail again itself.
    outbox.config.mail.pace.lanes = 1;
    let slow = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("stalled").await;

    outbox.let_time_pass().await;
    outbox.config.mail.smtp.as_mut().unwrap().timeout = Duration::from_secs(12);
    let _quick = outbox.worker();
    server.next("held").await;
    // The slow worker has timed out by now and would retry at once.
    slow.stop().await;
    let row = outbox.mail(id).await;
    assert_eq!((row.attempts, row.last_error), (2, None));
    server.release();

    assert_eq!(outbox.sent(id).await.attempts, 2);
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn addresses_are_deleted_a_month_after_their_mail() {
    let server = SmtpServer::with_plan("").await;
    let outbox = Outbox::to(&server.url()).await;
    let age = "update serasi.mail_outbox set data = '{}', sent_at = now() - make_interval(days => $2) where id = $1";
    let (old, recent) = (outbox.add("old@example.test").await, outbox.add("recent@example.test").await);
    for (id, days) in [(old, 31), (recent, 29)] {
        sqlx::query(age).bind(id).bind(days).execute(&outbox.rows).await.unwrap();
    }
    let waiting = outbox.add("waiting@example.test").await;

    let _worker = outbox.worker();
    outbox.sent(waiting).await;

    let until = std::time::Instant::now() + Duration::from_secs(20);
    loop {
        let left: Vec<String> = sqlx::query_scalar("select recipient from serasi.mail_outbox order by 1")
            .fetch_all(&outbox.rows)
            .await
            .unwrap();
        assert!(
            left.ends_with(&["recent@example.test".to_owned(), "waiting@example.test".to_owned()]),
            "{left:?}"
        );
        if left.len() == 2 {
            break;
        }
        assert!(std::time::Instant::now() < until, "{left:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_stopping_worker_finishes_its_delivery_and_starts_no_other() {
    let mut server = SmtpServer::with_plan("hold").await;
    let mut outbox = Outbox::to(&server.url()).await;
    // With room for a second delivery, the worker may be looking for one at the moment it is stopped.
    outbox.config.mail.pace.lanes = 1;
    let worker = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("held").await;

    let stopping = tokio::spawn(worker.stop());
    // A current-thread runtime polls the task up to its first await that blocks.
    tokio::task::yield_now().await;
    let late = outbox.add("late@example.test").await;
    assert!(!stopping.is_finished());
    server.release();
    stopping.await.unwrap();

    server.next("accepted").await;
    assert!(outbox.mail(id).await.sent);
    assert_eq!(outbox.mail(late).await.attempts, 0);
    let _next = outbox.worker();
    outbox.sent(late).await;
}

#[tokio::test]
async fn a_delivery_is_recorded_although_the_database_dropped_the_connection() {
    let mut server = SmtpServer::with_plan("hold").await;
    let outbox = Outbox::to(&server.url()).await;
    let _worker = outbox.worker();
    let id = outbox.add("aina@example.test").await;
    server.next("held").await;

    let drop = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'auth-service mail'";
    sqlx::query(drop).execute(&outbox.rows).await.unwrap();
    server.release();

    assert_eq!(outbox.sent(id).await.attempts, 1);
    server.next("accepted").await;
    assert_eq!(server.rest(), Vec::<Value>::new());
}

#[tokio::test]
async fn the_log_records_a_mails_outcome_without_its_address_or_content() {
    let server =
        SmtpServer::start(&["--plan", "rcpt-451,rcpt-550,rcpt-550", "--password", "hush-hush"]).await;
    let url = format!("smtp://serasi:hush-hush@127.0.0.1:{}", server.port);
    let outbox = Outbox::to(&url).await;
    let id = outbox.add("aina@example.test").await;
    let mut program = Program::start(&outbox, &url, Stdio::piped()).await;
    let mut log = program.0.stderr.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).map(|_| text)
    });
    outbox.until(id, |row| row.last_error.is_some()).await;
    outbox.let_time_pass().await;
    let waking = outbox.add("waking@example.test").await;
    outbox.given_up(id).await;
    outbox.given_up(waking).await;

    program.signal("-TERM");
    assert!(program.0.wait().unwrap().success(), "the program stops cleanly");
    let log = reading.join().unwrap().unwrap();

    assert!(log.contains("gave up on an e-mail") && log.contains(&id.to_string()), "{log}");
    for secret in ["aina", "waking", "428317", "serasi.test/x", "hush-hush"] {
        assert!(!log.contains(secret), "{secret} appears in the log: {log}");
    }
}

#[tokio::test]
async fn security_mails_go_first_and_those_of_other_services_wait() {
    let mut server = SmtpServer::with_plan("").await;
    let mut outbox = Outbox::to(&server.url()).await;
    outbox.config.mail.pace.lanes = 1;
    let notice = json!({ "title": "Raya", "path": "/gigs/1" });
    let notification = outbox.add_with("gig_closed", "3@example.test", notice).await;
    outbox.add("2@example.test").await;
    outbox.add_with("factor_added", "1@example.test", json!({ "path": "/account/security" })).await;

    let worker = outbox.worker();

    for recipient in ["1@example.test", "2@example.test"] {
        assert_eq!(server.next("accepted").await["to"], json!([recipient]));
    }
    worker.stop().await;
    assert_eq!(outbox.mail(notification).await.attempts, 0);
}
