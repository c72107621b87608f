//! Who may use a connection, and when. Clients take turns, so that one with many requests waits for itself; few
//! expensive statements run at once, because each takes a core of the database; some connections are kept for cheap
//! requests; and whoever would wait too long is refused at once.

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

/// Expensive statements are quick below this.
const QUICK: Duration = Duration::from_millis(20);

/// Whose requests share a queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Client {
    /// The account of a signed-in caller.
    Account(Arc<str>),
    Address(IpAddr),
    /// Called without a network.
    Local,
}

impl Client {
    pub fn of(caller: &Caller, address: Option<IpAddr>) -> Self {
        match (&caller.account, address) {
            (Some(account), _) => Self::Account(Arc::clone(account)),
            (None, Some(IpAddr::V6(address))) => {
                // A provider gives each customer a whole /64.
                Self::Address(IpAddr::V6((address.to_bits() >> 64 << 64).into()))
            }
            (None, Some(address)) => Self::Address(address),
            (None, None) => Self::Local,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The queue is full, or too slow.
    Busy,
    /// `PGRST_DB_POOL_ACQUISITION_TIMEOUT` is over.
    PoolTimeout,
}

#[derive(Debug, Clone)]
pub struct Limits {
    pub connections: usize,
    /// Of them, for cheap requests only.
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

    /// What all requests use that are not cheap.
    fn unreserved(&self) -> usize {
        self.connections - self.reserved
    }

    /// How many requests of this weight one client runs at once. On an idle server it gets all that is not
    /// reserved but one connection, which lets the next client begin at once.
    fn for_one_client(&self, weight: Weight, usual: Duration) -> usize {
        match weight {
            Weight::Cheap => self.unreserved(),
            Weight::Ordinary if self.unreserved() > 3 => self.unreserved() - 1,
            Weight::Ordinary => self.unreserved(),
            // The next client does not wait long for quick ones.
            Weight::Expensive if usual < QUICK => self.expensive,
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
    /// When it would not come in time.
    pub async fn admit(&self, client: Client, weight: Weight) -> Result<Permit, Refusal> {
        let Shared { limits, .. } = &*self.0;
        let (ticket, turn) = {
            let mut state = self.0.state();
            if state.may_start(limits, &client, weight) {
                state.start(&client, weight);
                return Ok(self.permit(client, weight));
            }
            if state.is_full(limits, &client, weight) {
                return Err(Refusal::Busy);
            }
            state.wait(&client, weight)
        };
        let mut place = Place { admission: self, client: &client, weight, ticket: Some(ticket) };
        let wait = limits.queue_timeout.min(limits.pool_timeout);
        if !matches!(timeout(wait, turn).await, Ok(Ok(()))) {
            return Err(if limits.pool_timeout < limits.queue_timeout {
                Refusal::PoolTimeout
            } else {
                Refusal::Busy
            });
        }
        place.ticket = None;
        drop(place);
        Ok(self.permit(client, weight))
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

/// A request in the queue. One that goes away leaves it, or hands on the turn it was just given.
struct Place<'a> {
    admission: &'a Admission,
    client: &'a Client,
    weight: Weight,
    ticket: Option<u64>,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut state = self.admission.0.state();
        if !state.leave(self.client, self.weight, ticket) {
            state.end(&self.admission.0.limits, self.client, self.weight, None);
        }
    }
}

/// The right to use a connection, until it is dropped.
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
