//! The source of truth for who may do what: numbered migrations for tables, and functions, views, and
//! policies that are re-applied whenever their text changes. See README.md for the rules.

mod seed;
mod sql;

use std::path::Path;

use sha2::{Digest, Sha256};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

pub use seed::{BULK_SEED, DEMO_SEED, demo_images};

/// The advisory lock that keeps two programs from migrating the same database at the same time.
const MIGRATION_LOCK: i64 = 0x5e7a_5100;

/// How often a migration retries after another database of the cluster changed the same role.
const MAX_ROLE_RETRIES: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error("a migration failed: {0}")]
    Migration(#[from] MigrateError),
    #[error("the database rejected a statement: {0}")]
    Database(#[from] sqlx::Error),
    #[error("{file}: {error}")]
    File { file: &'static str, error: sqlx::Error },
    #[error("{file} can't be read: {error}")]
    Unreadable { file: &'static str, error: std::io::Error },
}

/// Migrates the database to this version, as a superuser. Idempotent, and fast when there is nothing to do.
///
/// # Errors
/// When a statement fails or a released migration was edited. The unfinished step is rolled back.
pub async fn migrate(
    connection: &mut PgConnection,
    mut progress: impl FnMut(&str),
) -> Result<(), MigrationError> {
    sqlx::query("select pg_advisory_lock($1)").bind(MIGRATION_LOCK).execute(&mut *connection).await?;
    let applied = apply(connection, &mut progress).await;
    let unlocked =
        sqlx::query("select pg_advisory_unlock($1)").bind(MIGRATION_LOCK).execute(connection).await;
    applied?;
    unlocked?;
    Ok(())
}

async fn apply(connection: &mut PgConnection, progress: &mut impl FnMut(&str)) -> Result<(), MigrationError> {
    if applied_version(connection).await?.as_deref() == Some(version().as_str()) {
        return Ok(());
    }
    progress("migrating tables");
    migrate_tables(connection).await?;

    progress("applying functions, views and policies");
    reapply(connection, sql::REAPPLIED.iter().copied(), &version()).await
}

/// Applies the functions, views and policies as they are in `folder` now, in one transaction. For development:
/// a program embeds the texts that it was built with, and applies those again when it starts.
///
/// # Errors
/// When a file can't be read, or a statement fails: the message names the file.
pub async fn reapply_from(connection: &mut PgConnection, folder: &Path) -> Result<(), MigrationError> {
    let read = |(name, _): &(&'static str, _)| match std::fs::read_to_string(folder.join(name)) {
        Ok(text) => Ok((*name, text)),
        Err(error) => Err(MigrationError::Unreadable { file: name, error }),
    };
    let texts: Vec<_> = sql::REAPPLIED.iter().map(read).collect::<Result<_, _>>()?;
    let texts = texts.iter().map(|(name, text)| (*name, text.as_str()));
    reapply(connection, texts, "changed during development").await
}

async fn reapply<'a>(
    connection: &mut PgConnection,
    texts: impl Iterator<Item = (&'static str, &'a str)>,
    version: &str,
) -> Result<(), MigrationError> {
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql(
        "set local client_min_messages = warning; set local search_path = ''; set local role serasi_owner",
    )
    .execute(&mut *transaction)
    .await?;
    for (file, text) in texts {
        let applied = sqlx::raw_sql(AssertSqlSafe(text.to_owned())).execute(&mut *transaction).await;
        applied.map_err(|error| MigrationError::File { file, error })?;
    }
    sqlx::raw_sql("reset role; notify pgrst, 'reload schema'; delete from migration.version")
        .execute(&mut *transaction)
        .await?;
    sqlx::query("insert into migration.version (hash) values ($1)")
        .bind(version)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Roles belong to the whole cluster, but a lock holds only within one database. If another database changes
/// the same role at the same time, the later statement waits and then fails. Its migration is rolled back, so
/// that the next run continues there.
async fn migrate_tables(connection: &mut PgConnection) -> Result<(), MigrateError> {
    let migrator = migrator();
    let mut retries = 0;
    loop {
        match migrator.run(&mut *connection).await {
            Err(error) if retries < MAX_ROLE_RETRIES && is_concurrent_role_change(&error) => retries += 1,
            outcome => return outcome,
        }
    }
}

fn is_concurrent_role_change(error: &MigrateError) -> bool {
    // The error's code, "internal error", is not specific enough.
    matches!(error, MigrateError::ExecuteMigration(error, _)
        if error.as_database_error().is_some_and(|error| error.message() == "tuple concurrently updated"))
}

/// The migration tables have their own schema, because the API would show them in `public`.
fn migrator() -> Migrator {
    let mut migrator = sqlx::migrate!("./migrations");
    migrator.dangerous_set_table_name("migration.applied");
    migrator.set_locking(false);
    migrator
}

async fn applied_version(connection: &mut PgConnection) -> Result<Option<String>, sqlx::Error> {
    let known: bool = sqlx::query_scalar("select to_regclass('migration.version') is not null")
        .fetch_one(&mut *connection)
        .await?;
    if !known {
        sqlx::raw_sql(
            "create schema if not exists migration;
             create table if not exists migration.version (hash text not null, applied_at timestamptz not null default now())",
        )
        .execute(&mut *connection)
        .await?;
    }
    sqlx::query_scalar("select hash from migration.version").fetch_optional(connection).await
}

/// A hash of everything that [`migrate`] applies: equal versions produce equal databases.
#[must_use]
pub fn version() -> String {
    let mut hash = Sha256::new();
    for migration in sqlx::migrate!("./migrations").iter() {
        hash.update(&migration.checksum);
    }
    for (name, text) in sql::REAPPLIED {
        hash.update(name);
        hash.update(text);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the database has no accounts yet.
///
/// # Errors
/// When the query fails.
pub async fn is_empty(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select not exists (select from auth.users)").fetch_one(connection).await
}
