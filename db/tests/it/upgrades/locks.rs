//! Other transactions that hold locks.

use std::time::Duration;

use db::{MigrationError, Patience, Release, Text};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::catalog;
use super::releases::{migration, with_migration, with_text};
use crate::support::EmptyDatabase;
use test_support::waiting::eventually;

const BRIEF: Patience =
    Patience { lock_timeout: Duration::from_millis(20), attempts: 3, pause: Duration::from_millis(1) };

#[tokio::test]
async fn an_upgrade_gives_up_when_a_transaction_keeps_its_locks() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let before = catalog::read(&mut connection).await;
    let mut dump = database.connect().await;
    dump.execute("set application_name = 'a long dump'").await.expect("name the program");
    let mut transaction = dump.begin().await.expect("begin");
    transaction.execute("select count(*) from app.gigs").await.expect("read");
    let release = with_migration(migration(9999, "alter table app.gigs add column later bigint"));
    let mut steps = Vec::new();

    let error = db::upgrade_to(&release, &mut connection, BRIEF, |step| steps.push(step.to_owned()))
        .await
        .expect_err("a table that is in use");

    assert!(matches!(error, MigrationError::Busy { attempts: 3, .. }), "{error}");
    assert!(error.to_string().contains("program \"a long dump\""), "{error}");
    let waits: Vec<_> = steps.iter().filter(|step| step.starts_with("waiting")).collect();
    assert_eq!(waits.len(), 3, "{steps:?}");
    assert_eq!(catalog::differences(&before, &catalog::read(&mut connection).await), "");
    // No lock is left.
    transaction.execute("update app.gigs set title = title").await.expect("write");
    transaction.commit().await.expect("commit");
    drop(database);
}

#[tokio::test]
async fn an_upgrade_continues_when_the_transaction_ends() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let mut other = database.connect().await;
    let (waits, mut waited) = tokio::sync::mpsc::unbounded_channel();
    let mut transaction = other.begin().await.expect("begin");
    transaction.execute("select count(*) from app.gigs").await.expect("read");
    let release = with_migration(migration(9999, "alter table app.gigs add column later bigint"));

    let upgrade =
        db::upgrade_to(&release, &mut connection, Patience { attempts: 1000, ..BRIEF }, move |step| {
            let _ = waits.send(step.starts_with("waiting"));
        });
    let end = async {
        while waited.recv().await != Some(true) {}
        transaction.commit().await
    };
    let (upgraded, ended) = tokio::join!(upgrade, end);

    ended.expect("commit");
    upgraded.expect("upgrade");
    drop(database);
}

/// Each of three tables becomes free in time, but not all of them together, while requests queue behind the
/// first.
#[tokio::test]
async fn one_limit_holds_for_all_locks_together() {
    const WAIT: Duration = Duration::from_millis(150);
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let mut watch = database.connect().await;
    let mut others = Vec::new();
    for table in ["app.agencies", "app.gigs", "app.vendors"] {
        let mut other = database.connect().await;
        let lock = format!("begin; lock table {table} in access share mode");
        other.execute(AssertSqlSafe(lock)).await.expect("lock");
        others.push((table, other));
    }
    let release = with_text("backend/functions/maintenance.sql", |sql| format!("{sql}\n-- all files"));
    let patience = Patience { lock_timeout: WAIT * 2, attempts: 100, pause: Duration::from_millis(1) };
    let mut waits = 0;

    let upgrade = db::upgrade_to(&release, &mut connection, patience, |step| {
        waits += u32::from(step.starts_with("waiting"));
    });
    let end = async {
        for (table, mut other) in others {
            eventually("the upgrade waits", async || is_awaited(&mut watch, table).await).await;
            tokio::time::sleep(WAIT).await;
            other.execute("commit").await.expect("commit");
        }
    };
    let (upgraded, ()) = tokio::join!(upgrade, end);

    upgraded.expect("upgrade");
    assert!(waits > 0, "the first attempt held its locks for the time of all three waits");
    drop(database);
}

/// Whether a session waits for a lock on the table.
async fn is_awaited(watch: &mut PgConnection, table: &str) -> bool {
    sqlx::query_scalar("select exists (select from pg_locks where relation = $1::regclass and not granted)")
        .bind(table)
        .fetch_one(watch)
        .await
        .expect("look at the locks")
}

/// A deadlock: the upgrade holds the views and wants the table, a request holds the table and wants a view.
#[tokio::test]
async fn a_deadlock_ends_the_attempt_and_never_the_request() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let mut other = database.connect().await;
    let (waits, mut waited) = tokio::sync::mpsc::unbounded_channel();
    let mut request = other.begin().await.expect("begin");
    request.execute("lock table app.vendors in access share mode").await.expect("lock");
    let release = with_text("backend/functions/maintenance.sql", |sql| format!("{sql}\n-- all files"));

    let upgrade = db::upgrade_to(&release, &mut connection, Patience::default(), move |step| {
        let _ = waits.send(step.to_owned());
    });
    let end = async {
        // Sent right before the upgrade requests its locks.
        waited.recv().await;
        for _ in 0..50 {
            request.execute("select count(*) from public.agencies").await?;
            tokio::task::yield_now().await;
        }
        request.commit().await
    };
    let (upgraded, ended) = tokio::join!(upgrade, end);

    ended.expect("the request");
    upgraded.expect("upgrade");
    drop(database);
}

#[tokio::test]
async fn a_changed_function_waits_for_no_reader_or_writer() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let mut other = database.connect().await;
    let mut transaction = other.begin().await.expect("begin");
    transaction.execute("update app.influencers set name = name").await.expect("write");
    transaction.execute("select count(*) from public.gigs").await.expect("read");
    let mut release = Release::current();
    let text: &mut Text = release
        .texts
        .iter_mut()
        .find(|text| text.file == "marketplace/functions/access.sql")
        .expect("the file");
    text.sql += "-- a remark";

    db::upgrade_to(&release, &mut connection, Patience { attempts: 1, ..BRIEF }, |_| ())
        .await
        .expect("upgrade");

    transaction.rollback().await.expect("rollback");
    drop(database);
}
