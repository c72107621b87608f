//! Connections for password sign-ins: one for the look-up, one to create the session, none while the hash is
//! computed.
//!
//! sqlx's pool tests a connection when it is acquired and when it is returned, two round trips that matter in
//! a flood of sign-ins. While sign-ins follow each other, the next one therefore reuses the last one's
//! connection untested. The order is last in, first out: hashes evict the processor's caches, so only the
//! most recently used connection is still cached.

use std::time::{Duration, Instant};

use deadpool::Runtime;
use deadpool::managed::{
    BuildError, Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult,
};
use platform::database::{self, PgConnection};

/// A connection that answered this recently is reused without a test. In a flood each is used every few
/// milliseconds, so when the database goes down, no more requests fail than were in flight anyway.
const TRUSTED_FOR: Duration = Duration::from_millis(100);

pub struct PasswordConnections {
    connections: Pool<ConnectionManager>,
    database: database::Pool,
}

pub struct Connection {
    connection: database::Connection,
    answered: Option<Instant>,
}

impl PasswordConnections {
    /// Up to as many connections as the pool has, with the pool's acquire timeout.
    ///
    /// # Errors
    /// Fails without a runtime for the timeout.
    pub fn of(pool: database::Pool) -> Result<Self, BuildError> {
        let (at_once, wait) = (pool.size() as usize, pool.limits().acquire);
        let builder =
            Pool::builder(ConnectionManager(pool.clone())).max_size(at_once).queue_mode(QueueMode::Lifo);
        let connections = builder.wait_timeout(Some(wait)).runtime(Runtime::Tokio1).build()?;
        Ok(Self { connections, database: pool })
    }

    /// # Errors
    /// Fails like sqlx's pool.
    pub async fn take(&self) -> sqlx::Result<Object<impl Manager<Type = Connection> + use<>>> {
        self.database.check()?;
        self.connections.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            _ => sqlx::Error::PoolTimedOut,
        })
    }
}

impl Connection {
    /// Lends the connection for one statement.
    pub fn lend(&mut self) -> &mut PgConnection {
        self.answered = None;
        &mut self.connection
    }

    /// Whether the last statement failed because the server had closed the connection.
    pub fn is_lost(&self) -> bool {
        self.connection.is_lost()
    }

    /// Marks the statement as answered, so that the next user may skip the test.
    pub fn answered(&mut self) {
        self.answered = Some(Instant::now());
    }
}

/// Takes connections from sqlx's pool and returns them when no other sign-in follows.
struct ConnectionManager(database::Pool);

impl Manager for ConnectionManager {
    type Type = Connection;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Connection> {
        Ok(Connection { connection: self.0.acquire().await?, answered: None })
    }

    async fn recycle(&self, last: &mut Connection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        if last.answered.is_some_and(|at| at.elapsed() < TRUSTED_FOR) {
            return Ok(());
        }
        Err(RecycleError::message("returned to sqlx's pool for a test"))
    }
}
