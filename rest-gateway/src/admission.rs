//! Decides which request may use a connection, and when. Network addresses share the connections fairly, and so do
//! the accounts behind one address: the one that has used the least time goes next. Few expensive statements run at the
//! same time, because each one occupies a database core. Some connections are reserved for cheap requests. A request
//! that would wait too long is rejected immediately.

mod state;
#[cfg(test)]
mod tests;
mod weight;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use platform::http::origin::network_of;
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::auth::Caller;
use crate::config::Config;
use state::{Charge, State};
pub use weight::{Estimate, Weight};

/// The longest wait in the queue.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(4);

/// A client: the account of a signed-in caller, or a visitor, behind a network address. Calls in the same process have none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    network: Option<IpAddr>,
    account: Option<Arc<str>>,
}

impl Source {
    pub fn new(caller: &Caller, address: Option<IpAddr>) -> Self {
        Self { network: address.map(network_of), account: caller.account.clone() }
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
    pub fn from_config(config: &Config) -> Self {
        Self {
            connections: config.database.pool_size,
            reserved: config.database.pool_size / 5,
            expensive: config.load.expensive_statements,
            queue_length: config.load.queue_length,
            queue_timeout: QUEUE_TIMEOUT,
            pool_timeout: config.database.pool_timeout,
        }
    }

    /// Connections that ordinary and expensive requests share.
    fn unreserved(&self) -> usize {
        self.connections - self.reserved
    }

    /// How many requests of this weight one address may run at the same time. On an idle server it gets every
    /// unreserved connection but one, so that the next client can start immediately.
    fn for_one_network(&self, weight: Weight) -> usize {
        match weight {
            Weight::Ordinary if self.unreserved() > 3 => self.unreserved() - 1,
            Weight::Cheap | Weight::Ordinary => self.unreserved(),
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
    pub async fn admit(&self, source: Source, estimate: Estimate) -> Result<Permit, AdmissionError> {
        let limits = &self.0.limits;
        let mut queued = {
            let mut state = self.0.state.lock();
            let charge = state.estimated(source, estimate);
            if state.may_start(limits, &charge) {
                let charge = Charge { expected: Duration::ZERO, ..charge };
                state.start(&charge);
                return Ok(self.permit(charge));
            }
            let (ticket, turn) = state.wait(limits, &charge).ok_or(AdmissionError::Busy)?;
            QueuedRequest { admission: self, charge, ticket, turn: Some(turn) }
        };
        let wait = limits.queue_timeout.min(limits.pool_timeout);
        let granted = Box::pin(timeout(wait, queued.turn())).await;
        match granted {
            Ok(Ok(())) => {
                queued.turn = None;
                Ok(self.permit(queued.charge.clone()))
            }
            Err(_) if limits.pool_timeout < limits.queue_timeout => Err(AdmissionError::PoolTimeout),
            // Too late, or another client took the place.
            Ok(Err(_)) | Err(_) => Err(AdmissionError::Busy),
        }
    }

    /// The number of running and of waiting requests.
    pub fn load(&self) -> (usize, usize) {
        self.0.state.lock().load()
    }

    fn permit(&self, charge: Charge) -> Permit {
        Permit { admission: self.clone(), charge, since: Instant::now() }
    }
}

/// A queued request. If it is dropped, it leaves the queue, or passes on the turn it was just granted.
struct QueuedRequest<'a> {
    admission: &'a Admission,
    charge: Charge,
    ticket: u64,
    /// `None` once it has been used.
    turn: Option<Turn>,
}

impl QueuedRequest<'_> {
    async fn turn(&mut self) -> Result<(), oneshot::error::RecvError> {
        match &mut self.turn {
            Some(turn) => turn.await,
            None => Ok(()),
        }
    }
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        let Some(mut turn) = self.turn.take() else { return };
        let mut state = self.admission.0.state.lock();
        state.leave(self.ticket);
        // Turns are granted while the state is locked.
        if turn.try_recv().is_ok() {
            state.end(&self.admission.0.limits, &self.charge, None);
        }
    }
}

/// The right to use a connection. Dropping it releases the connection slot.
pub struct Permit {
    admission: Admission,
    charge: Charge,
    since: Instant,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let shared = &self.admission.0;
        shared.state.lock().end(&shared.limits, &self.charge, Some(self.since.elapsed()));
    }
}

type Turn = oneshot::Receiver<()>;
