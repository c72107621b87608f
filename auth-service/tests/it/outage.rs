//! The database is silent, gone, restarted, locked or read-only: clients are told to come again, and it goes on.

use std::time::{Duration, Instant};

use futures::future::join_all;
use platform::testing::client::Answer;
use platform::testing::faulty_proxy::Fault;
use serde_json::json;

use crate::support::{Auth, PASSWORD, refused, session};

/// What the issue asks for; a test's own deadline is far below.
const LONGEST: Duration = Duration::from_secs(10);
/// The same once the outage is known.
const LONGEST_KNOWN: Duration = Duration::from_secs(2);

#[track_caller]
fn told_to_come_again(answer: &Answer) {
    refused(answer, 503, "request_timeout");
    assert_eq!(answer.header("retry-after"), Some("1"));
}

/// The answers of every kind of request, and how long the slowest took.
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

/// `@` is the test's database. What is connected is cut off, as it has the old setting.
async fn reconfigure(auth: &Auth, statement: &str) {
    let name = auth.text("select current_database()::text").await.unwrap();
    let statement = statement.replace('@', &name);
    sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&auth.rows).await.unwrap();
    let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and usename = 'auth_admin'";
    auth.count(kill).await;
}

async fn recovers(auth: &Auth, ana: &crate::support::Session) {
    let began = Instant::now();
    while auth.user(ana).await.status != 200 {
        assert!(began.elapsed() < LONGEST, "it does not recover");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Every place in the pools is back.
    let users = join_all((0..20).map(|_| auth.user(ana))).await;
    assert!(users.iter().all(|answer| answer.status == 200), "{users:?}");
    let sign_ins = join_all((0..8).map(|_| auth.sign_in("ana@demo.serasi.test", PASSWORD))).await;
    sign_ins.iter().for_each(|answer| drop(session(answer)));
}

#[tokio::test]
async fn a_silent_database_is_answered_in_time_and_holds_no_connection() {
    let (auth, proxy) = Auth::behind_proxy(&[("DATABASE_STATEMENT_SECONDS", "1")]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    // Connections are open and were used a moment ago.
    let (answers, _) = ask_everything(&auth, &ana).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");

    proxy.set(Fault::BlackHole);
    // More than the pool has connections.
    let rounds = tokio::time::timeout(LONGEST, join_all((0..4).map(|_| ask_everything(&auth, &ana)))).await;
    for (answers, _) in rounds.expect("503 within ten seconds") {
        answers.iter().for_each(told_to_come_again);
    }
    let (answers, took) = ask_everything(&auth, &ana).await;
    answers.iter().for_each(told_to_come_again);
    assert!(took < LONGEST_KNOWN, "{took:?}");

    proxy.set(Fault::None);
    recovers(&auth, &ana).await;
    assert_eq!(auth.count("select count(*) from auth.users").await, 2);
}

#[tokio::test]
async fn a_server_that_is_down_is_told_at_once_and_found_when_it_is_back() {
    let (auth, proxy) = Auth::behind_proxy(&[]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    proxy.refuse().await;
    for _ in 0..2 {
        let (answers, took) = ask_everything(&auth, &ana).await;
        answers.iter().for_each(told_to_come_again);
        assert!(took < LONGEST_KNOWN, "{took:?}");
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

    told_to_come_again(&auth.user(&ana).await);
    proxy.forward().await;
    recovers(&auth, &ana).await;
}

#[tokio::test]
async fn connections_that_were_just_cut_fail_nobody() {
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
async fn a_row_that_somebody_holds_is_told_as_such() {
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
async fn a_server_that_takes_no_writes_or_no_connections_is_temporary() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    reconfigure(&auth, "alter database @ set default_transaction_read_only = on").await;
    told_to_come_again(&auth.refresh(&ana.refresh_token).await);
    assert_eq!(auth.user(&ana).await.status, 200);

    reconfigure(&auth, "alter database @ connection limit 0").await;
    told_to_come_again(&auth.user(&ana).await);

    reconfigure(&auth, "alter database @ connection limit -1").await;
    reconfigure(&auth, "alter database @ reset default_transaction_read_only").await;
    recovers(&auth, &ana).await;
}
