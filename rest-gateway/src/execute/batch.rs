//! The statements of a request, sent together.

use std::sync::Arc;

use postgres_protocol::message::backend::{DataRowBody, Message};

use super::outcome::{self, explanation, planned_rows};
use super::{Job, Outcome, Statement, Transaction};
use crate::pool::{Lease, Pool};
use crate::position::Position;
use crate::query::fragment::Param;
use crate::wire::error::{ServerError, WireError};
use crate::wire::{Connection, statement_cost};

/// How the transaction ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    Commit,
    Rollback,
    /// The transaction stays open and ends in another round trip.
    Open,
}

/// The maximum cost of one prepared statement, in units of 0.25 MB of the server's memory. Clients compose statements, and only large ones of theirs cost more.
const MAX_STATEMENT_COST: usize = 32;
/// The role for statements that name no tables or functions, whose meaning therefore does not depend on the
/// role.
const ANY_ROLE: &str = "";
const COMMIT: &str = "COMMIT";
const ROLLBACK: &str = "ROLLBACK";
/// The position in the write-ahead log as a number, in binary.
const POSITION: &str = "select (case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() \
     else pg_catalog.pg_current_wal_insert_lsn() end operator(pg_catalog.-) '0/0')::pg_catalog.int8";
/// Reports violations of deferred constraints. A commit would report them, too.
const CHECK_CONSTRAINTS: &str = "SET CONSTRAINTS ALL IMMEDIATE";

/// What the rows of a statement are used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Ignored,
    Result,
    Estimate,
    /// The position in the write-ahead log before a read.
    PositionBefore,
    /// The position in the write-ahead log. Errors are ignored, because the transaction is committed.
    Position,
}

/// A statement, and what its rows are used for.
struct Step<'a> {
    rows: Rows,
    role: &'a str,
    text: &'a str,
    params: &'a [Param],
    /// The name of the statement that this step prepares.
    prepares: Option<Arc<str>>,
}

impl<'a> Step<'a> {
    fn new(rows: Rows, role: &'a str, text: &'a str, params: &'a [Param]) -> Self {
        Self { rows, role, text, params, prepares: None }
    }

    fn plain(rows: Rows, text: &'a str) -> Self {
        Self::new(rows, ANY_ROLE, text, &[])
    }
}

/// All statements of a job.
fn statements<'j>(job: &'j Job, ending: Ending) -> Vec<Step<'j>> {
    let Transaction { begin, settings, pre_request, reads_only, .. } = &job.transaction;
    let role = &*job.session.role;
    let of_request =
        |rows, statement: &'j Statement| Step::new(rows, role, &statement.text, &statement.params);
    let mut steps = Vec::with_capacity(6);
    if *reads_only {
        steps.extend(position(job, Rows::PositionBefore));
    }
    steps.extend(begin.as_ref().map(|begin| Step::plain(Rows::Ignored, begin)));
    steps.push(Step::new(Rows::Ignored, ANY_ROLE, &settings.text, &settings.params));
    steps.extend(pre_request.as_ref().map(|call| Step::new(Rows::Ignored, role, call, &[])));
    steps.push(of_request(Rows::Result, &job.statement));
    steps.extend(job.estimate.as_ref().map(|estimate| of_request(Rows::Estimate, estimate)));
    if begin.is_some() {
        steps.extend(closing(job, ending));
    } else if *reads_only {
        steps.extend(position(job, Rows::Position));
    }
    steps
}

/// Ends an explicit transaction.
fn closing(job: &Job, ending: Ending) -> Vec<Step<'_>> {
    let texts: &[&str] = match ending {
        Ending::Commit => &[COMMIT],
        Ending::Rollback if job.transaction.rolls_back => &[CHECK_CONSTRAINTS, ROLLBACK],
        Ending::Rollback => &[ROLLBACK],
        Ending::Open => &[],
    };
    let position = position(job, Rows::Position).filter(|_| ending == Ending::Commit);
    texts.iter().map(|text| Step::plain(Rows::Ignored, text)).chain(position).collect()
}

/// The position before a read, or after a read or commit, in the same round trip.
fn position(job: &Job, rows: Rows) -> Option<Step<'_>> {
    job.session.reports_position.then(|| Step::plain(rows, POSITION))
}

struct Batch<'a> {
    pool: &'a Pool,
    /// Whether statements of the request are prepared.
    prepares: bool,
    steps: Vec<Step<'a>>,
}

/// Runs the statements of a job.
pub async fn run(
    pool: &Pool,
    job: &Job,
    ending: Ending,
    prepares: bool,
    lease: &mut Lease<'_>,
) -> Result<Outcome, WireError> {
    let connection = lease.connection()?;
    let prepared = &mut connection.statements;
    prepared.expire_before(job.session.schema_generation);
    if prepared.must_end() {
        connection.close_statements()?;
    }
    connection.warnings = job.session.collects_warnings.then(Vec::new);
    let received = Batch { pool, prepares, steps: statements(job, ending) }.run(connection).await?;
    if job.explains {
        return Ok(explanation(&received.rows)?);
    }
    let mut outcome = received.rows.first().map(outcome::read).transpose()?.unwrap_or_default();
    outcome.planned_total = planned_rows(&received.estimate);
    outcome.position_before = received.position_before;
    outcome.position = received.position;
    Ok(outcome)
}

/// Ends a transaction that was left open. Returns the position of the commit, if the job wants it.
pub async fn end(
    pool: &Pool,
    job: &Job,
    lease: &mut Lease<'_>,
    ending: Ending,
) -> Result<Option<Position>, WireError> {
    let batch = Batch { pool, prepares: true, steps: closing(job, ending) };
    batch.run(lease.connection()?).await.map(|received| received.position)
}

impl Batch<'_> {
    async fn run(mut self, connection: &mut Connection) -> Result<Received, WireError> {
        let mut steps = self.steps.iter_mut();
        if let Err(error) = steps.try_for_each(|step| add(connection, step, self.pool, self.prepares)) {
            connection.discard_unsent();
            return Err(error);
        }
        connection.send().await?;
        self.receive(connection).await
    }

    /// Reads the responses, up to the one to the sync.
    async fn receive(&mut self, connection: &mut Connection) -> Result<Received, WireError> {
        let mut received = Received::default();
        let mut first_error = None;
        let mut steps = self.steps.iter_mut();
        let mut step = steps.next();
        loop {
            match connection.receive().await? {
                Message::ParseComplete => {
                    if let Some(step) = &mut step
                        && let Some(name) = step.prepares.take()
                    {
                        connection.statements.add(step.role, step.text, name);
                    }
                }
                Message::DataRow(row) => match step.as_ref().map(|step| step.rows) {
                    Some(Rows::Result) => received.rows.push(row),
                    Some(Rows::Estimate) => received.estimate.push(row),
                    Some(Rows::PositionBefore) => received.position_before = outcome::position(&row),
                    Some(Rows::Position) => received.position = outcome::position(&row),
                    Some(Rows::Ignored) => {}
                    None => return Err(WireError::UnexpectedMessage),
                },
                Message::CommandComplete(_) | Message::EmptyQueryResponse => step = steps.next(),
                Message::BindComplete | Message::CloseComplete | Message::NotificationResponse(_) => {}
                Message::ErrorResponse(body) => {
                    let error = ServerError::parse(body.fields())?;
                    if error.is_fatal() {
                        return Err(WireError::Server(Box::new(error)));
                    }
                    if step.as_ref().is_some_and(|step| step.rows == Rows::Position) {
                        continue;
                    }
                    first_error = first_error.or(Some(error));
                }
                Message::ReadyForQuery(status) => {
                    connection.in_transaction = status.status() != b'I';
                    break;
                }
                _ => return Err(WireError::UnexpectedMessage),
            }
        }
        finish(connection, received, first_error)
    }
}

fn finish(
    connection: &mut Connection,
    received: Received,
    first_error: Option<ServerError>,
) -> Result<Received, WireError> {
    let warnings = connection.warnings.take();
    let dropped_row = connection.take_dropped_row();
    match first_error {
        Some(mut error) => {
            error.warnings = warnings.unwrap_or_default();
            Err(WireError::Server(Box::new(error)))
        }
        None => dropped_row.map_or(Ok(received), |limit| Err(WireError::RowTooLarge(limit))),
    }
}

/// Adds a statement, which is prepared from its second occurrence on. Statements that do not depend on the role occur in all
/// requests and are prepared immediately.
fn add(
    connection: &mut Connection,
    step: &mut Step<'_>,
    pool: &Pool,
    prepares: bool,
) -> Result<(), WireError> {
    let Step { role, text, params, .. } = *step;
    if let Some(name) = connection.statements.name(role, text) {
        return connection.run(&name, params);
    }
    let is_prepared = role == ANY_ROLE && pool.config.prepared_statements
        || prepares && statement_cost(text) <= MAX_STATEMENT_COST && pool.should_prepare(role, text);
    step.prepares = is_prepared.then(|| connection.statements.new_name());
    let name = step.prepares.as_deref().unwrap_or_default();
    connection.parse(name, text)?;
    connection.run(name, params)
}

#[derive(Default)]
struct Received {
    rows: Vec<DataRowBody>,
    estimate: Vec<DataRowBody>,
    position_before: Option<Position>,
    position: Option<Position>,
}

/// Rolls back the transaction if one is open.
pub async fn rollback_if_open(lease: &mut Lease<'_>) -> Result<(), WireError> {
    let connection = lease.connection()?;
    if connection.in_transaction {
        connection.simple(ROLLBACK).await?;
    }
    if connection.in_transaction { Err(WireError::UnexpectedMessage) } else { Ok(()) }
}
