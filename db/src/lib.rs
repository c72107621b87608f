//! The source of truth for who may do what: numbered migrations for tables, and functions, views and
//! policies that are re-applied whenever their text changes. See README.md for the rules.

mod seed;
mod sql;

use sha2::{Digest, Sha256};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{Connection, PgConnection};

pub use seed::{BULK_SEED, DEMO_SEED, demo_images};

/// Starters that migrate the same database at the same time take turns at this advisory lock.
const MIGRATION_LOCK: i64 = 0x5e7a_5100;

/// As often as this another database of the cluster may change a role that a migration changes.
const MOST_MEETINGS: usize = 20;

#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error("a migration failed: {0}")]
    Migration(#[from] MigrateError),
    #[error("the database refused: {0}")]
    Database(#[from] sqlx::Error),
}

/// Brings the database to this version, as a superuser. Idempotent, and quick when there is nothing to do.
///
/// # Errors
/// When a statement fails or a released migration was edited. What had begun is rolled back.
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
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql(
        "set local client_min_messages = warning; set local search_path = ''; set local role serasi_owner",
    )
    .execute(&mut *transaction)
    .await?;
    for (_, text) in sql::REAPPLIED {
        sqlx::raw_sql(*text).execute(&mut *transaction).await?;
    }
    sqlx::raw_sql("reset role; notify pgrst, 'reload schema'; delete from migration.version")
        .execute(&mut *transaction)
        .await?;
    sqlx::query("insert into migration.version (hash) values ($1)")
        .bind(version())
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// Roles belong to the whole cluster, and a lock holds within one database: another database that sets the same
/// role's settings makes the later of the two fail. It has waited for the other by then, and was rolled back, so it
/// goes on where it stopped.
async fn migrate_tables(connection: &mut PgConnection) -> Result<(), MigrateError> {
    let migrator = migrator();
    let mut meetings = 0;
    loop {
        match migrator.run(&mut *connection).await {
            Err(error) if meetings < MOST_MEETINGS && met_another_database(&error) => meetings += 1,
            outcome => return outcome,
        }
    }
}

fn met_another_database(error: &MigrateError) -> bool {
    // The code, "internal error", says too little.
    matches!(error, MigrateError::ExecuteMigration(error, _)
        if error.as_database_error().is_some_and(|error| error.message() == "tuple concurrently updated"))
}

/// The migrations' book-keeping lies in a schema of its own: in `public` the API would show it.
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

/// Names everything that [`migrate`] applies: equal versions make equal databases.
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

/// Whether nobody has an account yet.
///
/// # Errors
/// When the database can't be asked.
pub async fn is_empty(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select not exists (select from auth.users)").fetch_one(connection).await
}
