//! The pool of database connections that the services share: every wait has a deadline on our side, an outage is
//! noticed once and told to every request at once, and a broken connection never keeps its place in the pool.
//!
//! sqlx alone waits for ever where a network path swallows packets: for the answer to a statement, and for the answer
//! to the test of a connection that comes back to its pool, which keeps its place in the pool meanwhile.

mod connection;
mod failure;
mod outage;

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection as _, PgPool, Postgres, pool};

pub use self::connection::{Connection, PgConnection, Transaction};
pub use self::failure::{TryAgain, try_again};
use self::failure::{is_lost, is_permanent, unavailable};
use self::outage::Outage;
use crate::env::{ConfigError, Env};

/// The setting that every service names its database with.
const URL: &str = "DATABASE_URL";
/// What a client is told to wait before it tries again, in seconds. An outage's end is noticed within about one.
pub const RETRY_AFTER_SECONDS: u64 = 1;
/// A connection that takes longer to get makes us look whether the database answers at all.
const SUSPICIOUS_ACQUIRE: Duration = Duration::from_millis(300);
const LONGEST_PAUSE_AT_START: Duration = Duration::from_secs(2);

/// How long we wait for what.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// For a new connection, and for the test of an old one.
    pub connect: Duration,
    /// For a place in the pool.
    pub acquire: Duration,
    /// For a statement: the server cancels it then.
    pub statement: Duration,
    /// How much longer we wait for the server to say so.
    pub grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(5),
            acquire: Duration::from_secs(8),
            statement: Duration::from_secs(8),
            grace: Duration::from_secs(1),
        }
    }
}

impl Limits {
    /// `DATABASE_STATEMENT_SECONDS` (8): how long a statement may take.
    ///
    /// # Errors
    /// When it is no number of seconds.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let name = "DATABASE_STATEMENT_SECONDS";
        let default = Self::default();
        let seconds = env.parse_or(name, default.statement.as_secs())?;
        if seconds == 0 {
            return Err(ConfigError::new(name, "a statement needs a second at least"));
        }
        Ok(Self { statement: Duration::from_secs(seconds), ..default })
    }
}

/// A server, how long we wait for it, and whether it answers at the moment.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    options: PgConnectOptions,
    limits: Limits,
    outage: Outage,
}

impl Database {
    /// Nothing is connected yet.
    pub fn new(options: PgConnectOptions, limits: Limits) -> Self {
        let milliseconds = limits.statement.as_millis().to_string();
        let options = options.options([("statement_timeout", milliseconds)]);
        Self(Arc::new(Inner { outage: Outage::default(), options, limits }))
    }

    /// A pool that connects when it is first asked.
    pub fn pool(&self, connections: u32) -> Pool {
        let database = self.clone();
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(self.0.limits.acquire)
            // Tested below instead, with a limit.
            .test_before_acquire(false)
            .before_acquire(move |connection, idle| {
                let database = database.clone();
                Box::pin(async move {
                    if database.0.outage.ended_within(idle.idle_for) {
                        return Ok(false);
                    }
                    let test = tokio::time::timeout(database.0.limits.connect, connection.ping());
                    test.await.unwrap_or_else(|_| Err(unavailable("a connection is silent"))).map(|()| true)
                })
            })
            .connect_lazy_with(self.0.options.clone());
        Pool { pool, database: self.clone() }
    }

    /// Returns when the database takes connections.
    ///
    /// # Errors
    /// When waiting is of no use: a wrong password, say, or no database of that name.
    pub async fn wait(&self) -> Result<(), ConfigError> {
        let mut pause = Duration::from_millis(100);
        let mut is_first = true;
        loop {
            let Err(error) = self.probe().await else { return Ok(()) };
            if is_permanent(&error) {
                return Err(ConfigError::new(URL, format!("the database can't be used: {error}")));
            }
            if std::mem::take(&mut is_first) {
                tracing::warn!(%error, "waiting for the database");
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE_AT_START);
        }
    }

    /// One new connection, to see whether it can be had.
    async fn probe(&self) -> sqlx::Result<()> {
        let connecting = async {
            match sqlx::PgConnection::connect_with(&self.0.options).await {
                Ok(connection) => connection.close().await,
                // It answers, and connections that are open already are of use.
                Err(error) if try_again(&error) == Some(TryAgain::Busy) => Ok(()),
                Err(error) => Err(error),
            }
        };
        let limit = self.0.limits.connect;
        tokio::time::timeout(limit, connecting).await.unwrap_or_else(|_| Err(unavailable("no answer")))
    }

    /// A connection outside the pool, for what belongs to a session. Dropping it ends the session.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn connect(&self) -> sqlx::Result<sqlx::PgConnection> {
        let connecting = sqlx::PgConnection::connect_with(&self.0.options);
        let connected = tokio::time::timeout(self.0.limits.connect, connecting).await;
        connected.unwrap_or_else(|_| Err(unavailable("no answer")))
    }

    /// For one listener: nobody waits for it, and its silence is no sign.
    pub fn listener_pool(&self) -> PgPool {
        PgPoolOptions::new().max_connections(1).connect_lazy_with(self.0.options.clone())
    }

    fn check(&self) -> sqlx::Result<()> {
        if self.0.outage.is_known() { Err(unavailable("the database is down")) } else { Ok(()) }
    }
}

#[derive(Clone)]
pub struct Pool {
    pool: PgPool,
    database: Database,
}

impl Pool {
    pub fn database(&self) -> &Database {
        &self.database
    }

    pub fn size(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    pub fn limits(&self) -> Limits {
        self.database.0.limits
    }

    /// Fails at once during an outage that is known.
    ///
    /// # Errors
    /// When the database does not answer, or no connection became free in time.
    pub async fn acquire(&self) -> sqlx::Result<Connection> {
        self.database.check()?;
        let mut acquiring = std::pin::pin!(self.pool.acquire());
        let acquired = match tokio::time::timeout(SUSPICIOUS_ACQUIRE, &mut acquiring).await {
            Ok(acquired) => acquired,
            Err(_) => tokio::select! {
                biased;
                acquired = &mut acquiring => acquired,
                () = self.database.found_down() => Err(unavailable("the database is down")),
            },
        };
        acquired.map(|connection| self.adopt(connection)).map_err(|error| match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => error,
            error if try_again(&error).is_some() => {
                self.database.suspect();
                error
            }
            // Whatever keeps us from connecting is nothing the client could mend.
            error => {
                self.database.suspect();
                unavailable(error)
            }
        })
    }

    /// Begins a transaction, once more if the connection turns out to be gone: nothing was done on it.
    ///
    /// # Errors
    /// As [`Self::acquire`].
    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        match Transaction::begin(self.acquire().await?).await {
            Err(error) if is_lost(&error) => Transaction::begin(self.acquire().await?).await,
            begun => begun,
        }
    }

    /// Whether the database answers, for operators.
    ///
    /// # Errors
    /// When it doesn't.
    pub async fn ready(&self) -> sqlx::Result<()> {
        sqlx::query("select").execute(&mut *self.acquire().await?).await.map(drop)
    }

    /// [`Self::acquire`]'s quick refusal, for those who wait for something else first.
    ///
    /// # Errors
    /// During an outage that is known.
    pub fn check(&self) -> sqlx::Result<()> {
        self.database.check()
    }

    fn adopt(&self, connection: pool::PoolConnection<Postgres>) -> Connection {
        Connection::new(connection, self.database.clone())
    }
}
