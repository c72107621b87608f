//! Runs statements. No other module uses a connection.
//!
//! A request's statements are pipelined: begin, settings, statement, end. Each one has its own sync point,
//! so PostgreSQL runs the later ones even if an earlier one failed, and then with the login role. Therefore
//! that role has no privileges, a result is valid only if every statement succeeded, and a connection whose
//! begin failed is not reused.

mod batch;
pub mod error;
mod outcome;

use std::sync::Arc;

use bytes::Bytes;
use tokio_postgres::Error as PgError;
use tokio_postgres::error::Severity;

use crate::admission::Permit;
use crate::pool::Pool;
use crate::pool::error::DatabaseError;
use crate::query::fragment::Sql;
use batch::{ConnectionState, attempt, end, rollback};
use error::{CheckError, ExecuteError};

/// Everything a request needs from the database.
#[derive(Debug)]
pub struct Job {
    pub begin: String,
    pub settings: Sql,
    pub pre_request: Option<String>,
    pub statement: Sql,
    /// The best plan depends on the values, so the statement is sent unprepared and planned for every
    /// request.
    pub needs_custom_plan: bool,
    pub planned_count: Option<Sql>,
    /// The result is the text of an `EXPLAIN` plan.
    pub explains: bool,
    pub rolls_back: bool,
    pub authenticated: bool,
}

impl Job {
    /// A read-only job may be retried.
    pub fn reads_only(&self) -> bool {
        self.begin.ends_with("READ ONLY")
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

/// Runs a job in one round trip, or in two if a check has to decide how the transaction ends.
///
/// # Errors
/// When the database returns an error or is unreachable, or when the check fails.
pub async fn run(pool: &Pool, job: &Job, check: Option<Check<'_>>) -> Result<Outcome, ExecuteError> {
    run_with(pool, job, check, None).await
}

/// Holds the permit until the connection is free again. If the connection was lost, the job is retried once
/// on another one, provided that nothing was committed.
///
/// # Errors
/// See [`run`].
pub async fn run_with(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, ExecuteError> {
    match run_once(pool, job, check, permit.clone()).await {
        Err(RunFailure { lost: true, nothing_done: true, .. }) => {
            run_once(pool, job, check, permit).await.map_err(|ended| ended.error)
        }
        done => done.map_err(|ended| ended.error),
    }
}

struct RunFailure {
    error: ExecuteError,
    /// The connection is unusable.
    lost: bool,
    nothing_done: bool,
}

impl<E: Into<ExecuteError>> From<E> for RunFailure {
    fn from(error: E) -> Self {
        Self { error: error.into(), lost: false, nothing_done: false }
    }
}

async fn run_once(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, RunFailure> {
    let lease = pool.lease_for(permit).await?;
    let client = lease.client()?;
    let result = attempt(pool, &lease, client, job, check.is_none()).await;
    let ended = |error: PgError, nothing_done: bool| {
        let lost = is_lost(&error);
        if lost {
            pool.outage.suspect();
            pool.discard_idle();
        }
        let error = DatabaseError::from_postgres(&error, job.authenticated, job.reads_only()).into();
        RunFailure { error, lost, nothing_done: nothing_done || job.reads_only() }
    };
    match (result, check) {
        (Ok(outcome), None) => {
            lease.give_back();
            Ok(outcome)
        }
        (Ok(outcome), Some(check)) => {
            let verdict = check(&outcome);
            let end = if verdict.is_ok() { end(client, job).await } else { rollback(client).await };
            if end.is_ok() {
                lease.give_back();
            } else {
                lease.discard();
            }
            verdict?;
            // The commit may or may not have happened.
            end.map_err(|error| ended(error, false))?;
            Ok(outcome)
        }
        (Err(failure), _) => {
            let sound = match failure.left {
                ConnectionState::Unsound => false,
                ConnectionState::Open => rollback(client).await.is_ok(),
                ConnectionState::Ended => !failure.error.is_closed(),
            };
            if sound {
                lease.give_back();
            } else {
                lease.discard();
            }
            Err(ended(failure.error, failure.before_commit))
        }
    }
}

/// The server terminated the session, or the connection is closed.
fn is_lost(error: &PgError) -> bool {
    match error.as_db_error() {
        Some(refused) => {
            let severity = refused.parsed_severity();
            matches!(severity, Some(Severity::Fatal | Severity::Panic))
        }
        None => error.is_closed(),
    }
}
