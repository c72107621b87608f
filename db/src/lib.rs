//! The source of truth for who may do what: tables by subject, numbered steps that change them, and functions, views, and
//! policies that are re-applied whenever their text changes. See README.md for the rules.

mod bookkeeping;
mod bridge;
mod catalog;
mod error;
mod kept;
mod managed;
mod objects;
mod pending;
mod release;
mod restoring;
mod seed;
mod snapshot;
mod sql;
mod steps;
mod upgrade;

use std::path::Path;
use std::time::Duration;

use sqlx::migrate::Migration;
use sqlx::{Connection, Executor, PgConnection};

pub use bookkeeping::contents;
pub use error::{MigrationError, Result};
pub use managed::lock_roles;
pub use release::{BASELINE, Contents, Release, Text};
pub use restoring::{begin_restore, end_restore, is_restoring};
pub use seed::{BULK_SEED, DEMO_SEED, demo_images};
pub use snapshot::{SNAPSHOT, difference, snapshot};

use upgrade::{Scope, Upgrade};

/// The advisory lock that keeps two programs from migrating the same database at the same time.
const MIGRATION_LOCK: i64 = 0x5e7a_5100;

/// How an upgrade waits for the locks of other transactions.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// How long one attempt waits. Requests queue behind it for that time. Shorter than PostgreSQL's deadlock_timeout,
    /// so that a deadlock ends the attempt and never a request.
    pub lock_timeout: Duration,
    pub attempts: u32,
    /// The pause after the first attempt. Each pause is twice as long as the last one, up to five seconds.
    pub pause: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { lock_timeout: Duration::from_millis(500), attempts: 30, pause: Duration::from_millis(100) }
    }
}

/// Connects as the operator, and resolves names in `pg_catalog` only: with `public` in the path, a function there that fits the
/// arguments better is called instead of PostgreSQL's. `platform` does the same for the services.
///
/// # Errors
/// When the server is unreachable or rejects the connection.
pub async fn connect(url: &str) -> Result<PgConnection, sqlx::Error> {
    let mut connection = PgConnection::connect(url).await?;
    connection.execute("set search_path = pg_catalog, pg_temp").await?;
    Ok(connection)
}

/// Migrates the database to this version, with the marketplace.
///
/// # Errors
/// See [`migrate_with`].
pub async fn migrate(connection: &mut PgConnection, progress: impl FnMut(&str)) -> Result {
    migrate_with(Contents::Marketplace, connection, progress).await
}

/// Migrates the database to this version, as a superuser or the owner of the database. Idempotent, and fast when there is nothing to do.
///
/// # Errors
/// When a statement fails, a released migration was edited, the database is newer than this program or has other contents, or other
/// transactions keep their locks. In these cases, nothing has changed.
pub async fn migrate_with(
    contents: Contents,
    connection: &mut PgConnection,
    progress: impl FnMut(&str),
) -> Result {
    upgrade_to(&Release::with(contents), connection, Patience::default(), progress).await
}

/// Like [`migrate`], to any release.
///
/// # Errors
/// See [`migrate`].
pub async fn upgrade_to(
    release: &Release,
    connection: &mut PgConnection,
    patience: Patience,
    progress: impl FnMut(&str),
) -> Result {
    run(release, Scope::Release, connection, patience, progress).await
}

/// Applies the functions, views and policies that changed in `folder`, in one transaction. For development:
/// a program embeds the texts that it was built with, and applies those again when it starts.
///
/// # Errors
/// When a file can't be read, or a statement fails: the message names the file.
pub async fn reapply_from(connection: &mut PgConnection, folder: &Path) -> Result {
    let contents = contents(connection).await?.unwrap_or_default();
    let release = Release::with_texts_from(contents, folder)?;
    run(&release, Scope::Texts, connection, Patience::default(), |_| ()).await
}

/// Creates the tables of a database that had only the first of our migrations, to load its rows from a backup.
/// [`migrate_with`] then upgrades them. Takes the lock of migrations until the connection is closed.
///
/// # Errors
/// See [`migrate_with`].
pub async fn create_tables_with(
    contents: Contents,
    connection: &mut PgConnection,
    last_migration: i64,
) -> Result {
    sqlx::query("select pg_catalog.pg_advisory_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *connection)
        .await?;
    let mut release = Release::with(contents);
    release.migrations.retain(|migration| migration.version <= last_migration);
    run(&release, Scope::Tables, connection, Patience::default(), |_| ()).await
}

async fn run(
    release: &Release,
    scope: Scope,
    connection: &mut PgConnection,
    patience: Patience,
    mut progress: impl FnMut(&str),
) -> Result {
    sqlx::query("select pg_catalog.pg_advisory_lock($1)")
        .bind(MIGRATION_LOCK)
        .execute(&mut *connection)
        .await?;
    let upgrade = Upgrade { release, scope, lock_timeout: patience.lock_timeout };
    let applied = with_retries(&upgrade, connection, patience, &mut progress).await;
    let unlocked = sqlx::query("select pg_catalog.pg_advisory_unlock($1)")
        .bind(MIGRATION_LOCK)
        .execute(connection)
        .await;
    applied?;
    unlocked?;
    Ok(())
}

async fn with_retries(
    upgrade: &Upgrade<'_>,
    connection: &mut PgConnection,
    patience: Patience,
    progress: &mut impl FnMut(&str),
) -> Result {
    match bookkeeping::applied_hash(connection).await?.as_deref() {
        Some(restoring::RESTORING) => return Err(MigrationError::Restoring),
        Some(hash) if hash == upgrade.release.hash() => return Ok(()),
        _ => (),
    }
    for step in upgrade.pending_steps(connection).await? {
        retried(upgrade, Some(step), connection, patience, progress).await?;
    }
    retried(upgrade, None, connection, patience, progress).await
}

/// Applies a step, or functions, views and policies.
async fn retried(
    upgrade: &Upgrade<'_>,
    step: Option<&Migration>,
    connection: &mut PgConnection,
    patience: Patience,
    progress: &mut impl FnMut(&str),
) -> Result {
    let mut pause = patience.pause;
    for attempt in 1..=patience.attempts {
        let attempted = match step {
            Some(step) => upgrade.apply_step(connection, step, progress).await,
            None => upgrade.attempt(connection, progress).await,
        };
        match attempted {
            Err(error) if error.is_temporary() => {
                progress(&format!(
                    "waiting for other transactions (attempt {attempt} of {})",
                    patience.attempts
                ));
            }
            outcome => return outcome,
        }
        if attempt < patience.attempts {
            // No lock is held during the pause, so that requests can proceed.
            sqlx::query("select pg_catalog.pg_sleep($1)")
                .bind(pause.as_secs_f64())
                .execute(&mut *connection)
                .await?;
            pause = (pause * 2).min(Duration::from_secs(5));
        }
    }
    let holder = oldest_transaction(connection).await?;
    Err(MigrationError::Busy { attempts: patience.attempts, holder })
}

/// Describes the transaction that most probably holds the locks.
async fn oldest_transaction(connection: &mut PgConnection) -> Result<String, sqlx::Error> {
    let oldest: Option<String> = sqlx::query_scalar(
        "select pg_catalog.format('; the oldest is of process %s, user %s, program \"%s\", and began at %s',
           pid::text, usename::text, application_name, pg_catalog.date_trunc('second', xact_start)::text)
         from pg_catalog.pg_stat_activity
         where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid() and xact_start is not null
         order by xact_start limit 1",
    )
    .fetch_optional(connection)
    .await?;
    Ok(oldest.unwrap_or_default())
}

/// A hash of everything that [`migrate`] applies: equal versions produce equal databases.
#[must_use]
pub fn version() -> String {
    Release::current().hash()
}

/// Whether the database has no accounts yet.
///
/// # Errors
/// When the query fails.
pub async fn is_empty(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("select not exists (select from auth.users)").fetch_one(connection).await
}
