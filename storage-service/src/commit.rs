//! Commits whose answer is lost. The connection can break after PostgreSQL has committed and before it says so:
//! then only the rows tell what happened. Until they do, no blob is removed and no success is reported.

use std::time::Duration;

use platform::database::{Pool, Transaction};
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use uuid::Uuid;

use crate::error::{ApiError, Result};
use crate::store::objects::{self, NewObject, Object};

/// A commit that takes longer has lost its answer.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to look for the outcome: the client is waiting.
const LOOK_TIME: Duration = Duration::from_secs(3);
const LOOK_PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub enum CommitError {
    /// The database says that nothing was kept.
    RolledBack(sqlx::Error),
    /// No answer came; the transaction may be committed, or may still be about to.
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

/// A server that shuts down may say so in place of the answer to a commit that it has already done.
fn is_refusal(error: &sqlx::Error) -> bool {
    let error = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    error.is_some_and(|error| !matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic))
}

/// Commits the removal of these objects. When this returns without an error, no row names their blobs any more.
///
/// # Errors
/// When the rows are still there, or when that can't be found out.
pub async fn removal(pool: &Pool, transaction: Transaction, ids: &[Uuid]) -> Result<()> {
    match commit(transaction).await {
        Ok(()) => Ok(()),
        Err(CommitError::RolledBack(error)) => Err(error.into()),
        Err(CommitError::Unclear(error)) => match look(pool, Question::AnyOf(ids)).await? {
            None => Ok(()),
            Some(_) => Err(error.into()),
        },
    }
}

/// Commits another key for an object.
///
/// # Errors
/// When the object does not have it, or when that can't be found out.
pub async fn renaming(pool: &Pool, transaction: Transaction, renamed: &Object) -> Result<()> {
    match commit(transaction).await {
        Ok(()) => Ok(()),
        Err(CommitError::RolledBack(error)) => Err(error.into()),
        Err(CommitError::Unclear(error)) => {
            let there = look(pool, Question::Renamed(renamed.id)).await?;
            let done =
                there.is_some_and(|there| there.bucket_id == renamed.bucket_id && there.name == renamed.name);
            if done { Ok(()) } else { Err(error.into()) }
        }
    }
}

/// What the rows are asked. Every question waits for the lock that the lost transaction holds, so that its answer
/// is final.
#[derive(Clone, Copy)]
pub enum Question<'a> {
    /// One of these objects that is still there.
    AnyOf(&'a [Uuid]),
    /// The object that was renamed.
    Renamed(Uuid),
    /// The object that was written under a key.
    Written(&'a NewObject<'a>, Uuid),
}

/// Asks again until the database answers or the time is up.
///
/// # Errors
/// [`ApiError::Unclear`] when no answer comes in time.
pub async fn look(pool: &Pool, question: Question<'_>) -> Result<Option<Object>> {
    let looking = async {
        loop {
            match ask(pool, question).await {
                Ok(answer) => return answer,
                Err(error) => tracing::debug!(%error, "the outcome of a commit is still unknown"),
            }
            tokio::time::sleep(LOOK_PAUSE).await;
        }
    };
    tokio::time::timeout(LOOK_TIME, looking).await.map_err(|_| ApiError::Unclear)
}

async fn ask(pool: &Pool, question: Question<'_>) -> Result<Option<Object>> {
    let mut transaction = pool.begin().await?;
    let answer = match question {
        Question::AnyOf(ids) => objects::settled(&mut transaction, ids).await?,
        Question::Renamed(id) => objects::settled(&mut transaction, &[id]).await?,
        Question::Written(object, id) => {
            objects::take_turn(&mut transaction, object.bucket, object.name).await?;
            objects::settled(&mut transaction, &[id]).await?
        }
    };
    transaction.rollback().await?;
    Ok(answer)
}
