//! Connections for whoever signs in with a password: one for the look-up, one for the session, none for the hash
//! between them.
//!
//! sqlx's pool tests a connection before it is lent and when it comes back, two round trips that a flood of sign-ins
//! feels. So while one sign-in follows the other, the next takes over the connection as the last one left it: always
//! the last one's, because hashes sweep the processor's caches, and only what was used a moment ago is still there.

use std::time::{Duration, Instant};

use deadpool::Runtime;
use deadpool::managed::{
    BuildError, Manager, Metrics, Object, Pool, PoolError, QueueMode, RecycleError, RecycleResult,
};
use platform::database::{self, PgConnection};

/// A connection that answered so recently is not tested again: in a flood each is used every few milliseconds, and
/// when the database goes, no more fail than would have been under way.
const BELIEVED: Duration = Duration::from_millis(100);

pub struct PasswordConnections {
    connections: Pool<Handover>,
    database: database::Pool,
}

pub struct Connection {
    connection: database::Connection,
    answered: Option<Instant>,
}

impl PasswordConnections {
    /// As many as the pool has; whoever gets none waits as long as there.
    ///
    /// # Errors
    /// When there is no clock for the wait.
    pub fn of(pool: database::Pool) -> Result<Self, BuildError> {
        let (at_once, wait) = (pool.size() as usize, pool.limits().acquire);
        let handover = Pool::builder(Handover(pool.clone())).max_size(at_once).queue_mode(QueueMode::Lifo);
        let connections = handover.wait_timeout(Some(wait)).runtime(Runtime::Tokio1).build()?;
        Ok(Self { connections, database: pool })
    }

    /// # Errors
    /// As sqlx's pool.
    pub async fn take(&self) -> sqlx::Result<Object<impl Manager<Type = Connection> + use<>>> {
        self.database.check()?;
        self.connections.get().await.map_err(|error| match error {
            PoolError::Backend(error) => error,
            _ => sqlx::Error::PoolTimedOut,
        })
    }
}

impl Connection {
    /// For one statement.
    pub fn lend(&mut self) -> &mut PgConnection {
        self.answered = None;
        &mut self.connection
    }

    /// Whether its last statement failed because the server had closed it.
    pub fn is_lost(&self) -> bool {
        self.connection.is_lost()
    }

    /// The statement was answered: who comes next may do without a test.
    pub fn answered(&mut self) {
        self.answered = Some(Instant::now());
    }
}

/// Where connections come from, and go back to when nobody follows.
struct Handover(database::Pool);

impl Manager for Handover {
    type Type = Connection;
    type Error = sqlx::Error;

    async fn create(&self) -> sqlx::Result<Connection> {
        Ok(Connection { connection: self.0.acquire().await?, answered: None })
    }

    async fn recycle(&self, last: &mut Connection, _: &Metrics) -> RecycleResult<sqlx::Error> {
        if last.answered.is_some_and(|at| at.elapsed() < BELIEVED) {
            return Ok(());
        }
        Err(RecycleError::message("sqlx tests it"))
    }
}
