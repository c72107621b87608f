//! The tasks that watch the primary and the replicas.

use std::sync::Arc;
use std::time::{Duration, Instant};

use metrics::Gauge;
use tokio::task::AbortHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::Replica;
use super::lag::PrimaryHistory;
use super::seen::SeenPositions;
use crate::config::connection::ConnectionConfig;
use crate::position::Position;
use crate::wire::{self, Connection};

/// Time between two queries.
pub const INTERVAL: Duration = Duration::from_millis(200);
/// Timeout of a query. Together with `INTERVAL`, a frozen server is detected within a second.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

const PRIMARY_POSITION: &str = "select case when not pg_catalog.pg_is_in_recovery() then pg_catalog.pg_current_wal_flush_lsn() end::text";
const REPLAYED_POSITION: &str =
    "select case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() end::text";

/// A separate connection, so that a busy pool causes no delay.
struct Question {
    config: ConnectionConfig,
    connection: Option<Connection>,
    statement: &'static str,
}

impl Question {
    /// `Ok(None)`: the server is not of the expected kind.
    async fn ask(&mut self) -> Result<Option<Position>, String> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => match timeout(CONNECT_TIMEOUT, wire::open(&self.config)).await {
                Ok(opened) => opened.map_err(|error| error.to_string())?,
                Err(_) => return Err("no answer".to_owned()),
            },
        };
        match timeout(ANSWER_TIMEOUT, connection.simple(self.statement)).await {
            Ok(Ok(Some(text))) => {
                self.connection = Some(connection);
                text.parse().map(Some).map_err(|()| format!("not a position: {text}"))
            }
            // The host may have changed its role, so another one may match next time.
            Ok(Ok(None)) => Ok(None),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("no answer".to_owned()),
        }
    }
}

/// Records the primary's positions.
pub fn primary(
    config: ConnectionConfig,
    history: Arc<PrimaryHistory>,
    replicas: Vec<Arc<Replica>>,
    seen: Arc<SeenPositions>,
) -> AbortHandle {
    let mut question = Question { config, connection: None, statement: PRIMARY_POSITION };
    let watching = async move {
        let mut ticks = ticks();
        loop {
            ticks.tick().await;
            let asked_at = Instant::now();
            if let Ok(Some(position)) = question.ask().await
                && history.add(asked_at, position)
            {
                seen.forget_all();
                replicas.iter().for_each(|replica| replica.measured.lock().replayed = Position(0));
            }
            let in_use = replicas.iter().filter(|replica| *replica.in_use.borrow());
            if let Some(replayed) = in_use.map(|replica| replica.measured.lock().replayed).min() {
                seen.forget(replayed);
            }
        }
    };
    tokio::spawn(watching).abort_handle()
}

/// Decides whether a replica is used.
pub fn replica(
    replica: Arc<Replica>,
    config: ConnectionConfig,
    history: Arc<PrimaryHistory>,
    limit: Duration,
    (all, in_use): (Vec<Arc<Replica>>, Gauge),
) -> AbortHandle {
    let mut question = Question { config, connection: None, statement: REPLAYED_POSITION };
    let watching = async move {
        let (mut ticks, mut before) = (ticks(), None);
        loop {
            ticks.tick().await;
            let judged = judge(question.ask().await, &replica, &history, limit);
            replica.in_use.send_replace(judged.is_ok());
            let count = all.iter().filter(|replica| *replica.in_use.borrow()).count();
            in_use.set(count as f64);
            if before != Some(judged.is_ok()) {
                report(&replica.name, &judged);
            }
            if judged.is_err() {
                // Its connections are probably broken for the same reason.
                replica.pool.discard_idle();
            }
            before = Some(judged.is_ok());
        }
    };
    tokio::spawn(watching).abort_handle()
}

/// # Errors
/// The error says why the replica can't be used.
fn judge(
    answer: Result<Option<Position>, String>,
    replica: &Replica,
    history: &PrimaryHistory,
    limit: Duration,
) -> Result<(), String> {
    let replayed = answer?.ok_or("the server is not a standby")?;
    replica.has_replayed(replayed);
    let lag = history.lag(replayed);
    replica.measured.lock().lag = lag.unwrap_or(Duration::MAX);
    replica.lag.set(lag.map_or(f64::NAN, |lag| lag.as_secs_f64()));
    match lag {
        Some(lag) if lag <= limit => Ok(()),
        Some(lag) => Err(format!("it is {:.1} s behind the primary", lag.as_secs_f64())),
        None => Err("its lag behind the primary is unknown".to_owned()),
    }
}

fn report(name: &str, judged: &Result<(), String>) {
    match judged {
        Ok(()) => tracing::info!("the replica {name} serves reads"),
        Err(cause) => tracing::warn!("the replica {name} is not used: {cause}"),
    }
}

fn ticks() -> tokio::time::Interval {
    let mut ticks = interval(INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
