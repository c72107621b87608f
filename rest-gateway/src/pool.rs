//! Connections that log in as a role without privileges of its own. The role that a request assumes in its
//! transaction decides what it may do.

pub mod error;

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use deadpool_postgres::{
    BuildError, Manager, ManagerConfig, Object, ObjectId, PoolError, RecyclingMethod, Runtime, TimeoutType,
};
use tokio::time::timeout;
use tokio_postgres::{Client, NoTls, Statement};

use crate::admission::Permit;
use crate::config::database::DatabaseConfig;
use crate::outage::{Outage, means_outage};
use error::DatabaseError;

/// The maximum number of prepared statements per connection. When it is reached, the cache is cleared.
const MAX_PREPARED: usize = 500;
/// The maximum number of statements remembered as seen once.
const MAX_SEEN: usize = 10_000;
/// For connecting and signing in. After that the database counts as unavailable.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
/// For sending a cancel request.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

pub struct Pool {
    pool: deadpool_postgres::Pool,
    pub outage: Outage,
    prepares: bool,
    hasher: RandomState,
    seen: Mutex<HashSet<u64>>,
    /// Prepared statements of the connections that are not leased.
    prepared: Mutex<HashMap<ObjectId, Statements>>,
}

type Statements = HashMap<Box<str>, Statement>;

impl Pool {
    /// # Errors
    /// When the settings are invalid.
    pub fn new(config: &DatabaseConfig) -> Result<Self, BuildError> {
        let how = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_config(config.connection.clone(), NoTls, how);
        let pool = deadpool_postgres::Pool::builder(manager)
            .max_size(config.pool_size)
            .wait_timeout(Some(config.pool_timeout))
            .create_timeout(Some(config.pool_timeout.min(CONNECT_TIMEOUT)))
            .runtime(Runtime::Tokio1)
            .build()?;
        Ok(Self {
            pool,
            outage: Outage::new(config.connection.clone()),
            prepares: config.prepared_statements,
            hasher: RandomState::new(),
            seen: Mutex::default(),
            prepared: Mutex::default(),
        })
    }

    /// # Errors
    /// When no connection becomes free in time, or none can be opened.
    pub async fn lease(&self) -> Result<Lease<'_>, DatabaseError> {
        self.lease_for(None).await
    }

    /// Holds the permit until the connection is free again.
    ///
    /// # Errors
    /// See [`Pool::lease`].
    pub async fn lease_for(&self, permit: Option<Arc<Permit>>) -> Result<Lease<'_>, DatabaseError> {
        if self.outage.is_known() {
            return Err(DatabaseError::unavailable());
        }
        let connection = match self.pool.get().await {
            // A connection may be lost while it is being opened; a single failure is not an outage.
            Err(PoolError::Backend(cause)) if means_outage(&cause) => self.pool.get().await,
            got => got,
        }
        .map_err(|error| self.unavailable(&error))?;
        let known =
            self.prepared.lock().unwrap_or_else(PoisonError::into_inner).remove(&Object::id(&connection));
        Ok(Lease {
            statements: Mutex::new(known.unwrap_or_default()),
            connection: Some(connection),
            pool: self,
            permit,
        })
    }

    fn unavailable(&self, error: &PoolError) -> DatabaseError {
        match error {
            PoolError::Timeout(TimeoutType::Wait) => return DatabaseError::PoolTimeout,
            PoolError::Timeout(_) => self.outage.begins(),
            PoolError::Backend(cause) if means_outage(cause) => self.outage.begins(),
            _ => {}
        }
        DatabaseError::Unreachable(root_cause(error))
    }

    fn keep(&self, connection: &Object, statements: Statements) {
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        // Connections that broke while idle leave their entries behind.
        if prepared.len() > 2 * self.pool.status().max_size {
            prepared.clear();
        }
        prepared.insert(Object::id(connection), statements);
    }

    /// Whether a statement is worth preparing: from the second time it is seen.
    pub fn is_worth_preparing(&self, statement: &str) -> bool {
        let hash = self.hasher.hash_one(statement);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_SEEN {
            seen.clear();
        }
        !seen.insert(hash) && self.prepares
    }

    /// Closes the idle connections. Whatever broke one connection has probably broken them too.
    pub fn discard_idle(&self) {
        self.pool.retain(|_, _| false);
    }

    /// Whether requests are waiting for a connection.
    pub fn is_exhausted(&self) -> bool {
        let status = self.pool.status();
        status.available == 0 && status.size >= status.max_size
    }

    pub fn close(&self) {
        self.pool.close();
    }
}

fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// A leased connection. It returns to the pool only through [`Lease::give_back`]: if the request was canceled
/// or its transaction could not begin, the connection is closed, because its state is unknown.
pub struct Lease<'p> {
    connection: Option<Object>,
    statements: Mutex<Statements>,
    pool: &'p Pool,
    permit: Option<Arc<Permit>>,
}

impl Lease<'_> {
    /// # Errors
    /// Never while the lease is held.
    pub fn client(&self) -> Result<&Client, DatabaseError> {
        match &self.connection {
            Some(connection) => Ok(connection),
            None => Err(DatabaseError::Broken("the connection was returned".to_owned())),
        }
    }

    pub fn prepared(&self, statement: &str) -> Option<Statement> {
        self.statements().get(statement).cloned()
    }

    pub fn remember(&self, text: &str, statement: Statement) {
        let mut statements = self.statements();
        if statements.len() >= MAX_PREPARED {
            statements.clear();
        }
        statements.insert(text.into(), statement);
    }

    fn statements(&self) -> MutexGuard<'_, Statements> {
        self.statements.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn give_back(mut self) {
        if let Some(connection) = self.connection.take() {
            let statements = std::mem::take(&mut *self.statements());
            self.pool.keep(&connection, statements);
        }
    }

    /// Closes the connection. Nothing may be running on it.
    pub fn discard(mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Object::take(connection));
        }
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        // Cancel the running statement: PostgreSQL would only notice the closed connection when it sends the
        // result.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let cancel = connection.cancel_token();
            // Until then the statement occupies a core, so keep the client's permit.
            let permit = self.permit.take();
            runtime.spawn(async move {
                let _ = timeout(CANCEL_TIMEOUT, cancel.cancel_query(NoTls)).await;
                drop(permit);
            });
        }
        drop(Object::take(connection));
    }
}
