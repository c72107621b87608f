//! The connection pool shared by the services. Every wait has a client-side deadline, an outage is detected
//! once and reported to all requests immediately, and a broken connection never occupies a slot in the pool.
//!
//! sqlx alone waits forever when a network path drops packets: for the response to a statement, and for the
//! test of a connection that is returned to the pool, which occupies its slot in the meantime.

mod address;
mod connection;
mod failure;
mod outage;
mod pool;
mod race;
mod server;
mod target;
mod url;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use sqlx::Connection as _;
use sqlx::postgres::PgPoolOptions;
use tokio::sync::watch;

pub use self::connection::{Connection, PgConnection, Transaction};
pub use self::failure::{POOLER_ADVICE, RetryReason, mixes_statements, needs_primary, retry_reason};
use self::failure::{explained, is_permanent, unavailable};
use self::outage::Outage;
pub use self::pool::Pool;
pub use self::race::{Rank, race};
pub use self::server::{PIN, Server, Servers, pinned, single_hosts};
pub use self::target::TargetSession;
pub use self::url::{url, with_login, without_password};
use crate::env::{ConfigError, Env};

/// The variable that holds every service's connection string.
const URL: &str = "DATABASE_URL";
/// The variable for connections that need a session, if `DATABASE_URL` names a pooler.
pub const LISTEN_URL: &str = "DATABASE_LISTEN_URL";
/// The variable for standbys that serve reads.
pub const REPLICA_URL: &str = "DATABASE_REPLICA_URL";
/// The `Retry-After` of 503 responses, in seconds. The end of an outage is detected within about one second.
pub const RETRY_AFTER_SECONDS: u64 = 1;
const LONGEST_PAUSE_AT_START: Duration = Duration::from_secs(2);

/// Timeouts for database operations.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Timeout for connecting, and for testing an idle connection.
    pub connect: Duration,
    /// Timeout for getting a free slot in the pool.
    pub acquire: Duration,
    /// Timeout after which the server cancels a statement.
    pub statement: Duration,
    /// How much longer we wait for the server to report the cancellation.
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
    /// Reads `DATABASE_STATEMENT_SECONDS` (default 8), the statement timeout.
    ///
    /// # Errors
    /// Fails when the value is not a positive number of seconds.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let name = "DATABASE_STATEMENT_SECONDS";
        let default = Self::default();
        let seconds = env.parse_or(name, default.statement.as_secs())?;
        if seconds == 0 {
            return Err(ConfigError::new(name, "must be at least 1"));
        }
        Ok(Self { statement: Duration::from_secs(seconds), ..default })
    }
}

/// A server, its timeouts, and whether it is currently reachable.
#[derive(Clone)]
pub struct Database(Arc<Inner>);

struct Inner {
    servers: Servers,
    /// The index of the pooled host in use.
    chosen: watch::Sender<usize>,
    limits: Limits,
    outage: Outage,
}

impl Database {
    /// Does not connect yet.
    pub fn new(servers: impl Into<Servers>, limits: Limits) -> Self {
        let chosen = watch::Sender::new(0);
        Self(Arc::new(Inner { servers: servers.into(), chosen, limits, outage: Outage::default() }))
    }

    /// A pool that connects on first use.
    pub fn pool(&self, connections: u32) -> Pool {
        let (database, connected) = (self.clone(), self.clone());
        let chosen = *self.0.chosen.borrow();
        let pool = PgPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(self.0.limits.acquire)
            .after_connect(move |connection, _| {
                connected.0.outage.set_full(false);
                let connected = connected.clone();
                Box::pin(async move { connected.check_host(connection).await })
            })
            // Tested below instead, with a timeout.
            .test_before_acquire(false)
            .before_acquire(move |connection, idle| {
                let database = database.clone();
                Box::pin(async move {
                    if database.0.outage.ended_within(idle.idle_for) {
                        return Ok(false);
                    }
                    let test = tokio::time::timeout(database.0.limits.connect, connection.ping());
                    test.await
                        .unwrap_or_else(|_| Err(unavailable("a connection does not respond")))
                        .map(|()| true)
                })
            })
            .connect_lazy_with(self.0.servers.pooled.host(chosen).clone());
        let chosen = Arc::new(AtomicUsize::new(chosen));
        Pool { pool, database: self.clone(), chosen, waiting: Arc::default() }
    }

    /// Returns once the database accepts connections.
    ///
    /// # Errors
    /// Fails when retrying can't help, for example because of a wrong password or database name, or a pooler that is too
    /// old.
    pub async fn wait(&self) -> Result<(), ConfigError> {
        let mut pause = Duration::from_millis(100);
        let mut is_first = true;
        loop {
            let Err(error) = self.probe().await else { return self.check_pooler().await };
            if is_permanent(&error) {
                return Err(ConfigError::new(
                    URL,
                    format!("the database can't be used: {}", explained(&error)),
                ));
            }
            if std::mem::take(&mut is_first) {
                tracing::warn!(%error, "waiting for the database");
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE_AT_START);
        }
    }

    /// Prepares a statement in two connections, one after the other. Both give it the same name, so a pooler
    /// that assigns them the same session must keep the two apart.
    async fn check_pooler(&self) -> Result<(), ConfigError> {
        for _ in 0..2 {
            let connected = self.0.servers.pooled.connect(self.0.limits.connect).await;
            // Other errors are reported by the requests that run into them.
            let Ok(mut connection) = connected else { return Ok(()) };
            let prepared = sqlx::query("select 1").execute(&mut connection);
            let prepared = tokio::time::timeout(self.0.limits.statement, prepared).await;
            if let Ok(Err(sqlx::Error::Database(refusal))) = &prepared
                && refusal.code().is_some_and(|code| mixes_statements(&code))
            {
                return Err(ConfigError::new(URL, POOLER_ADVICE));
            }
            let _ = close(connection, self.0.limits.connect).await;
        }
        Ok(())
    }

    /// Opens a new connection to check whether the database accepts it. With several hosts, this chooses the
    /// host to use from now on.
    async fn probe(&self) -> sqlx::Result<()> {
        let chosen = *self.0.chosen.borrow();
        let connected = self.0.servers.pooled.connect_first(chosen, self.0.limits.connect).await;
        let is_full = connected.as_ref().is_err_and(|error| retry_reason(error) == Some(RetryReason::Busy));
        self.0.outage.set_full(is_full);
        match connected {
            Ok((index, connection)) => {
                self.choose(index);
                close(connection, self.0.limits.connect).await
            }
            // The server responds, and existing connections still work.
            Err(_) if is_full => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn choose(&self, index: usize) {
        if self.0.chosen.send_replace(index) != index {
            self.0.outage.distrust_idle();
            let host = self.0.servers.pooled.host(index);
            tracing::warn!(
                host = host.get_host(),
                port = host.get_port(),
                "using another host of the database"
            );
        }
    }

    /// With several hosts, the one in use may have become a standby.
    async fn check_host(&self, connection: &mut sqlx::PgConnection) -> sqlx::Result<()> {
        let rank = self.0.servers.pooled.wanted().rank(connection).await;
        rank.map(drop).inspect_err(|_| self.suspect())
    }

    /// A connection outside the pool, for session state. Dropping it ends the session.
    ///
    /// # Errors
    /// Fails when the database does not answer.
    pub async fn connect(&self) -> sqlx::Result<sqlx::PgConnection> {
        self.0.servers.direct.connect(self.0.limits.connect).await
    }

    fn check(&self) -> sqlx::Result<()> {
        if self.0.outage.is_known() { Err(unavailable("the database is down")) } else { Ok(()) }
    }
}

async fn close(connection: sqlx::PgConnection, limit: Duration) -> sqlx::Result<()> {
    let closed = tokio::time::timeout(limit, connection.close()).await;
    closed.unwrap_or_else(|_| Err(unavailable("no answer")))
}
