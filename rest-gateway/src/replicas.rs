//! Standbys that serve reads. Background tasks track how far each one has replayed the primary's changes, so
//! a request needs no additional round trip. docs/decisions/013-reads-on-replicas.md explains the choice.

mod lag;
mod seen;
pub mod watch;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use metrics::{Counter, Gauge, counter, describe_counter, describe_gauge, gauge};
use parking_lot::Mutex;
use platform::clock::Clock;
use tokio::sync::watch as channel;
use tokio::task::AbortHandle;

use crate::admission::{Admission, Limits};
use crate::auth::Caller;
use crate::config::Config;
use crate::error::Error;
use crate::pool::Pool;
use crate::pool::error::DatabaseError;
use crate::position::{self, Position};
use lag::PrimaryHistory;
use seen::SeenPositions;

/// Added to the allowed lag. A client with a new token may have just signed up, and the auth service writes
/// to the primary.
const FRESH_TOKEN: Duration = Duration::from_secs(2);
/// How far a replica may be behind when it answers an account. A banned account reads for at most this long, plus the
/// time between two measurements.
const ACCOUNT_LAG: Duration = Duration::from_millis(500);

/// Identifies a client: its account, or else its address. All gateways compute the same number.
pub type Reader = u64;

pub fn reader(caller: &Caller, address: Option<IpAddr>) -> Reader {
    match &caller.account {
        Some(account) => hash(account),
        None => hash(address),
    }
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub struct Replicas {
    all: Vec<Arc<Replica>>,
    seen: Arc<SeenPositions>,
    /// Tokens that are younger than this many seconds count as new.
    fresh_token: i64,
    clock: Clock,
    pub metrics: ReadMetrics,
    tasks: Vec<AbortHandle>,
}

/// A standby.
pub struct Replica {
    pub name: String,
    pub pool: Pool,
    pub admission: Admission,
    in_use: channel::Sender<bool>,
    measured: Mutex<Measured>,
    lag: Gauge,
}

#[derive(Clone, Copy)]
struct Measured {
    /// Everything up to this position of the primary is visible here.
    replayed: Position,
    lag: Duration,
}

pub struct ReadMetrics {
    pub on_replica: Counter,
    pub on_primary: Counter,
    /// Reads that a replica could not answer and the primary answers.
    pub moved: Counter,
    in_use: Gauge,
}

impl Replicas {
    /// Returns `None` without replicas. Must be called inside a runtime, because it spawns tasks.
    pub fn start(config: &Config, clock: Clock) -> Option<Self> {
        if config.database.replicas.is_empty() {
            return None;
        }
        let metrics = ReadMetrics::new();
        let of_config = |replica: &crate::config::connection::ReplicaConfig| {
            let mut database = config.database.clone();
            database.connection = replica.connection.clone();
            Arc::new(Replica {
                pool: Pool::new(&database),
                admission: Admission::new(Limits::from_config(config)),
                in_use: channel::Sender::new(false),
                measured: Mutex::new(Measured { replayed: Position(0), lag: Duration::MAX }),
                lag: gauge!("gateway_replica_lag_seconds", "replica" => replica.name.clone()),
                name: replica.name.clone(),
            })
        };
        let all: Vec<_> = config.database.replicas.iter().map(of_config).collect();
        let (seen, history) = (Arc::new(SeenPositions::default()), Arc::new(PrimaryHistory::default()));
        let limit = config.database.replica_lag;
        let mut tasks = vec![watch::primary(
            config.database.connection.clone(),
            Arc::clone(&history),
            all.clone(),
            Arc::clone(&seen),
        )];
        for (replica, settings) in all.iter().zip(&config.database.replicas) {
            let replica = Arc::clone(replica);
            let connection = settings.connection.clone();
            let total = (all.clone(), metrics.in_use.clone());
            tasks.push(watch::replica(replica, connection, Arc::clone(&history), limit, total));
        }
        let fresh_token = i64::try_from((limit + FRESH_TOKEN).as_secs()).unwrap_or(i64::MAX);
        Some(Self { all, seen, fresh_token, clock, metrics, tasks })
    }

    /// The position that a replica must have replayed for this client: what it has written or seen, through this gateway
    /// or any other.
    pub fn needed_by(&self, reader: Reader, headers: &HeaderMap) -> Option<Position> {
        position::named(headers).max(self.seen.needed_by(reader))
    }

    /// The client's replica: always the same one while it is in use, because a replica never goes back in time. `None` if
    /// the primary has to answer.
    pub fn choose(&self, caller: &Caller, reader: Reader, needed: Option<Position>) -> Option<&Arc<Replica>> {
        let fresh_since = || self.clock.now().timestamp() - self.fresh_token;
        if caller.issued.is_some_and(|issued| issued >= fresh_since()) {
            return None;
        }
        let limit = caller.account.as_ref().map_or(Duration::MAX, |_| ACCOUNT_LAG);
        let usable = self.all.iter().filter(|replica| replica.may_answer(needed, limit));
        usable.max_by_key(|replica| hash((reader, &replica.name)))
    }

    /// Records what a client has seen or written. Without a position, the outcome of a write is unknown.
    pub fn saw(&self, reader: Reader, position: Option<Position>) {
        self.seen.add(reader, position.unwrap_or(Position::UNKNOWN));
    }

    pub fn stop(&self) {
        self.tasks.iter().for_each(AbortHandle::abort);
        self.all.iter().for_each(|replica| replica.pool.close());
    }
}

impl Drop for Replicas {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Replica {
    /// Whether it probably has the position. A read checks it: measurements are a little old, and most replicas are only
    /// milliseconds behind.
    fn may_answer(&self, needed: Option<Position>, limit: Duration) -> bool {
        let Measured { replayed, lag } = *self.measured.lock();
        let has = |needed| needed <= replayed || needed != Position::UNKNOWN && lag <= watch::INTERVAL;
        *self.in_use.borrow() && lag <= limit && needed.is_none_or(has)
    }

    /// Records the position that a read has returned.
    pub fn has_replayed(&self, position: Position) {
        let mut measured = self.measured.lock();
        measured.replayed = measured.replayed.max(position);
    }

    /// Returns once the replica is no longer used.
    pub async fn left_out(&self) {
        // Can't fail: the sender is our own.
        let _ = self.in_use.subscribe().wait_for(|in_use| !*in_use).await;
    }
}

impl ReadMetrics {
    fn new() -> Self {
        let reads = "gateway_reads_total";
        describe_counter!(reads, "Reads by the server that answered them");
        describe_counter!(
            "gateway_replica_reads_moved_total",
            "Reads that a replica could not answer and the primary answered"
        );
        describe_gauge!("gateway_replicas_in_use", "Replicas that serve reads");
        describe_gauge!("gateway_replica_lag_seconds", "How far a replica is behind the primary");
        Self {
            on_replica: counter!(reads, "target" => "replica"),
            on_primary: counter!(reads, "target" => "primary"),
            moved: counter!("gateway_replica_reads_moved_total"),
            in_use: gauge!("gateway_replicas_in_use"),
        }
    }
}

/// Whether the primary may answer what the replica could not. The primary would report the same error if the
/// client caused it.
pub fn is_of_replica(error: &Error) -> bool {
    let Error::Database(error) = error else { return false };
    match error {
        DatabaseError::TooLarge { .. } => false,
        DatabaseError::Server { error, .. } => match error.code.as_str() {
            // Not yet replayed: schema, role, table, column, function or type.
            "3F000" | "22023" | "42P01" | "42703" | "42883" | "42704" => true,
            // The standby can't run the statement, or its session was terminated.
            "25006" | "0A000" | "55000" => true,
            // A conflict with recovery is a serialization failure. Too many connections, I/O errors.
            code => ["40", "53", "57P", "58", "08"].iter().any(|class| code.starts_with(class)),
        },
        _ => true,
    }
}
