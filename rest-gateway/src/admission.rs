//! Decides which request may use a connection, and when. Clients take turns, so a client with many requests
//! only delays itself. Few expensive statements run at the same time, because each one occupies a database
//! core. Some connections are reserved for cheap requests. A request that would wait too long is rejected
//! immediately.

mod state;
#[cfg(test)]
mod tests;
mod weight;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::auth::Caller;
use crate::config::Config;
use state::State;
pub use weight::Weight;

/// Expensive statements count as quick if their average time is shorter than this.
const QUICK: Duration = Duration::from_millis(20);

/// Requests of the same client share a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Client {
    /// The account of a signed-in caller.
    Account(Arc<str>),
    Address(IpAddr),
    /// Called in-process, without a network address.
    Local,
}

impl Client {
    pub fn of(caller: &Caller, address: Option<IpAddr>) -> Self {
        match (&caller.account, address) {
            (Some(account), _) => Self::Account(Arc::clone(account)),
            (None, Some(IpAddr::V6(address))) => {
                // Providers assign a whole /64 to each customer.
                Self::Address(IpAddr::V6((address.to_bits() >> 64 << 64).into()))
            }
            (None, Some(address)) => Self::Address(address),
            (None, None) => Self::Local,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdmissionError {
    /// The queue is full, or the expected wait exceeds the queue timeout.
    Busy,
    /// `PGRST_DB_POOL_ACQUISITION_TIMEOUT` has passed.
    PoolTimeout,
}

#[derive(Debug, Clone)]
pub struct Limits {
    pub connections: usize,
    /// The number of connections that only cheap requests may use.
    pub reserved: usize,
    pub expensive: usize,
    pub queue_length: usize,
    pub queue_timeout: Duration,
    pub pool_timeout: Duration,
}

impl Limits {
    pub fn of(config: &Config) -> Self {
        Self {
            connections: config.database.pool_size,
            reserved: config.load.reserved_connections,
            expensive: config.load.expensive_statements,
            queue_length: config.load.queue_length,
            queue_timeout: config.load.queue_timeout,
            pool_timeout: config.database.pool_timeout,
        }
    }

    /// Connections that ordinary and expensive requests share.
    fn unreserved(&self) -> usize {
        self.connections - self.reserved
    }

    /// How many requests of this weight one client may run at the same time. On an idle server a client gets
    /// every unreserved connection but one, so that the next client can start immediately.
    fn for_one_client(&self, weight: Weight, average: Duration) -> usize {
        match weight {
            Weight::Cheap => self.unreserved(),
            Weight::Ordinary if self.unreserved() > 3 => self.unreserved() - 1,
            Weight::Ordinary => self.unreserved(),
            // Quick statements don't delay the next client for long.
            Weight::Expensive if average < QUICK => self.expensive,
            Weight::Expensive => (self.expensive / 2).max(1),
        }
    }
}

/// Clones share one queue.
#[derive(Clone)]
pub struct Admission(Arc<Shared>);

struct Shared {
    limits: Limits,
    state: Mutex<State>,
}

impl Admission {
    pub fn new(limits: Limits) -> Self {
        Self(Arc::new(Shared { limits, state: Mutex::default() }))
    }

    /// Waits for the client's turn.
    ///
    /// # Errors
    /// When the wait would exceed, or exceeds, the timeout.
    pub async fn admit(&self, client: Client, weight: Weight) -> Result<Permit, AdmissionError> {
        let Shared { limits, .. } = &*self.0;
        let (ticket, turn) = {
            let mut state = self.0.state();
            if state.may_start(limits, &client, weight) {
                state.start(&client, weight);
                return Ok(self.permit(client, weight));
            }
            if state.is_full(limits, &client, weight) {
                return Err(AdmissionError::Busy);
            }
            state.wait(&client, weight)
        };
        let mut queued = QueuedRequest { admission: self, client: &client, weight, ticket: Some(ticket) };
        let wait = limits.queue_timeout.min(limits.pool_timeout);
        if !matches!(Box::pin(timeout(wait, turn)).await, Ok(Ok(()))) {
            return Err(if limits.pool_timeout < limits.queue_timeout {
                AdmissionError::PoolTimeout
            } else {
                AdmissionError::Busy
            });
        }
        queued.ticket = None;
        drop(queued);
        Ok(self.permit(client, weight))
    }

    /// The number of running and of waiting requests.
    pub fn load(&self) -> (usize, usize) {
        self.0.state().load()
    }

    fn permit(&self, client: Client, weight: Weight) -> Permit {
        Permit { admission: self.clone(), client, weight, since: Instant::now() }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A queued request. If it is dropped, it leaves the queue, or passes on the turn it was just granted.
struct QueuedRequest<'a> {
    admission: &'a Admission,
    client: &'a Client,
    weight: Weight,
    ticket: Option<u64>,
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut state = self.admission.0.state();
        if !state.leave(self.client, self.weight, ticket) {
            state.end(&self.admission.0.limits, self.client, self.weight, None);
        }
    }
}

/// The right to use a connection. Dropping it releases the connection slot.
pub struct Permit {
    admission: Admission,
    client: Client,
    weight: Weight,
    since: Instant,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let shared = &self.admission.0;
        shared.state().end(&shared.limits, &self.client, self.weight, Some(self.since.elapsed()));
    }
}

type Turn = oneshot::Receiver<()>;
