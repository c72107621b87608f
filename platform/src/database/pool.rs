//! A pool of connections. Acquiring one fails immediately when the database is known to be down.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use metrics::gauge;
use sqlx::{PgPool, Postgres, pool};

use super::Database;
use super::connection::{Connection, Transaction};
use super::failure::{is_lost, retry_reason, unavailable};

/// If acquiring a connection takes longer, we probe whether the database answers at all.
const SUSPICIOUS_ACQUIRE: Duration = Duration::from_millis(300);

#[derive(Clone)]
pub struct Pool {
    pub(super) pool: PgPool,
    pub(super) database: Database,
    /// The host that new connections use.
    pub(super) chosen: Arc<AtomicUsize>,
    /// Callers of [`Pool::acquire`].
    pub(super) waiting: Arc<AtomicUsize>,
}

/// Counts a caller until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    pub fn database(&self) -> &Database {
        &self.database
    }

    pub fn size(&self) -> u32 {
        self.pool.options().get_max_connections()
    }

    /// Acquires a connection. Fails immediately during a known outage.
    ///
    /// # Errors
    /// Fails when the database does not answer, or when no connection becomes free in time.
    pub async fn acquire(&self) -> sqlx::Result<Connection> {
        self.database.check()?;
        let _waiting = Waiting::new(&self.waiting);
        let acquired = loop {
            let chosen = self.follow();
            let mut acquiring = std::pin::pin!(self.pool.acquire());
            break match tokio::time::timeout(SUSPICIOUS_ACQUIRE, &mut acquiring).await {
                Ok(acquired) => acquired,
                Err(_) => tokio::select! {
                    biased;
                    acquired = &mut acquiring => acquired,
                    () = self.database.wait_until_down() => Err(unavailable("the database is down")),
                    () = self.database.wait_until_full() => Err(sqlx::Error::PoolTimedOut),
                    () = self.database.wait_for_another_host(chosen) => continue,
                },
            };
        };
        acquired.map(|connection| self.adopt(connection)).map_err(|error| match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => error,
            error if retry_reason(&error).is_some() => {
                self.database.suspect();
                error
            }
            // The client can't fix whatever keeps us from connecting.
            error => {
                self.database.suspect();
                unavailable(error)
            }
        })
    }

    /// Opens new connections to the host that is used now.
    fn follow(&self) -> usize {
        let chosen = *self.database.0.chosen.borrow();
        if self.chosen.swap(chosen, Ordering::Relaxed) != chosen {
            self.pool.set_connect_options(self.database.0.servers.pooled.host(chosen).clone());
        }
        chosen
    }

    /// Begins a transaction. Retries once if the connection turns out to be closed, because nothing has run
    /// on it.
    ///
    /// # Errors
    /// See [`Self::acquire`].
    pub async fn begin(&self) -> sqlx::Result<Transaction> {
        match Transaction::begin(self.acquire().await?).await {
            Err(error) if is_lost(&error) => Transaction::begin(self.acquire().await?).await,
            begun => begun,
        }
    }

    /// Whether the database accepts this login. Uses no connection of the pool, which may be busy.
    ///
    /// # Errors
    /// Fails when the database does not accept the login.
    pub async fn ready(&self) -> sqlx::Result<()> {
        self.database.check()?;
        self.database.probe().await.inspect_err(|_| self.database.suspect())
    }

    /// Sets the gauges of this pool.
    pub fn observe(&self, name: &'static str) {
        let set = |metric: &'static str, value: usize| gauge!(metric, "pool" => name).set(value as f64);
        set("db_pool_max", usize::try_from(self.size()).unwrap_or(usize::MAX));
        set("db_pool_connections", usize::try_from(self.pool.size()).unwrap_or(usize::MAX));
        set("db_pool_idle", self.pool.num_idle());
        set("db_pool_waiting", self.waiting.load(Ordering::Relaxed));
    }

    /// The outage check of [`Self::acquire`], for callers that wait for something else first.
    ///
    /// # Errors
    /// Fails during a known outage.
    pub fn check(&self) -> sqlx::Result<()> {
        self.database.check()
    }

    fn adopt(&self, connection: pool::PoolConnection<Postgres>) -> Connection {
        Connection::new(connection, self.database.clone())
    }
}
