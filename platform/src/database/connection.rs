//! Connections whose statements have a deadline, and that leave the pool when they break.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::pin::pin;
use std::time::Duration;

use futures::StreamExt;
use futures::future::BoxFuture;
use futures::stream::{self, BoxStream};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgQueryResult, PgRow, PgStatement, PgTypeInfo};
use sqlx::{Describe, Either, Execute, Executor, Postgres, SqlStr};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::Database;
use super::failure::{breaks_connection, unavailable};
use crate::http::request_id::{self, DatabaseTimer};

/// If a statement takes longer, we probe whether the database answers at all.
const SUSPICIOUS_STATEMENT: Duration = Duration::from_secs(2);

/// Replaces sqlx's type of this name. Each statement has a deadline, and fails when an outage is detected.
pub struct PgConnection {
    /// `Some` until it is dropped.
    pooled: Option<PoolConnection<Postgres>>,
    database: Database,
    state: State,
    /// Whether a transaction is open.
    in_transaction: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Healthy,
    /// The server has closed the connection.
    Lost,
    /// A statement was not answered in time.
    TimedOut,
}

/// A connection of the pool; returned when dropped.
pub struct Connection(PgConnection);

/// Rolled back when dropped, unless it was committed.
pub struct Transaction(Connection);

impl Connection {
    pub(super) fn new(pooled: PoolConnection<Postgres>, database: Database) -> Self {
        Self(PgConnection { pooled: Some(pooled), database, state: State::Healthy, in_transaction: false })
    }
}

impl Transaction {
    pub(super) async fn begin(mut connection: Connection) -> sqlx::Result<Self> {
        // Set before `BEGIN`, so that a canceled one is rolled back too.
        connection.0.in_transaction = true;
        // In the same round trip, and for this transaction only, because a pooler gives the session to other
        // clients afterwards. Ids need no escaping; PostgreSQL cuts the name off after 63 bytes.
        let milliseconds = connection.0.database.0.limits.statement.as_millis();
        let mut begin = format!("BEGIN; SET LOCAL statement_timeout = {milliseconds}");
        if let Some(id) = request_id::current() {
            begin.push_str(&format!("; SET LOCAL application_name = '{id}'"));
        }
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(begin))).await?;
        Ok(Self(connection))
    }

    /// # Errors
    /// Fails when the database rejects the commit or does not answer. In the latter case it may still be
    /// committed.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.end("COMMIT").await
    }

    /// # Errors
    /// Fails when the database does not answer.
    pub async fn rollback(self) -> sqlx::Result<()> {
        self.end("ROLLBACK").await
    }

    async fn end(mut self, how: &'static str) -> sqlx::Result<()> {
        self.0.execute(how).await?;
        self.0.0.in_transaction = false;
        Ok(())
    }
}

impl Drop for PgConnection {
    fn drop(&mut self) {
        let Some(mut pooled) = self.pooled.take() else { return };
        let (Ok(runtime), false) = (tokio::runtime::Handle::try_current(), self.state != State::Healthy)
        else {
            drop(pooled.detach());
            return;
        };
        let (limit, in_transaction) = (self.database.0.limits.connect, self.in_transaction);
        runtime.spawn(async move {
            if in_transaction && !matches!(timeout(limit, pooled.execute("ROLLBACK")).await, Ok(Ok(_))) {
                drop(pooled.detach());
                return;
            }
            // Tests the connection. On a timeout, dropping the future closes the connection and frees its
            // slot.
            let _ = timeout(limit, pooled.return_to_pool()).await;
        });
    }
}

/// A running statement.
struct Statement<'connection> {
    began: Instant,
    database: &'connection Database,
    state: &'connection mut State,
}

impl PgConnection {
    /// Whether the server has closed the connection.
    pub fn is_lost(&self) -> bool {
        self.state == State::Lost
    }

    fn start(&mut self) -> sqlx::Result<(&mut sqlx::PgConnection, Statement<'_>)> {
        let Self { pooled, database, state, .. } = self;
        match pooled {
            Some(pooled) if *state == State::Healthy => {
                Ok((&mut **pooled, Statement { began: Instant::now(), database, state }))
            }
            _ => Err(unavailable("the connection is broken")),
        }
    }
}

impl Statement<'_> {
    /// Waits for the result, up to the deadline.
    async fn limited<T>(&mut self, answer: impl Future<Output = T>) -> sqlx::Result<T> {
        let limits = self.database.0.limits;
        let _timer = DatabaseTimer::new();
        let deadline = self.began + limits.statement + limits.grace;
        let mut answer = pin!(answer);
        let suspicious = deadline.min(self.began + SUSPICIOUS_STATEMENT);
        if let Ok(answer) = timeout_at(suspicious, &mut answer).await {
            return Ok(answer);
        }
        tokio::select! {
            biased;
            answer = answer => return Ok(answer),
            () = self.database.wait_until_down() => (),
            () = sleep_until(deadline) => (),
        }
        *self.state = State::TimedOut;
        Err(unavailable("a statement received no response"))
    }

    /// Records whether the error broke the connection.
    fn failed(&mut self, error: &sqlx::Error) {
        if breaks_connection(error) {
            *self.state = State::Lost;
            self.database.suspect();
        }
    }

    async fn result<T>(mut self, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        self.limited(answer).await.flatten().inspect_err(|error| self.failed(error))
    }
}

impl<'c> Executor<'c> for &'c mut PgConnection {
    type Database = Postgres;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, sqlx::Result<Either<PgQueryResult, PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        let (connection, statement) = match self.start() {
            Ok(started) => started,
            Err(error) => return stream::iter([Err(error)]).boxed(),
        };
        let rows = connection.fetch_many(query);
        let next = |state: Option<(BoxStream<'e, _>, Statement<'e>)>| async move {
            let (mut rows, mut statement) = state?;
            match statement.limited(rows.next()).await {
                Ok(None) => None,
                Ok(Some(Ok(row))) => Some((Ok(row), Some((rows, statement)))),
                Ok(Some(Err(error))) => {
                    statement.failed(&error);
                    Some((Err(error), None))
                }
                Err(error) => Some((Err(error), None)),
            }
        };
        stream::unfold(Some((rows, statement)), next).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, sqlx::Result<Option<PgRow>>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Postgres>,
    {
        Box::pin(async move {
            let (connection, statement) = self.start()?;
            statement.result(connection.fetch_optional(query)).await
        })
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [PgTypeInfo],
    ) -> BoxFuture<'e, sqlx::Result<PgStatement>>
    where
        'c: 'e,
    {
        Box::pin(async move {
            let (connection, statement) = self.start()?;
            statement.result(connection.prepare_with(sql, parameters)).await
        })
    }

    fn describe<'e>(self, sql: SqlStr) -> BoxFuture<'e, sqlx::Result<Describe<Postgres>>>
    where
        'c: 'e,
    {
        Box::pin(async move {
            let (connection, statement) = self.start()?;
            statement.result(connection.describe(sql)).await
        })
    }
}

impl fmt::Debug for PgConnection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PgConnection").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Deref for Connection {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.0
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.0
    }
}
