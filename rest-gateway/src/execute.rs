//! The one place that touches a connection.
//!
//! A request's statements go out together and come back together: begin, settings, statement, end. Each
//! ends in a synchronisation point of its own, so PostgreSQL runs the later ones even when an earlier
//! one failed, then as the bare login role. Hence the rules: that role has no rights, nothing counts
//! before all have succeeded, and a connection on which the beginning failed is not used again.

use bytes::Bytes;
use futures::future::{join, join3, join4};
use tokio_postgres::types::{FromSql, ToSql, Type};
use tokio_postgres::{Client, Error as PgError, Row, Statement};

use crate::error::{DatabaseError, Error};
use crate::pool::{Lease, Pool};
use crate::query::fragment::{Param, Sql};

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
    let lease = pool.lease().await?;
    let client = lease.client()?;
    let result = attempt(pool, &lease, client, job, check.is_none()).await;
    let refused = |error: &PgError| Error::from(DatabaseError::from_postgres(error, job.authenticated));
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
            end.map_err(|error| refused(&error))?;
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
            Err(refused(&failure.error))
        }
    }
}

/// What went wrong, and how that left the connection.
struct Failure {
    error: PgError,
    left: Left,
}

#[derive(Clone, Copy)]
enum Left {
    /// It is not certain in whose name it works.
    Unsound,
    /// In a transaction.
    Open,
    Ended,
}

async fn attempt(
    pool: &Pool,
    lease: &Lease<'_>,
    client: &Client,
    job: &Job,
    ends: bool,
) -> Result<Outcome, Failure> {
    let settings = prepared_settings(pool, lease, client, job).await?;
    let mut batch = Batch { client, job, settings, prepared: None };
    if job.planned_each_time {
        return batch.run(Begins::Here, ends).await;
    }
    batch.prepared = lease.prepared(&job.statement.text);
    if batch.prepared.is_some() || !pool.is_worth_preparing(&job.statement.text) {
        return batch.run(Begins::Here, ends).await;
    }
    // Names are looked up with the rights of the request's role: it is prepared inside the transaction.
    let statement = batch.prepare().await?;
    lease.remember(&job.statement.text, statement.clone());
    batch.prepared = Some(statement);
    batch.run(Begins::Before, ends).await
}

/// The settings have the same form in all requests, and need no rights to be prepared.
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
    let new = prepared.map_err(|error| Failure { error, left: Left::Unsound })?;
    lease.remember(&job.settings.text, new.clone());
    Ok(Some(new))
}

async fn end(client: &Client, job: &Job) -> Result<(), PgError> {
    if !job.rolls_back {
        return client.batch_execute("COMMIT").await;
    }
    // What would have failed at the commit is to be told of nevertheless.
    let (constraints, rollback) =
        join(client.batch_execute("SET CONSTRAINTS ALL IMMEDIATE"), rollback(client)).await;
    constraints.and(rollback)
}

async fn rollback(client: &Client) -> Result<(), PgError> {
    client.batch_execute("ROLLBACK").await
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
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
    /// Begins, and prepares the statement.
    async fn prepare(&self) -> Result<Statement, Failure> {
        let (begun, prepared) = join(self.begin(), self.client.prepare(&self.job.statement.text)).await;
        begun?;
        prepared.map_err(|error| Failure { error, left: Left::Open })
    }

    async fn run(&self, begins: Begins, ends: bool) -> Result<Outcome, Failure> {
        let begin = async { if begins == Begins::Here { self.begin().await } else { Ok(()) } };
        let ending = async { if ends { end(self.client, self.job).await } else { Ok(()) } };
        let (begun, rows, planned, ended) =
            join4(begin, self.query(&self.job.statement, self.prepared.as_ref()), self.planned(), ending)
                .await;
        begun?;
        let left = if ends { Left::Ended } else { Left::Open };
        let failed = |error| Failure { error, left };
        let rows = rows.map_err(failed)?;
        let planned = planned.map_err(failed)?;
        ended.map_err(failed)?;
        let mut outcome =
            if self.job.explains { explanation(&rows) } else { outcome(&rows) }.map_err(failed)?;
        outcome.planned_total = planned.as_deref().and_then(planned_rows);
        Ok(outcome)
    }

    /// The transaction, its settings and the function to call first.
    async fn begin(&self) -> Result<(), Failure> {
        let (begun, set, called) = join3(
            self.client.batch_execute(&self.job.begin),
            self.query(&self.job.settings, self.settings.as_ref()),
            self.pre_request(),
        )
        .await;
        begun.and(set.map(drop)).map_err(|error| Failure { error, left: Left::Unsound })?;
        called.map_err(|error| Failure { error, left: Left::Open })
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

/// PostgreSQL finds the types itself.
fn untyped(params: &[Param]) -> Vec<(&(dyn ToSql + Sync), Type)> {
    params.iter().map(|param| (param as &(dyn ToSql + Sync), Type::UNKNOWN)).collect()
}

fn outcome(rows: &[Row]) -> Result<Outcome, PgError> {
    let Some(row) = rows.first() else { return Ok(Outcome::default()) };
    Ok(Outcome {
        total: row.try_get("total_result_set")?,
        rows: row.try_get("page_total")?,
        location: match row.columns().iter().position(|column| column.name() == "header") {
            Some(place) => row.try_get::<_, Option<Vec<String>>>(place)?.unwrap_or_default(),
            None => Vec::new(),
        },
        body: row
            .try_get::<_, Option<Raw<'_>>>("body")?
            .map(|raw| Bytes::copy_from_slice(raw.0))
            .unwrap_or_default(),
        headers: row.try_get("response_headers")?,
        status: row.try_get("response_status")?,
        inserted: row.try_get("response_inserted")?,
        planned_total: None,
    })
}

fn explanation(rows: &[Row]) -> Result<Outcome, PgError> {
    let mut body = Vec::new();
    for row in rows {
        body.extend_from_slice(row.try_get::<_, Raw<'_>>(0)?.0);
        body.push(b'\n');
    }
    Ok(Outcome { body: body.into(), ..Outcome::default() })
}

/// `Plan Rows` of the outermost node.
fn planned_rows(rows: &[Row]) -> Option<i64> {
    let raw: Raw<'_> = rows.first()?.try_get(0).ok()?;
    let plan: serde_json::Value = serde_json::from_slice(raw.0).ok()?;
    plan.pointer("/0/Plan/Plan Rows")?.as_i64()
}

/// The bytes of a value of any type, as PostgreSQL sends them: for a media type that is a domain over
/// `jsonb` a version number comes first, as it does from PostgREST.
struct Raw<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Raw<'a> {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self(raw))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
