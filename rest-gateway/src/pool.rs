//! Connections of a login role without privileges. The role that a request assumes in its transaction decides what
//! it may do.

pub mod error;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use platform::database::TargetSession;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;
use uuid::Uuid;

use crate::admission::Permit;
use crate::config::database::DatabaseConfig;
use crate::config::server::STATUS_LOG;
use crate::outage::Outage;
use crate::wire::error::WireError;
use crate::wire::{self, Connection};
use error::DatabaseError;

/// The maximum number of statements whose first use is recorded before they are prepared.
const MAX_SEEN: usize = 10_000;
/// Timeout for connecting and authenticating, after which the database counts as unavailable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// Timeout for sending a cancel request.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

pub struct Pool {
    pub config: DatabaseConfig,
    pub outage: Outage,
    /// One permit for each connection that may be leased.
    slots: Semaphore,
    /// Ordered by last use. The most recent one is used first, because its caches are warm.
    idle: Mutex<Vec<Session>>,
    epoch: AtomicU64,
    hasher: RandomState,
    /// Hashes of the statements that have been sent.
    seen: Mutex<HashSet<u64>>,
}

/// An open connection.
struct Session {
    connection: Connection,
    /// The connection's id in the log.
    id: Uuid,
    /// Connections of an earlier epoch are closed when they become idle.
    epoch: u64,
    /// The last role that used the connection.
    role: Option<Arc<str>>,
    /// The index of the host that it is connected to.
    host: usize,
    opened: Instant,
    used: Instant,
}

impl Pool {
    pub fn new(config: &DatabaseConfig) -> Self {
        Self {
            config: config.clone(),
            outage: Outage::new(config.connection.clone()),
            slots: Semaphore::new(config.pool_size),
            idle: Mutex::default(),
            epoch: AtomicU64::new(0),
            hasher: RandomState::new(),
            seen: Mutex::default(),
        }
    }

    /// Prefers a connection that the role has used before. Holds the permit until the connection is free
    /// again.
    ///
    /// # Errors
    /// When no connection becomes free in time, or none can be opened.
    pub async fn lease(
        &self,
        role: Option<&Arc<str>>,
        permit: Option<Arc<Permit>>,
    ) -> Result<Lease<'_>, DatabaseError> {
        if self.outage.is_known() {
            return Err(DatabaseError::unavailable());
        }
        tracing::debug!(target: STATUS_LOG, "Trying to borrow a connection from pool");
        let slot = self.acquire_slot().await?;
        let session = match self.take_idle(role) {
            Some(session) => session,
            None => self.open_session().await?,
        };
        tracing::debug!(target: STATUS_LOG, "Connection {} is used", session.id);
        Ok(Lease { session: Some(session), pool: self, permit, _slot: slot })
    }

    async fn open_session(&self) -> Result<Session, DatabaseError> {
        // Read before the connection is opened, so that it does not outlive a flush.
        let epoch = self.epoch.load(Ordering::SeqCst);
        let id = Uuid::new_v4();
        tracing::debug!(target: STATUS_LOG, "Connection {id} is being established");
        let connection = self.open().await?;
        tracing::debug!(target: STATUS_LOG, "Connection {id} is available due to connection establishment");
        let now = Instant::now();
        let host = self.host();
        Ok(Session { connection, id, epoch, role: None, host, opened: now, used: now })
    }

    async fn acquire_slot(&self) -> Result<SemaphorePermit<'_>, DatabaseError> {
        if let Ok(slot) = self.slots.try_acquire() {
            return Ok(slot);
        }
        match Box::pin(timeout(self.config.pool_timeout, self.slots.acquire())).await {
            Ok(Ok(slot)) => Ok(slot),
            Ok(Err(_)) => Err(DatabaseError::Unreachable("the pool is closed".to_owned())),
            Err(_) => Err(DatabaseError::PoolTimeout),
        }
    }

    fn take_idle(&self, role: Option<&Arc<str>>) -> Option<Session> {
        let mut idle = self.idle.lock();
        let of_role = |session: &Session| role.is_some() && session.role.as_ref() == role;
        while !idle.is_empty() {
            let position = idle.iter().rposition(of_role).unwrap_or(idle.len() - 1);
            let mut session = idle.remove(position);
            let is_fresh = session.host == self.host()
                && session.used.elapsed() < self.config.max_idle_time
                && session.opened.elapsed() < self.config.max_lifetime;
            if is_fresh && session.connection.is_usable() {
                return Some(session);
            }
        }
        None
    }

    /// The host that was last found to be of the wanted kind. Connections to other hosts are no longer used.
    fn host(&self) -> usize {
        match self.config.connection.wanted {
            TargetSession::Any => 0,
            _ => self.config.connection.preferred.load(Ordering::Relaxed),
        }
    }

    async fn open(&self) -> Result<Connection, DatabaseError> {
        let limit = self.config.pool_timeout.min(CONNECT_TIMEOUT);
        let mut failure = None;
        // Try twice, because a single failure is not an outage: the connection may be lost while it is opened.
        for _ in 0..2 {
            match Box::pin(timeout(limit, wire::open(&self.config.connection))).await {
                Ok(Ok(mut connection)) => {
                    connection.largest_row = self.config.largest_row;
                    return Ok(connection);
                }
                Ok(Err(error)) if error.means_outage() => failure = Some(error.to_string()),
                Ok(Err(error)) => return Err(DatabaseError::Unreachable(error.to_string())),
                Err(_) => {
                    failure = Some("connecting took too long".to_owned());
                    break;
                }
            }
        }
        self.outage.begin();
        Err(DatabaseError::Unreachable(failure.unwrap_or_default()))
    }

    /// Keeps an idle connection. Closes connections that have been idle for too long, which come first.
    fn keep(&self, session: Session) {
        let mut idle = self.idle.lock();
        let is_old = |session: &Session| session.used.elapsed() >= self.config.max_idle_time;
        while idle.first().is_some_and(is_old) {
            idle.remove(0);
        }
        idle.push(session);
    }

    /// Whether to prepare a statement. Its first use is only recorded.
    pub fn should_prepare(&self, role: &str, statement: &str) -> bool {
        let hash = self.hasher.hash_one((role, statement));
        let mut seen = self.seen.lock();
        if seen.len() >= MAX_SEEN {
            seen.clear();
        }
        !seen.insert(hash) && self.config.prepared_statements
    }

    /// Closes the idle connections, because they are probably broken for the same reason.
    pub fn discard_idle(&self) {
        self.idle.lock().clear();
    }

    /// Closes all connections, and those in use when they become idle, because settings of the login role
    /// apply only to new connections.
    pub fn flush(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        self.discard_idle();
    }

    pub fn close(&self) {
        self.slots.close();
        self.discard_idle();
    }
}

/// A leased connection. It returns to the pool only through [`Lease::release`]. A dropped lease closes the
/// connection, because its state is unknown: the request was canceled or its transaction failed to begin.
pub struct Lease<'p> {
    session: Option<Session>,
    pool: &'p Pool,
    permit: Option<Arc<Permit>>,
    _slot: SemaphorePermit<'p>,
}

impl Lease<'_> {
    /// # Errors
    /// Never while the lease is held.
    pub fn connection(&mut self) -> Result<&mut Connection, WireError> {
        self.session.as_mut().map(|session| &mut session.connection).ok_or(WireError::Closed)
    }

    /// Returns the connection, which `role` has used, to the pool.
    pub fn release(mut self, role: Option<&Arc<str>>) {
        if let Some(mut session) = self.session.take() {
            session.connection.shrink();
            session.role = role.cloned().or(session.role);
            session.used = Instant::now();
            tracing::debug!(target: STATUS_LOG, "Connection {} is available due to session success", session.id);
            tracing::debug!(target: STATUS_LOG, "Borrowed a connection from the pool");
            let is_current = session.epoch == self.pool.epoch.load(Ordering::SeqCst);
            if is_current && !self.pool.slots.is_closed() {
                self.pool.keep(session);
            }
        }
    }

    /// Closes the connection. Nothing may be running on it.
    pub fn discard(mut self) {
        self.session = None;
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(session) = self.session.take() else { return };
        // Cancel the running statement, because PostgreSQL notices the closed connection only when it sends the
        // result.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let canceler = session.connection.canceler;
            // Keep the client's permit until then, because the statement still occupies a core.
            let permit = self.permit.take();
            runtime.spawn(async move {
                let _ = timeout(CANCEL_TIMEOUT, canceler.cancel()).await;
                drop(permit);
            });
        }
    }
}
