//! Keeps the embedded server running: starts it again when it ended, and watches its disk.
//!
//! Runs on the main thread, because it starts servers (see `server`).

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::restarts::{Cause, MOST, PERIOD, Restarts};
use super::server::Server;
use crate::availability::{Availability, State};

/// How soon an end is noticed, and a disk that fills up.
const INTERVAL: Duration = Duration::from_millis(100);
/// So much more room is worth another start at once.
const WORTH_A_START: u64 = 1024 * 1024;

/// Returns only when the server can't be kept running, with the reason.
pub async fn supervise(server: &mut Server, availability: &Availability) -> anyhow::Error {
    let mut restarts = Restarts::default();
    loop {
        let status = watch(server, availability).await;
        availability.set(State::Unavailable);
        // What is left of it would also keep its log open.
        server.end_leftovers();
        let mut end = format!("{status}: {}", server.log.last_lines());
        loop {
            tracing::warn!("PostgreSQL ended and is started again: {end}");
            // Judged before the reserve makes room.
            let cause = cause(server, &end);
            let released = server.disk.is_low() && server.disk.release();
            match restarts.after(cause, Instant::now()) {
                _ if released => {
                    tracing::warn!("the disk is full: PostgreSQL is given a part of its reserve");
                }
                Some(delay) => wait(server, delay).await,
                None => {
                    let period = PERIOD.as_secs();
                    return anyhow::anyhow!("PostgreSQL ended {MOST} times within {period} s: {end}");
                }
            }
            match server.restart().await {
                Ok(()) => break,
                Err(error) => end = format!("{error:#}: {}", server.log.last_lines()),
            }
        }
        restarts.succeeded();
        tracing::warn!("PostgreSQL is back");
    }
}

/// Watches until the server ends.
async fn watch(server: &mut Server, availability: &Availability) -> ExitStatus {
    let mut was_short = false;
    loop {
        if let Some(status) = server.ended() {
            return status;
        }
        let short = server.disk.is_short();
        availability.set(if short { State::ReadOnly } else { State::Available });
        if short != was_short {
            match short {
                // No checkpoint here to delete WAL: PostgreSQL panics when it finds no room for one.
                true => tracing::warn!(
                    "the database's disk is almost full: writes are refused until there is room"
                ),
                false => tracing::warn!("the database's disk has room again: writes go on"),
            }
            was_short = short;
        }
        tokio::time::sleep(INTERVAL).await;
    }
}

fn cause(server: &Server, end: &str) -> Cause {
    let lacks_descriptors =
        ["Too many open files", "Resource temporarily unavailable", "Cannot allocate memory"];
    let lacks_disk = server.disk.is_low() || server.log.mentions("No space left on device");
    match lacks_disk || lacks_descriptors.iter().any(|text| end.contains(text)) {
        true => Cause::Shortage,
        false => Cause::Server,
    }
}

/// Waits, but no longer than until the disk has room.
async fn wait(server: &Server, delay: Duration) {
    let until = Instant::now() + delay;
    let enough = server.disk.free().map_or(u64::MAX, |free| free + WORTH_A_START);
    while Instant::now() < until && server.disk.free().is_none_or(|free| free < enough) {
        tokio::time::sleep(INTERVAL.min(until.saturating_duration_since(Instant::now()))).await;
    }
}
