//! Runs statements. No other module uses a connection.
//!
//! All statements of a request are sent with one sync: begin, settings, statement, commit. PostgreSQL runs them
//! up to the first error and skips the rest, so nothing runs without the privileges that the settings select.
//! Reads need no begin and commit: the statements before a sync are one transaction.

mod batch;
mod outcome;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytes::Bytes;
use platform::http::request_id::DatabaseTimer;

use crate::admission::Permit;
use crate::error::Error;
use crate::error_body::Rejection;
use crate::pool::error::DatabaseError;
use crate::pool::{Lease, Pool};
use crate::position::Position;
use crate::query::fragment::{Param, Sql};
use crate::wire::error::WireError;
use batch::Ending;

/// Everything a request needs from the database.
#[derive(Debug)]
pub struct Job {
    pub session: Session,
    pub transaction: Transaction,
    pub statement: Statement,
    pub estimate: Option<Statement>,
    /// The result is the text of an `EXPLAIN` plan.
    pub explains: bool,
    /// A replica may run it.
    pub may_use_replica: bool,
}

/// What all statements of a caller have in common.
#[derive(Debug)]
pub struct Session {
    /// The role that the settings select.
    pub role: Arc<str>,
    pub authenticated: bool,
    /// The outcome includes positions in the write-ahead log.
    pub reports_position: bool,
    /// Errors contain the warnings that statements raised.
    pub collects_warnings: bool,
    /// Statements that were prepared for an earlier generation of the schema cache are replaced.
    pub schema_generation: u64,
}

/// How the transaction begins and ends.
#[derive(Debug)]
pub struct Transaction {
    /// Begins an explicit transaction. Reads need none.
    pub begin: Option<String>,
    pub settings: Sql,
    pub pre_request: Option<String>,
    pub rolls_back: bool,
    /// Changes nothing, so the job may be retried.
    pub reads_only: bool,
}

/// SQL text that all requests of a shape share, and the values of one request.
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
    /// The number of rows without the limit, if they were counted.
    pub total: Option<i64>,
    /// The number of rows in the body, or of changed rows.
    pub rows: i64,
    pub location: Vec<String>,
    pub body: Bytes,
    /// JSON from the setting `response.headers`.
    pub headers: Option<String>,
    pub status: Option<String>,
    pub inserted: Option<i32>,
    pub planned_total: Option<i64>,
    /// A read sees at least everything up to this position in the write-ahead log.
    pub position_before: Option<Position>,
    /// A server that has replayed the log up to this position has everything that was read or committed.
    pub position: Option<Position>,
}

/// Decides whether the transaction commits. It rolls back on an error.
pub type Check<'a> = &'a (dyn Fn(&Outcome) -> Result<(), Rejection> + Sync);

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
) -> Result<Outcome, Error> {
    match run_once(pool, job, check, permit.clone(), true).await {
        Err(RunFailure { may_retry: true, is_outdated, .. }) => {
            // A pooler keeps the outdated statement, and would reuse it for the same text.
            run_once(pool, job, check, permit, !is_outdated).await.map_err(|failure| failure.error)
        }
        result => result.map_err(|failure| failure.error),
    }
}

struct RunFailure {
    error: Error,
    /// Nothing was changed, and another connection or a new statement may succeed.
    may_retry: bool,
    /// A prepared statement no longer fits.
    is_outdated: bool,
}

impl<E: Into<Error>> From<E> for RunFailure {
    fn from(error: E) -> Self {
        Self { error: error.into(), may_retry: false, is_outdated: false }
    }
}

async fn run_once(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
    prepares: bool,
) -> Result<Outcome, RunFailure> {
    let mut lease = pool.lease(Some(&job.session.role), permit).await?;
    let _timer = DatabaseTimer::new();
    let ending = match check {
        Some(_) => Ending::Open,
        None if job.transaction.rolls_back => Ending::Rollback,
        None => Ending::Commit,
    };
    let mut outcome = match batch::run(pool, job, ending, prepares, &mut lease).await {
        Ok(outcome) => outcome,
        Err(error) => return Err(after_error(pool, lease, job, error, ending == Ending::Open).await),
    };
    let Some(check) = check else {
        lease.release(Some(&job.session.role));
        return Ok(outcome);
    };
    let checked = check(&outcome);
    let ending = match checked {
        Ok(()) if !job.transaction.rolls_back => Ending::Commit,
        _ => Ending::Rollback,
    };
    match batch::end(pool, job, &mut lease, ending).await {
        Ok(position) => outcome.position = position,
        Err(error) => {
            checked?;
            // The commit may or may not have happened.
            return Err(after_error(pool, lease, job, error, false).await);
        }
    }
    lease.release(Some(&job.session.role));
    checked?;
    Ok(outcome)
}

/// Releases the connection if it can be used again, and closes it otherwise.
async fn after_error(
    pool: &Pool,
    mut lease: Lease<'_>,
    job: &Job,
    error: WireError,
    before_commit: bool,
) -> RunFailure {
    // The server has become a standby, so this connection can no longer write.
    let is_demoted = !job.transaction.reads_only && error.is_of_standby();
    let is_lost = error.is_lost() || is_demoted;
    let is_outdated = error.is_outdated_statement();
    if is_lost {
        lease.discard();
        pool.outage.suspect();
        pool.discard_idle();
    } else if batch::rollback_if_open(&mut lease).await.is_ok() {
        if is_outdated && let Ok(connection) = lease.connection() {
            connection.statements.expire();
        }
        lease.release(Some(&job.session.role));
    } else {
        lease.discard();
    }
    // An error before the commit has undone the whole transaction.
    let may_retry = is_outdated || is_demoted || is_lost && (before_commit || job.transaction.reads_only);
    let error = match error {
        WireError::RowTooLarge(limit) => {
            let is_saved = !job.transaction.reads_only && !job.transaction.rolls_back && !before_commit;
            DatabaseError::TooLarge { limit, is_saved }
        }
        error => DatabaseError::from_wire(error, job.session.authenticated, job.transaction.reads_only),
    };
    RunFailure { error: error.into(), may_retry, is_outdated }
}
