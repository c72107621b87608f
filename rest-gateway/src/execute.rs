//! The one place that touches a connection.
//!
//! A request's statements go out together and come back together: begin, settings, statement, end. Each
//! ends in a synchronisation point of its own, so PostgreSQL runs the later ones even when an earlier
//! one failed, then as the bare login role. Hence the rules: that role has no rights, nothing counts
//! before all have succeeded, and a connection on which the beginning failed is not used again.

mod batch;
mod outcome;

use std::sync::Arc;

use bytes::Bytes;
use tokio_postgres::Error as PgError;
use tokio_postgres::error::Severity;

use crate::admission::Permit;
use crate::error::{DatabaseError, Error};
use crate::pool::Pool;
use crate::query::fragment::Sql;
use batch::{Left, attempt, end, rollback};

/// All that a request wants of the database.
#[derive(Debug)]
pub struct Job {
    pub begin: String,
    pub settings: Sql,
    pub pre_request: Option<String>,
    pub statement: Sql,
    /// The best plan depends on the values: it is made for each request, of a statement that is not prepared.
    pub planned_each_time: bool,
    pub planned_count: Option<Sql>,
    /// The answer is a plan in text, not a result.
    pub explains: bool,
    pub rolls_back: bool,
    pub authenticated: bool,
}

impl Job {
    /// It changes nothing, so it may run twice.
    pub fn reads_only(&self) -> bool {
        self.begin.ends_with("READ ONLY")
    }
}

#[derive(Debug, Default)]
pub struct Outcome {
    /// Rows besides the limit, if they were counted.
    pub total: Option<i64>,
    /// Rows in the body, or changed.
    pub rows: i64,
    pub location: Vec<String>,
    pub body: Bytes,
    /// JSON that a function left in `response.headers`.
    pub headers: Option<String>,
    pub status: Option<String>,
    pub inserted: Option<i32>,
    pub planned_total: Option<i64>,
}

/// Says whether an outcome may stand; otherwise everything is undone.
pub type Check<'a> = &'a (dyn Fn(&Outcome) -> Result<(), Error> + Sync);

/// Runs a job in one round trip. With a check there are two: the end waits for its verdict.
///
/// # Errors
/// When the database refuses something or can't be reached, or the check fails.
pub async fn run(pool: &Pool, job: &Job, check: Option<Check<'_>>) -> Result<Outcome, Error> {
    run_with(pool, job, check, None).await
}

/// Keeps the permit until the connection is free again. A job whose connection turns out to be lost gets another
/// one if it can't have changed anything.
///
/// # Errors
/// As [`run`].
pub async fn run_with(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, Error> {
    match run_once(pool, job, check, permit.clone()).await {
        Err(Ended { lost: true, nothing_done: true, .. }) => {
            run_once(pool, job, check, permit).await.map_err(|ended| ended.error)
        }
        done => done.map_err(|ended| ended.error),
    }
}

struct Ended {
    error: Error,
    /// The connection is gone.
    lost: bool,
    nothing_done: bool,
}

impl<E: Into<Error>> From<E> for Ended {
    fn from(error: E) -> Self {
        Self { error: error.into(), lost: false, nothing_done: false }
    }
}

async fn run_once(
    pool: &Pool,
    job: &Job,
    check: Option<Check<'_>>,
    permit: Option<Arc<Permit>>,
) -> Result<Outcome, Ended> {
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
        Ended { error, lost, nothing_done: nothing_done || job.reads_only() }
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
            // Whether it was committed is not known.
            end.map_err(|error| ended(error, false))?;
            Ok(outcome)
        }
        (Err(failure), _) => {
            let sound = match failure.left {
                Left::Unsound => false,
                Left::Open => rollback(client).await.is_ok(),
                Left::Ended => !failure.error.is_closed(),
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

/// The server ended the session, or nothing is heard of it any more.
fn is_lost(error: &PgError) -> bool {
    match error.as_db_error() {
        Some(refused) => {
            let severity = refused.parsed_severity();
            matches!(severity, Some(Severity::Fatal | Severity::Panic))
        }
        None => error.is_closed(),
    }
}
