//! Runs statements. No other module uses a connection.
//!
//! All statements of a request are sent with one sync: begin, settings, statement, end. PostgreSQL runs them up
//! to the first error and skips the rest, so nothing runs outside the rights that the settings give. Reads need
//! no begin and end: without them the statements up to the sync are one transaction.

mod batch;
pub mod error;
mod outcome;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytes::Bytes;

use crate::admission::Permit;
use crate::pool::error::DatabaseError;
use crate::pool::{Lease, Pool};
use crate::query::fragment::{Param, Sql};
use crate::wire::error::WireError;
use batch::{Batch, Ending};
use error::{CheckError, ExecuteError};

/// Everything a request needs from the database.
#[derive(Debug)]
pub struct Job {
    /// The role that the settings choose.
    pub role: Arc<str>,
    /// Begins an explicit transaction. Reads need none.
    pub begin: Option<String>,
    pub settings: Sql,
    pub pre_request: Option<String>,
    pub statement: Statement,
    pub estimate: Option<Statement>,
    /// The result is the text of an `EXPLAIN` plan.
    pub explains: bool,
    pub rolls_back: bool,
    /// Nothing is changed, so the job may be repeated.
    pub reads_only: bool,
    pub authenticated: bool,
    /// Statements that were prepared for an earlier generation of the schema cache are prepared again.
    pub schema_generation: u64,
}

/// SQL text that is shared by all requests of a shape, and the values of one of them.
#[derive(Debug, Clone)]
pub struct Statement {
    pub text: Arc<str>,
    pub params: Vec<Param>,
}

impl From<Sql> for Statement {
    fn from(sql: Sql) -> Self {
        Self { text: sql.text.into(), params: sql.params }
    }
}

#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of rows without the limit, if they were counted.
    pub total: Option<i64>,
    /// Number of rows in the body, or changed rows.
    pub rows: i64,
    pub location: Vec<String>,
    pub body: Bytes,
    /// JSON from the setting `response.headers`.
    pub headers: Option<String>,
    pub status: Option<String>,
    pub inserted: Option<i32>,
    pub planned_total: Option<i64>,
}

/// Decides whether the transaction commits. On an error it rolls back.
pub type Check<'a> = &'a (dyn Fn(&Outcome) -> Result<(), CheckError> + Sync);

/// Runs a job in one round trip, or in two if a check has to decide how the transaction ends. Holds the permit
/// until the connection is free again. If the connection is lost before anything was committed, the job is
/// retried once on another one.
///
/// # Errors
/// When the database returns an error or is unreachable, or when the check fails.
pub async fn run(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, ExecuteError> {
    match run_once(pool, job, check, permit.clone()).await {
        Err(RunFailure { may_retry: true, .. }) => {
            run_once(pool, job, check, permit).await.map_err(|failure| failure.error)
        }
        result => result.map_err(|failure| failure.error),
    }
}

struct RunFailure {
    error: ExecuteError,
    /// Nothing was done, and another connection or a new statement may succeed.
    may_retry: bool,
}

impl<E: Into<ExecuteError>> From<E> for RunFailure {
    fn from(error: E) -> Self {
        Self { error: error.into(), may_retry: false }
    }
}

async fn run_once(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, RunFailure> {
    let mut lease = pool.lease(Some(&job.role), permit).await?;
    let ending = match check {
        Some(_) => Ending::Open,
        None if job.rolls_back => Ending::Rollback,
        None => Ending::Commit,
    };
    let outcome = match Batch::new(pool, job, ending).run(&mut lease).await {
        Ok(outcome) => outcome,
        Err(error) => return Err(failed(pool, lease, job, error, ending == Ending::Open).await),
    };
    let Some(check) = check else {
        lease.release(Some(&job.role));
        return Ok(outcome);
    };
    let verdict = check(&outcome);
    let ending = match verdict {
        Ok(()) if !job.rolls_back => Ending::Commit,
        _ => Ending::Rollback,
    };
    if let Err(error) = batch::end(pool, job, &mut lease, ending).await {
        verdict?;
        // The commit may or may not have happened.
        return Err(failed(pool, lease, job, error, false).await);
    }
    lease.release(Some(&job.role));
    verdict?;
    Ok(outcome)
}

/// Returns the connection to the pool if it is sound.
async fn failed(
    pool: &Pool,
    mut lease: Lease<'_>,
    job: &Job,
    error: WireError,
    before_commit: bool,
) -> RunFailure {
    let lost = error.is_lost();
    let outdated = error.is_outdated_statement();
    if lost {
        lease.discard();
        pool.outage.suspect();
        pool.discard_idle();
    } else if batch::rollback_if_open(&mut lease).await.is_ok() {
        if outdated && let Ok(connection) = lease.connection() {
            connection.statements.expire();
        }
        lease.release(Some(&job.role));
    } else {
        lease.discard();
    }
    // An error of a statement undoes the whole transaction.
    let may_retry = outdated || lost && (before_commit || job.reads_only);
    RunFailure { error: DatabaseError::of(error, job.authenticated, job.reads_only).into(), may_retry }
}
