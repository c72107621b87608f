//! The statements of a request, sent together.

use std::sync::Arc;

use postgres_protocol::message::backend::{DataRowBody, Message};

use super::outcome::{self, explanation, planned_rows};
use super::{Job, Outcome, Statement};
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

/// The maximum number of prepared statements per connection. If there are more, all are dropped.
const MAX_PREPARED: usize = 128;
/// The maximum cost of all prepared statements of a connection, in units of 0.25 MB of the server's memory.
const MAX_PREPARED_COST: usize = 256;
/// The maximum cost of one. Clients compose statements, and only large ones of theirs cost more.
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

pub struct Batch<'a> {
    pool: &'a Pool,
    job: &'a Job,
    ending: Ending,
    /// Whether statements of the request are prepared.
    prepares: bool,
    steps: Vec<Step<'a>>,
}

struct Step<'a> {
    rows: Rows,
    /// The role, text and name of a statement that this step prepares.
    prepares: Option<(&'a str, &'a str, Arc<str>)>,
}

impl<'a> Batch<'a> {
    pub fn new(pool: &'a Pool, job: &'a Job, ending: Ending, prepares: bool) -> Self {
        Self { pool, job, ending, prepares, steps: Vec::with_capacity(6) }
    }

    pub async fn run(mut self, lease: &mut Lease<'_>) -> Result<Outcome, WireError> {
        let connection = lease.connection()?;
        if let Err(error) = self.add_all(connection) {
            connection.discard_unsent();
            return Err(error);
        }
        connection.warnings = self.job.session.collects_warnings.then(Vec::new);
        connection.send().await?;
        let received = self.receive(connection).await?;
        if self.job.explains {
            return Ok(explanation(&received.rows)?);
        }
        let mut outcome = received.rows.first().map(outcome::read).transpose()?.unwrap_or_default();
        outcome.planned_total = planned_rows(&received.estimate);
        outcome.position_before = received.position_before;
        outcome.position = received.position;
        Ok(outcome)
    }

    fn add_all(&mut self, connection: &mut Connection) -> Result<(), WireError> {
        let job = self.job;
        let statements = &mut connection.statements;
        statements.expire_before(job.session.schema_generation);
        let is_full = statements.count() > MAX_PREPARED || statements.cost() > MAX_PREPARED_COST;
        if is_full || statements.is_expired() {
            connection.close_statements()?;
        }
        if job.transaction.reads_only {
            self.add_position(connection, Rows::PositionBefore)?;
        }
        if let Some(begin) = &job.transaction.begin {
            self.add(connection, Rows::Ignored, ANY_ROLE, begin, &[])?;
        }
        self.add(
            connection,
            Rows::Ignored,
            ANY_ROLE,
            &job.transaction.settings.text,
            &job.transaction.settings.params,
        )?;
        if let Some(call) = &job.transaction.pre_request {
            self.add(connection, Rows::Ignored, &job.session.role, call, &[])?;
        }
        self.add_statement(connection, Rows::Result, &job.statement)?;
        if let Some(estimate) = &job.estimate {
            self.add_statement(connection, Rows::Estimate, estimate)?;
        }
        match self.ending {
            Ending::Commit if job.transaction.begin.is_some() => {
                self.add(connection, Rows::Ignored, ANY_ROLE, COMMIT, &[])?;
                self.add_position(connection, Rows::Position)
            }
            Ending::Rollback if job.transaction.begin.is_some() => {
                self.add(connection, Rows::Ignored, ANY_ROLE, CHECK_CONSTRAINTS, &[])?;
                self.add(connection, Rows::Ignored, ANY_ROLE, ROLLBACK, &[])
            }
            _ if job.transaction.reads_only => self.add_position(connection, Rows::Position),
            _ => Ok(()),
        }
    }

    /// Runs before a read and after a read or commit, in the same round trip.
    fn add_position(&mut self, connection: &mut Connection, rows: Rows) -> Result<(), WireError> {
        if !self.job.session.reports_position {
            return Ok(());
        }
        self.add(connection, rows, ANY_ROLE, POSITION, &[])
    }

    fn add_statement(
        &mut self,
        connection: &mut Connection,
        rows: Rows,
        statement: &'a Statement,
    ) -> Result<(), WireError> {
        self.add(connection, rows, &self.job.session.role, &statement.text, &statement.params)
    }

    /// Adds a statement, which is prepared from its second occurrence on. Statements that do not depend on
    /// the role occur in all requests and are prepared immediately.
    fn add(
        &mut self,
        connection: &mut Connection,
        rows: Rows,
        role: &'a str,
        text: &'a str,
        params: &[Param],
    ) -> Result<(), WireError> {
        let mut prepares = None;
        if let Some(name) = connection.statements.name(role, text) {
            connection.run(&name, params)?;
        } else if role == ANY_ROLE && self.pool.prepares()
            || self.prepares
                && statement_cost(text) <= MAX_STATEMENT_COST
                && self.pool.should_prepare(role, text)
        {
            let name = connection.statements.new_name();
            connection.parse(&name, text)?;
            connection.run(&name, params)?;
            prepares = Some((role, text, name));
        } else {
            connection.parse("", text)?;
            connection.run("", params)?;
        }
        self.steps.push(Step { rows, prepares });
        Ok(())
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
                    if let Some((role, text, name)) = step.as_mut().and_then(|step| step.prepares.take()) {
                        connection.statements.add(role, text, name);
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
                Message::BindComplete | Message::CloseComplete => {}
                Message::ErrorResponse(body) => {
                    let error = ServerError::parse(&body)?;
                    if error.is_fatal {
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
}

#[derive(Default)]
struct Received {
    rows: Vec<DataRowBody>,
    estimate: Vec<DataRowBody>,
    position_before: Option<Position>,
    position: Option<Position>,
}

/// Ends a transaction that was left open. Returns the position of the commit, if the job wants it.
pub async fn end(
    pool: &Pool,
    job: &Job,
    lease: &mut Lease<'_>,
    ending: Ending,
) -> Result<Option<Position>, WireError> {
    let mut batch = Batch::new(pool, job, ending, true);
    let connection = lease.connection()?;
    let added = match ending {
        Ending::Rollback if job.transaction.rolls_back => batch
            .add(connection, Rows::Ignored, ANY_ROLE, CHECK_CONSTRAINTS, &[])
            .and_then(|()| batch.add(connection, Rows::Ignored, ANY_ROLE, ROLLBACK, &[])),
        Ending::Rollback => batch.add(connection, Rows::Ignored, ANY_ROLE, ROLLBACK, &[]),
        Ending::Commit | Ending::Open => batch
            .add(connection, Rows::Ignored, ANY_ROLE, COMMIT, &[])
            .and_then(|()| batch.add_position(connection, Rows::Position)),
    };
    if let Err(error) = added {
        connection.discard_unsent();
        return Err(error);
    }
    connection.send().await?;
    batch.receive(connection).await.map(|received| received.position)
}

/// Rolls back the transaction if one is open.
pub async fn rollback_if_open(lease: &mut Lease<'_>) -> Result<(), WireError> {
    let connection = lease.connection()?;
    if connection.in_transaction {
        connection.simple(ROLLBACK).await?;
    }
    if connection.in_transaction { Err(WireError::UnexpectedMessage) } else { Ok(()) }
}
