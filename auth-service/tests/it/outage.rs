//! Database outages: silent, gone, restarted, locked, or read-only. Clients are told to retry, and the
//! service recovers.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use test_support::client::Answer;
use test_support::faulty_proxy::Fault;
use test_support::log::Log;

use crate::support::{Auth, PASSWORD, refused, session};

/// The limit from the issue. A test's own deadline is far below it.
const LIMIT: Duration = Duration::from_secs(10);
/// The limit once the service has detected the outage.
const KNOWN_OUTAGE_LIMIT: Duration = Duration::from_secs(2);

#[track_caller]
fn assert_told_to_retry(answer: &Answer) {
    refused(answer, 503, "request_timeout");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// Sends every kind of request, and returns the answers and the time of the slowest.
async fn ask_everything(auth: &Auth, ana: &crate::support::Session) -> (Vec<Answer>, Duration) {
    let began = Instant::now();
    let (sign_in, user, refresh, sign_up) = tokio::join!(
        auth.sign_in("ana@demo.serasi.test", PASSWORD),
        auth.user(ana),
        auth.refresh(&ana.refresh_token),
        auth.sign_up("new@demo.serasi.test", json!({ "user_type": "influencer" })),
    );
    (vec![sign_in, user, refresh, sign_up], began.elapsed())
}

/// Runs the statement with the test database's name in place of `@`, then cuts open connections, which still
/// have the old setting.
async fn reconfigure(auth: &Auth, statement: &str) {
    let name = auth.text("select current_database()::text").await.unwrap();
    // A new connection of the pool may have the setting already.
    let statement = format!("begin read write; {}; commit", statement.replace('@', &name));
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&auth.rows).await.unwrap();
    let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and usename = 'auth_admin'";
    auth.count(kill).await;
}

async fn recovers(auth: &Auth, ana: &crate::support::Session) {
    let began = Instant::now();
    while auth.user(ana).await.status != 200 {
        assert!(began.elapsed() < LIMIT, "the service does not recover");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Every connection of the pools is usable again.
    let users = join_all((0..20).map(|_| auth.user(ana))).await;
    assert!(users.iter().all(|answer| answer.status == 200), "{users:?}");
    let sign_ins = join_all((0..8).map(|_| auth.sign_in("ana@demo.serasi.test", PASSWORD))).await;
    sign_ins.iter().for_each(|answer| drop(session(answer)));
}

#[tokio::test]
async fn requests_time_out_while_the_database_is_silent_and_free_their_connections() {
    let (auth, proxy) = Auth::behind_proxy(&[("DATABASE_STATEMENT_SECONDS", "1")]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    // These requests leave open, recently used connections in the pool.
    let (answers, _) = ask_everything(&auth, &ana).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");

    proxy.set(Fault::BlackHole);
    // More requests than the pool has connections.
    let rounds = tokio::time::timeout(LIMIT, join_all((0..4).map(|_| ask_everything(&auth, &ana)))).await;
    for (answers, _) in rounds.expect("503 within ten seconds") {
        answers.iter().for_each(assert_told_to_retry);
    }
    let (answers, took) = ask_everything(&auth, &ana).await;
    answers.iter().for_each(assert_told_to_retry);
    assert!(took < KNOWN_OUTAGE_LIMIT, "{took:?}");

    proxy.set(Fault::None);
    recovers(&auth, &ana).await;
    assert_eq!(auth.count("select count(*) from auth.users").await, 2);
}

#[tokio::test]
async fn requests_fail_fast_while_the_server_is_down_and_succeed_once_it_is_back() {
    let (auth, proxy) = Auth::behind_proxy(&[]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    proxy.refuse().await;
    for _ in 0..2 {
        let (answers, took) = ask_everything(&auth, &ana).await;
        answers.iter().for_each(assert_told_to_retry);
        assert!(took < KNOWN_OUTAGE_LIMIT, "{took:?}");
    }

    proxy.forward().await;
    recovers(&auth, &ana).await;
}

#[tokio::test]
async fn a_service_that_starts_before_its_database_waits_for_it() {
    let (auth, proxy) = Auth::behind_proxy(&[]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    proxy.refuse().await;

    let auth = auth.restarted().await;

    assert_told_to_retry(&auth.user(&ana).await);
    proxy.forward().await;
    recovers(&auth, &ana).await;
}

#[tokio::test]
async fn requests_survive_connections_that_were_just_cut() {
    let (auth, proxy) = Auth::behind_proxy(&[]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    for _ in 0..3 {
        session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
        proxy.cut();
        session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
        assert_eq!(auth.user(&ana).await.status, 200);
        proxy.cut();
        assert_eq!(auth.user(&ana).await.status, 200);
    }
}

#[tokio::test]
async fn a_locked_row_is_reported_as_a_conflict() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    reconfigure(&auth, "alter role auth_admin in database @ set lock_timeout = '300ms'").await;
    let mut holder = auth.rows.begin().await.unwrap();
    sqlx::query("select 1 from auth.users for update").execute(&mut *holder).await.unwrap();

    let answer = auth.as_owner(&ana).put_json("/user", &json!({ "data": { "name": "Ana" } })).await;

    refused(&answer, 503, "conflict");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

#[tokio::test]
async fn a_read_only_or_full_server_is_a_temporary_failure() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    reconfigure(&auth, "alter database @ set default_transaction_read_only = on").await;
    assert_told_to_retry(&auth.refresh(&ana.refresh_token).await);
    assert_eq!(auth.user(&ana).await.status, 200);

    reconfigure(&auth, "alter database @ connection limit 0").await;
    let began = Instant::now();
    assert_told_to_retry(&auth.user(&ana).await);
    assert!(began.elapsed() < KNOWN_OUTAGE_LIMIT, "{:?}", began.elapsed());

    reconfigure(&auth, "alter database @ connection limit -1").await;
    reconfigure(&auth, "alter database @ reset default_transaction_read_only").await;
    recovers(&auth, &ana).await;
}

#[tokio::test]
async fn a_database_error_is_a_warning_that_names_the_request() {
    let log = Log::listen();
    let (auth, proxy) = Auth::behind_proxy(&[]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    proxy.refuse().await;

    let answer = auth.as_owner(&ana).with_request_ids().get("/user").await;

    assert_told_to_retry(&answer);
    let lines = log.about(answer.request_id());
    assert!(lines.len() == 1 && lines[0].contains(" WARN "), "{}", log.text());
}
