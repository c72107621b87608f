//! An older program on a newer database.

use db::{MigrationError, Patience, Release, Text};
use sqlx::PgConnection;

use super::catalog;
use super::releases::{migration, with_migration};
use crate::support::EmptyDatabase;

async fn refused(older: &Release, newer: &Release, connection: &mut PgConnection) -> String {
    db::upgrade_to(newer, connection, Patience::default(), |_| ()).await.expect("the newer version");
    let before = catalog::read(connection).await;

    let refused = db::upgrade_to(older, connection, Patience::default(), |_| ()).await;

    assert_eq!(catalog::differences(&before, &catalog::read(connection).await), "");
    let error = refused.expect_err("an older program");
    assert!(matches!(error, MigrationError::NewerDatabase { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_program_without_the_last_migration_is_refused() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let newer = with_migration(migration(9999, "create table app.later (id bigint)"));

    let message = refused(&Release::current(), &newer, &mut connection).await;

    assert!(message.starts_with("the database is of a newer version (migration 9999), "), "{message}");
    assert!(message.ends_with("or restore a backup from before the upgrade"), "{message}");
    assert!(!message.contains('\n'), "{message}");
    drop(database);
}

#[tokio::test]
async fn a_program_with_older_functions_only_is_refused() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let older = Release { number: "1.9.0".to_owned(), ..Release::current() };
    let mut newer = Release { number: "1.10.0".to_owned(), ..Release::current() };
    newer.texts.push(Text { file: "functions/later.sql".into(), sql: "select 1".into() });

    let message = refused(&older, &newer, &mut connection).await;

    assert!(message.starts_with("the database is of version 1.10.0 (migration "), "{message}");
    assert!(message.contains("this program is version 1.9.0 (migration "), "{message}");
    drop(database);
}
