//! Marks a database whose restore is not complete. The operator's own tables are restored in a second transaction, and nobody
//! may use the database before that.

use sqlx::PgConnection;

use crate::bookkeeping;
use crate::release::Release;

/// In place of the hash of a release.
pub(crate) const RESTORING: &str = "restoring";

/// Marks the migrated database of this transaction: [`crate::migrate`] refuses it from then on.
///
/// # Errors
/// When the statement fails.
pub async fn begin_restore(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    set(connection, RESTORING).await
}

/// Takes the mark away.
///
/// # Errors
/// When the statement fails.
pub async fn end_restore(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    set(connection, &Release::current().hash()).await
}

/// Whether a restore has begun and not ended.
///
/// # Errors
/// When the query fails.
pub async fn is_restoring(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    Ok(bookkeeping::applied_hash(connection).await?.as_deref() == Some(RESTORING))
}

async fn set(connection: &mut PgConnection, hash: &str) -> Result<(), sqlx::Error> {
    sqlx::query("update migration.version set hash = $1").bind(hash).execute(connection).await.map(drop)
}
