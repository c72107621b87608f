//! Keeps the embedded server running: restarts it when it ends, and monitors its disk.
//!
//! Runs on the main thread, because it starts servers (see `server`).

use std::time::{Duration, Instant};

use super::server::Server;
use crate::availability::DiskFull;

/// Polling interval for the server's end and the disk space.
const INTERVAL: Duration = Duration::from_millis(100);
/// Delay after a failed start.
const PAUSE: Duration = Duration::from_secs(1);
/// After this many failures within the period, give up.
const MOST: usize = 5;
const PERIOD: Duration = Duration::from_secs(60);

/// What lacks if one of these texts is in the log. It may pass, so the start is retried forever.
const SHORTAGES: [&str; 4] = [
    "No space left on device",
    "Too many open files",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
];

/// Returns the reason when the server can't be kept running.
pub async fn supervise(server: &mut Server, disk_full: &DiskFull) -> anyhow::Error {
    let mut failures: Vec<Instant> = Vec::new();
    loop {
        let mut end = watch(server, disk_full).await;
        loop {
            tracing::warn!("PostgreSQL ended, restarting it: {end}");
            if !server.disk.is_low() && !SHORTAGES.iter().any(|text| server.log.mentions(text)) {
                failures.retain(|at| at.elapsed() < PERIOD);
                failures.push(Instant::now());
            }
            if failures.len() >= MOST {
                let period = PERIOD.as_secs();
                return anyhow::anyhow!("PostgreSQL ended {MOST} times within {period} s: {end}");
            }
            if server.disk.is_low() && server.disk.release() {
                tracing::warn!("the disk is full: releasing the reserve for PostgreSQL");
            }
            let Err(error) = server.launch().await else { break };
            end = format!("{error:#}: {}", server.log.last_lines());
            tokio::time::sleep(PAUSE).await;
        }
        tracing::warn!("PostgreSQL is running again");
    }
}

/// Monitors the server until it ends. Returns how it ended.
async fn watch(server: &mut Server, disk_full: &DiskFull) -> String {
    let mut was_short = false;
    loop {
        if let Some(status) = server.ended() {
            return format!("{status}: {}", server.log.last_lines());
        }
        let short = server.disk.is_short();
        disk_full.set(short);
        // Don't run a checkpoint to free WAL: PostgreSQL panics if there is no space for one.
        if short && !was_short {
            tracing::warn!("the database's disk is almost full: rejecting writes until there is space");
        } else if was_short && !short {
            tracing::warn!("the database's disk has space again: accepting writes");
        }
        was_short = short;
        tokio::time::sleep(INTERVAL).await;
    }
}
