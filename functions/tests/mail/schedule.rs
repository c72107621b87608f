use std::time::Duration;

use platform::admin;
use platform::admin::readiness::Readiness;
use platform::schedule::Schedule;
use sqlx::Executor;
use test_support::client::TestClient;

use crate::notifications::account;
use crate::support::Outbox;

const PERIOD: Duration = Duration::from_millis(20);

/// Adds a notification that belongs in a digest since yesterday.
async fn due(outbox: &Outbox, email: &str) {
    let person = account(outbox, email).await;
    let add = "insert into app.notices (user_id, kind, in_digest, created_at) values ($1, 'gig_closed', true, now() - interval '1 day')";
    sqlx::query(add).bind(person).execute(&outbox.rows).await.unwrap();
}

fn schedule(outbox: &Outbox) -> Schedule {
    Schedule::every(PERIOD, &outbox.config.database("functions schedule"), "app")
}

async fn until(outbox: &Outbox, condition: &str) {
    for _ in 0..3000 {
        if sqlx::query_scalar(sqlx::AssertSqlSafe(condition)).fetch_one(&outbox.rows).await.unwrap() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{condition} does not become true");
}

#[tokio::test]
async fn two_replicas_send_one_digest_and_go_on_after_the_database_dropped_them() {
    let outbox = Outbox::with(&[]).await;
    due(&outbox, "aina@example.test").await;
    let _replicas = (schedule(&outbox), schedule(&outbox));

    until(&outbox, "select count(*) = 1 from serasi.mail_outbox").await;
    let drop = "select count(pg_terminate_backend(pid)) from pg_stat_activity
        where datname = current_database() and application_name = 'functions schedule'";
    let dropped: i64 = sqlx::query_scalar(drop).fetch_one(&outbox.rows).await.unwrap();
    assert!(dropped > 0);
    due(&outbox, "mei@example.test").await;

    until(&outbox, "select count(*) = 2 from serasi.mail_outbox").await;
    let once = "select count(distinct recipient) = 2 and count(*) = 2 from serasi.mail_outbox";
    until(&outbox, once).await;
}

/// Two parts wait for locks that another session holds. They time out, and the others are done all the same.
#[tokio::test]
async fn a_part_that_is_stuck_stops_no_other() {
    let outbox = Outbox::with(&[]).await;
    due(&outbox, "aina@example.test").await;
    outbox
        .rows
        .execute(
            "create table app.held (id integer primary key);
             insert into app.held values (1);
             grant select, update on app.held to serasi_owner;
             create policy everybody on app.held to serasi_owner using (true);
             create function app.locked_part() returns void language plpgsql security definer
               set search_path = '' as $$ begin perform from app.held for update; end $$;
             create function app.endless_part() returns void language plpgsql security definer
               set search_path = '' as $$ begin perform pg_sleep(60); end $$;
             alter function app.locked_part() owner to serasi_owner;
             alter function app.endless_part() owner to serasi_owner;
             create or replace function app.tick_parts() returns text[] language sql immutable
               set search_path = '' as $$ select '{locked_part,endless_part,tick_notifications}'::text[] $$",
        )
        .await
        .unwrap();
    let mut held = outbox.rows.begin().await.unwrap();
    held.execute("select from app.held for update").await.unwrap();

    let schedule = schedule(&outbox);

    until(&outbox, "select count(*) = 1 from serasi.mail_outbox").await;
    let operator = TestClient::new(admin::router(Readiness::new(async || Ok(())), || ()));
    let ready = operator.get("/ready").await;
    assert_eq!(ready.status, 200);
    let text = ready.text();
    assert!(
        text.starts_with("ok\n") && text.contains("locked_part: ") && text.contains("endless_part: "),
        "{text}"
    );
    drop(held);
    schedule.stop().await;
}

#[tokio::test]
async fn a_part_that_fails_is_tried_again() {
    let outbox = Outbox::with(&[]).await;
    let original: String = sqlx::query_scalar("select pg_get_functiondef('app.tick_notifications'::regproc)")
        .fetch_one(&outbox.rows)
        .await
        .unwrap();
    // A sequence keeps its value although the failed transaction is rolled back.
    outbox
        .rows
        .execute(
            "create sequence app.failures;
             grant usage on sequence app.failures to serasi_owner;
             create or replace function app.tick_notifications(at timestamptz default now()) returns void
             language plpgsql security definer set search_path = '' as $$
             begin
               perform nextval('app.failures');
               raise exception 'out of paper';
             end $$",
        )
        .await
        .unwrap();
    due(&outbox, "aina@example.test").await;
    let schedule = schedule(&outbox);

    until(&outbox, "select last_value >= 2 from app.failures").await;
    outbox.rows.execute(sqlx::AssertSqlSafe(original)).await.unwrap();

    until(&outbox, "select count(*) = 1 from serasi.mail_outbox").await;
    schedule.stop().await;
}
