//! Runs the statements of a job on one connection.

use futures::future::{join, join3, join4};
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Error as PgError, Row, Statement};

use super::outcome::{explanation, outcome, planned_rows};
use super::{Job, Outcome};
use crate::pool::{Lease, Pool};
use crate::query::fragment::{Param, Sql};

/// An error, and the state it left the connection in.
pub struct Failure {
    pub error: PgError,
    pub left: ConnectionState,
    /// The transaction was definitely not committed.
    pub before_commit: bool,
}

impl Failure {
    /// COMMIT was not sent yet.
    fn before_commit(self) -> Self {
        Self { before_commit: true, ..self }
    }

    /// COMMIT may have been sent already. If PostgreSQL reported an error for an earlier statement, the
    /// COMMIT did not take effect.
    fn with_commit_sent(error: PgError, left: ConnectionState) -> Self {
        let before_commit = error.as_db_error().is_some();
        Self { error, left, before_commit }
    }
}

#[derive(Clone, Copy)]
pub enum ConnectionState {
    /// The session's role is unknown, so the connection must not be reused.
    Unsound,
    /// Inside a transaction.
    Open,
    Ended,
}

pub async fn attempt(
    pool: &Pool,
    lease: &Lease<'_>,
    client: &Client,
    job: &Job,
    ends: bool,
) -> Result<Outcome, Failure> {
    let settings = prepared_settings(pool, lease, client, job).await.map_err(Failure::before_commit)?;
    let mut batch = Batch { client, job, settings, prepared: None };
    if job.needs_custom_plan {
        return batch.run(BeginSent::Here, ends).await;
    }
    batch.prepared = lease.prepared(&job.statement.text);
    if batch.prepared.is_some() || !pool.is_worth_preparing(&job.statement.text) {
        return batch.run(BeginSent::Here, ends).await;
    }
    // Name lookup needs the request role's privileges, so the statement is prepared inside the transaction.
    let statement = batch.prepare().await.map_err(Failure::before_commit)?;
    lease.remember(&job.statement.text, statement.clone());
    batch.prepared = Some(statement);
    batch.run(BeginSent::Before, ends).await
}

/// The settings statement has the same text for all requests and needs no privileges.
async fn prepared_settings(
    pool: &Pool,
    lease: &Lease<'_>,
    client: &Client,
    job: &Job,
) -> Result<Option<Statement>, Failure> {
    let known = lease.prepared(&job.settings.text);
    if known.is_some() || !pool.is_worth_preparing(&job.settings.text) {
        return Ok(known);
    }
    let prepared = client.prepare(&job.settings.text).await;
    let new = prepared.map_err(|error| Failure::with_commit_sent(error, ConnectionState::Unsound))?;
    lease.remember(&job.settings.text, new.clone());
    Ok(Some(new))
}

pub async fn end(client: &Client, job: &Job) -> Result<(), PgError> {
    if !job.rolls_back {
        return client.batch_execute("COMMIT").await;
    }
    // Report deferred constraint violations, which would have failed the commit.
    let (constraints, rollback) =
        join(client.batch_execute("SET CONSTRAINTS ALL IMMEDIATE"), rollback(client)).await;
    constraints.and(rollback)
}

pub async fn rollback(client: &Client) -> Result<(), PgError> {
    client.batch_execute("ROLLBACK").await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BeginSent {
    Here,
    Before,
}

struct Batch<'a> {
    client: &'a Client,
    job: &'a Job,
    settings: Option<Statement>,
    prepared: Option<Statement>,
}

impl Batch<'_> {
    /// BeginSent the transaction and prepares the statement.
    async fn prepare(&self) -> Result<Statement, Failure> {
        let (begun, prepared) = join(self.begin(), self.client.prepare(&self.job.statement.text)).await;
        begun?;
        prepared.map_err(|error| Failure::with_commit_sent(error, ConnectionState::Open))
    }

    async fn run(&self, begins: BeginSent, ends: bool) -> Result<Outcome, Failure> {
        let begin = async { if begins == BeginSent::Here { self.begin().await } else { Ok(()) } };
        let ending = async { if ends { end(self.client, self.job).await } else { Ok(()) } };
        let (begun, rows, planned, ended) =
            join4(begin, self.query(&self.job.statement, self.prepared.as_ref()), self.planned(), ending)
                .await;
        let in_time = |failure: Failure| if ends { failure } else { failure.before_commit() };
        begun.map_err(in_time)?;
        let left = if ends { ConnectionState::Ended } else { ConnectionState::Open };
        let failed = |error| in_time(Failure::with_commit_sent(error, left));
        let rows = rows.map_err(failed)?;
        let planned = planned.map_err(failed)?;
        ended.map_err(|error| Failure { error, left, before_commit: false })?;
        let mut outcome =
            if self.job.explains { explanation(&rows) } else { outcome(&rows) }.map_err(failed)?;
        outcome.planned_total = planned.as_deref().and_then(planned_rows);
        Ok(outcome)
    }

    /// Sends BEGIN, the settings and the pre-request function.
    async fn begin(&self) -> Result<(), Failure> {
        let (begun, set, called) = join3(
            self.client.batch_execute(&self.job.begin),
            self.query(&self.job.settings, self.settings.as_ref()),
            self.pre_request(),
        )
        .await;
        begun
            .and(set.map(drop))
            .map_err(|error| Failure::with_commit_sent(error, ConnectionState::Unsound))?;
        called.map_err(|error| Failure::with_commit_sent(error, ConnectionState::Open))
    }

    async fn pre_request(&self) -> Result<(), PgError> {
        match &self.job.pre_request {
            Some(statement) => self.client.batch_execute(statement).await,
            None => Ok(()),
        }
    }

    async fn query(&self, sql: &Sql, prepared: Option<&Statement>) -> Result<Vec<Row>, PgError> {
        match prepared {
            Some(statement) => self.client.query(statement, &references(&sql.params)).await,
            None => self.client.query_typed(&sql.text, &untyped(&sql.params)).await,
        }
    }

    async fn planned(&self) -> Result<Option<Vec<Row>>, PgError> {
        match &self.job.planned_count {
            Some(sql) => self.query(sql, None).await.map(Some),
            None => Ok(None),
        }
    }
}

fn references(params: &[Param]) -> Vec<&(dyn ToSql + Sync)> {
    params.iter().map(|param| param as &(dyn ToSql + Sync)).collect()
}

/// Unknown types let PostgreSQL infer them.
fn untyped(params: &[Param]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    params.iter().map(|param| (param as &(dyn ToSql + Sync), Type::UNKNOWN)).collect()
}
