//! Resolves commits without a response. The connection can break after PostgreSQL has committed but before it
//! says so; then only the rows show the outcome. Until it is known, no blob is removed and no success is
//! reported.

use std::time::Duration;

use platform::database::{Pool, Transaction};
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use uuid::Uuid;

use crate::error::{ApiError, Result};
use crate::store::objects::{self, Object};

/// A commit that takes longer counts as unanswered.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to query for the outcome while the client waits.
const OUTCOME_TIMEOUT: Duration = Duration::from_secs(3);
const RETRY_DELAY: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub enum CommitError {
    /// The database rejected the commit.
    RolledBack(sqlx::Error),
    /// The database did not answer: the transaction may have been committed, or may still be.
    Unclear(sqlx::Error),
}

pub async fn commit(transaction: Transaction) -> std::result::Result<(), CommitError> {
    match tokio::time::timeout(COMMIT_TIMEOUT, transaction.commit()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) if is_refusal(&error) => Err(CommitError::RolledBack(error)),
        Ok(Err(error)) => Err(CommitError::Unclear(error)),
        Err(late) => Err(CommitError::Unclear(sqlx::Error::Io(late.into()))),
    }
}

/// A server that shuts down may report that instead of the result of a commit it has already made.
fn is_refusal(error: &sqlx::Error) -> bool {
    let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    error.is_some_and(|error| !matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// Commits the removal of these objects. On success, no row refers to their blobs any more.
///
/// # Errors
/// Fails when the rows still exist, or when that can't be determined.
pub async fn removal(pool: &Pool, transaction: Transaction, ids: &[Uuid]) -> Result<()> {
    commit_if(pool, transaction, ids, |there| there.is_none()).await
}

/// Commits the new key of an object.
///
/// # Errors
/// Fails when the object does not have the new key, or when that can't be determined.
pub async fn renaming(pool: &Pool, transaction: Transaction, renamed: &Object) -> Result<()> {
    let has_key = |there: &Object| there.bucket_id == renamed.bucket_id && there.name == renamed.name;
    commit_if(pool, transaction, &[renamed.id], |there| there.is_some_and(has_key)).await
}

/// Commits. Without an answer, what is found of these objects shows whether it was done.
async fn commit_if(
    pool: &Pool,
    transaction: Transaction,
    ids: &[Uuid],
    is_done: impl FnOnce(Option<&Object>) -> bool,
) -> Result<()> {
    let error = match commit(transaction).await {
        Ok(()) => return Ok(()),
        Err(CommitError::RolledBack(error)) => return Err(error.into()),
        Err(CommitError::Unclear(error)) => error,
    };
    let there = find_outcome(pool, None, ids).await?;
    if is_done(there.as_ref()) { Ok(()) } else { Err(error.into()) }
}

/// Finds one of these objects after an unanswered commit. Each query waits for the locks of the lost transaction, including that
/// of the `key` it wrote, so its result is final. Retries until the database answers or the time is up.
///
/// # Errors
/// [`ApiError::Unclear`] when the database does not answer in time.
pub async fn find_outcome(pool: &Pool, key: Option<(&str, &str)>, ids: &[Uuid]) -> Result<Option<Object>> {
    let querying = async {
        loop {
            match query_outcome(pool, key, ids).await {
                Ok(answer) => return answer,
                Err(error) => tracing::debug!(%error, "the outcome of a commit is still unknown"),
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    };
    tokio::time::timeout(OUTCOME_TIMEOUT, querying).await.map_err(|_| ApiError::Unclear)
}

async fn query_outcome(pool: &Pool, key: Option<(&str, &str)>, ids: &[Uuid]) -> Result<Option<Object>> {
    let mut transaction = pool.begin().await?;
    if let Some((bucket, name)) = key {
        objects::lock_key(&mut transaction, bucket, name).await?;
    }
    let answer = objects::settled(&mut transaction, ids).await?;
    transaction.rollback().await?;
    Ok(answer)
}
