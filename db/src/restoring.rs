//! Marks a database as incomplete during a restore. The operator's tables are restored in a second transaction, and the database
//! must not be used before that.

use sqlx::PgConnection;

use crate::bookkeeping;
use crate::release::Release;

/// Stored instead of the hash of a release.
pub(crate) const RESTORING: &str = "restoring";

/// Marks the migrated database as incomplete, so that [`crate::migrate`] rejects it.
///
/// # Errors
/// When the statement fails.
pub async fn begin_restore(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    set(connection, RESTORING).await
}

/// Removes the mark.
///
/// # Errors
/// When the statement fails.
pub async fn end_restore(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let contents = bookkeeping::contents(&mut *connection).await?.unwrap_or_default();
    set(connection, &Release::with(contents).hash()).await
}

/// Whether the database is marked as incomplete.
///
/// # Errors
/// When the query fails.
pub async fn is_restoring(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    Ok(bookkeeping::applied_hash(connection).await?.as_deref() == Some(RESTORING))
}

async fn set(connection: &mut PgConnection, hash: &str) -> Result<(), sqlx::Error> {
    sqlx::query("update migration.version set hash = $1").bind(hash).execute(connection).await.map(drop)
}
