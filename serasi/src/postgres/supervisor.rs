//! Keeps the embedded server running: restarts it when it ends, and monitors its disk.
//!
//! Runs on the main thread, because it starts servers (see `server`).

use std::process::ExitStatus;
use std::time::{Duration, Instant};

use super::restarts::{Cause, MOST, PERIOD, Restarts};
use super::server::Server;
use crate::availability::DiskFull;

/// Polling interval for the server's end and the disk space.
const INTERVAL: Duration = Duration::from_millis(100);
/// If this much space becomes free, retry the start immediately.
const ENOUGH_NEW_SPACE: u64 = 1024 * 1024;

/// Returns the reason when the server can't be kept running.
pub async fn supervise(server: &mut Server, disk_full: &DiskFull) -> anyhow::Error {
    let mut restarts = Restarts::default();
    loop {
        let status = watch(server, disk_full).await;
        // Remaining processes would also keep the log pipe open.
        server.end_leftovers();
        let mut end = format!("{status}: {}", server.log.last_lines());
        loop {
            tracing::warn!("PostgreSQL ended, restarting it: {end}");
            // Determine the cause before the reserve frees up space.
            let cause = cause(server, &end);
            let released = server.disk.is_low() && server.disk.release();
            match restarts.after(cause, Instant::now()) {
                _ if released => {
                    tracing::warn!("the disk is full: releasing a part of the reserve for PostgreSQL");
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
        tracing::warn!("PostgreSQL is running again");
    }
}

/// Monitors the server until it ends.
async fn watch(server: &mut Server, disk_full: &DiskFull) -> ExitStatus {
    let mut was_short = false;
    loop {
        if let Some(status) = server.ended() {
            return status;
        }
        let short = server.disk.is_short();
        disk_full.set(short);
        if short != was_short {
            match short {
                // Don't run a checkpoint to free WAL: PostgreSQL panics if there is no space for one.
                true => tracing::warn!(
                    "the database's disk is almost full: rejecting writes until there is space"
                ),
                false => tracing::warn!("the database's disk has space again: accepting writes"),
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

/// Waits for the delay, or until the disk has space.
async fn wait(server: &Server, delay: Duration) {
    let until = Instant::now() + delay;
    let enough = server.disk.free().map_or(u64::MAX, |free| free + ENOUGH_NEW_SPACE);
    while Instant::now() < until && server.disk.free().is_none_or(|free| free < enough) {
        tokio::time::sleep(INTERVAL.min(until.saturating_duration_since(Instant::now()))).await;
    }
}
