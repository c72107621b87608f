//! One step of each kind, while the version before serves requests, and interrupted.

use db::{Patience, Release};
use sqlx::migrate::Migration;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::time::Duration;
use test_support::waiting::eventually;

use super::bridge::DUMP;
use super::catalog;
use super::load::Load;
use super::releases::{migration, with_text};
use crate::support::EmptyDatabase;

/// The longest that a request may wait.
const PATIENCE_OF_A_VISITOR: Duration = Duration::from_secs(1);

fn steps() -> [Migration; 5] {
    let online = |version, sql| Migration { no_tx: true, ..migration(version, sql) };
    [
        migration(
            9001,
            "set local role serasi_owner;
             alter table app.influencers add column tagline text,
               add constraint influencers_tagline check (length(tagline) <= 60) not valid",
        ),
        online(
            9002,
            "create index concurrently if not exists influencers_without_tagline on app.influencers (id) where tagline is null",
        ),
        online(
            9003,
            "update app.influencers set tagline = left(name, 60)
             where id in (select id from app.influencers where tagline is null order by id limit 1000)",
        ),
        online(9004, "drop index concurrently if exists app.influencers_without_tagline"),
        online(9005, "alter table app.influencers validate constraint influencers_tagline"),
    ]
}

fn release(steps: impl IntoIterator<Item = Migration>) -> Release {
    let mut release = Release::current();
    release.migrations.extend(steps);
    release
}

async fn upgrade(connection: &mut PgConnection, release: &Release) {
    db::upgrade_to(release, connection, Patience::default(), |_| ()).await.expect("upgrade");
}

async fn assert_complete(connection: &mut PgConnection) {
    let (profiles, without): (i64, i64) =
        sqlx::query_as("select count(*), count(*) filter (where tagline is distinct from left(name, 60)) from app.influencers")
            .fetch_one(connection)
            .await
            .expect("count");
    assert!(profiles > 0 && without == 0, "{without} of {profiles} profiles have no tagline");
}

/// A database with the demo's rows.
async fn with_rows() -> (EmptyDatabase, PgConnection) {
    let database = EmptyDatabase::restored(DUMP).await;
    let mut connection = database.connect().await;
    db::migrate(&mut connection, |_| ()).await.expect("upgrade to the current release");
    (database, connection)
}

async fn upgrade_under_load(database: &PgConnectOptions) {
    let connection = &mut PgConnection::connect_with(database).await.expect("connect");
    let load = Load::start(database, connection).await;

    upgrade(connection, &release(steps())).await;

    let outcome = load.finish().await;
    assert_eq!(outcome.failures, Vec::<String>::new(), "of {} requests", outcome.requests);
    println!("{} requests, the slowest took {:?}", outcome.requests, outcome.slowest);
    assert!(outcome.slowest < PATIENCE_OF_A_VISITOR, "a request took {:?}", outcome.slowest);
    assert_complete(connection).await;
}

/// FILLED_DATABASE_URL names a database to measure instead, with the rows of `serasi seed`. It keeps the steps.
#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the developer who runs the test sets it")]
async fn the_version_before_serves_requests_during_all_steps() {
    if let Ok(filled) = std::env::var("FILLED_DATABASE_URL") {
        return upgrade_under_load(&filled.parse().expect("a URL")).await;
    }
    let (database, _) = with_rows().await;
    upgrade_under_load(&database.options()).await;
    drop(database);
}

#[tokio::test]
async fn a_new_database_gets_the_same_steps() {
    let (fresh, mut upgraded) = EmptyDatabase::migrated().await;
    upgrade(&mut upgraded, &release(steps())).await;
    let database = EmptyDatabase::new().await;
    let mut connection = database.connect().await;

    upgrade(&mut connection, &release(steps())).await;

    catalog::assert_equal(&mut connection, &mut upgraded).await;
    drop(database);
    drop(fresh);
}

async fn until_it_waits(watch: &mut PgConnection, session: i32) {
    eventually("the step waits", async || {
        sqlx::query_scalar(
            "select exists (select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock')",
        )
        .bind(session)
        .fetch_one(&mut *watch)
        .await
        .expect("look at the session")
    })
    .await;
}

async fn kill_while_it_waits(watch: &mut PgConnection, session: i32) {
    until_it_waits(watch, session).await;
    sqlx::query("select pg_terminate_backend($1)").bind(session).execute(watch).await.expect("kill");
}

#[tokio::test]
async fn a_step_that_was_killed_is_completed_by_the_next_start() {
    let (reference, mut complete) = with_rows().await;
    upgrade(&mut complete, &release(steps())).await;
    let patient = Patience { lock_timeout: Duration::from_secs(30), ..Patience::default() };
    for (number, lock) in [
        "lock table app.influencers in access share mode",
        "select id from app.influencers for update",
        "update app.influencers set name = name",
        "lock table app.influencers in access share mode",
        "lock table app.influencers in share update exclusive mode",
    ]
    .into_iter()
    .enumerate()
    {
        let (database, mut connection) = with_rows().await;
        upgrade(&mut connection, &release(steps().into_iter().take(number))).await;
        let mut other = database.connect().await;
        other.execute(AssertSqlSafe(format!("begin; {lock}"))).await.expect("hold a lock");
        let mut watch = database.connect().await;
        let session: i32 =
            sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut connection).await.expect("ask");

        let all = release(steps());
        let (killed, ()) = tokio::join!(
            db::upgrade_to(&all, &mut connection, patient, |_| ()),
            kill_while_it_waits(&mut watch, session)
        );
        killed.expect_err("a killed session");
        other.execute("rollback").await.expect("end the transaction");
        let mut next = database.connect().await;
        upgrade(&mut next, &all).await;

        assert_complete(&mut next).await;
        catalog::assert_equal(&mut next, &mut complete).await;
        drop(database);
    }
    drop(reference);
}

#[tokio::test]
async fn an_operators_index_of_between_is_kept() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    upgrade(&mut connection, &release(steps().into_iter().take(1))).await;
    connection.execute("create index operators on app.influencers (tagline)").await.expect("an own index");
    let mut all = release(steps());
    all.migrations.push(migration(9006, "drop index app.operators"));

    let error = db::upgrade_to(&all, &mut connection, Patience::default(), |_| ()).await.expect_err("a loss");

    assert!(error.to_string().contains("index app.operators on app.influencers"), "{error}");
    all.migrations.pop();
    all.migrations.push(migration(9007, "alter table app.influencers drop constraint influencers_tagline"));
    upgrade(&mut connection, &all).await;
    drop(database);
}

#[tokio::test]
async fn what_an_operator_changes_during_an_online_step_stays_so() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute("create index soon_dropped on app.gigs (budget)").await.expect("an own index");
    upgrade(&mut connection, &release(steps().into_iter().take(4))).await;
    let mut other = database.connect().await;
    other.execute("begin; lock table app.influencers in share update exclusive mode").await.expect("lock");
    let mut watch = database.connect().await;
    let session: i32 =
        sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut connection).await.expect("ask");

    let all = release(steps());
    let (upgraded, ()) =
        tokio::join!(db::upgrade_to(&all, &mut connection, Patience::default(), |_| ()), async {
            until_it_waits(&mut watch, session).await;
            let own = "create policy \"the crm reads\" on app.gigs for select to pg_monitor using (true);
                       drop index app.soon_dropped";
            watch.execute(own).await.expect("what the operator does");
            other.execute("rollback").await.expect("end the transaction");
        });
    upgraded.expect("upgrade");
    // When this file changes, all files are applied.
    let mut again = with_text("backend/functions/maintenance.sql", |sql| format!("{sql}\n-- a remark"));
    again.migrations.extend(steps());
    upgrade(&mut connection, &again).await;

    let kept: i64 = sqlx::query_scalar("select count(*) from pg_policy where polname = 'the crm reads'")
        .fetch_one(&mut connection)
        .await
        .expect("query");
    assert_eq!(kept, 1);
    drop(database);
}
