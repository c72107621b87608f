//! Periodically removes orphaned blobs, on one replica at a time.

use std::error::Error;
use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval_at};

use crate::check::{Checker, Options, Summary};
use crate::error::Result;
use crate::store::orphans;

/// Up to this many orphans are removed automatically, regardless of their share.
const FEW: u64 = 100;

pub struct Sweeper {
    pub checker: Checker,
    pub interval: Duration,
    pub minimum_age: Duration,
}

impl Sweeper {
    /// Runs until it is aborted.
    pub async fn run(self) {
        let mut ticks = interval_at(tokio::time::Instant::now() + self.interval, self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.sweep().await {
                tracing::warn!(
                    error = &error as &dyn Error,
                    "can't remove orphaned blobs; retrying at the next sweep"
                );
            }
        }
    }

    async fn sweep(&self) -> Result<()> {
        // Uses a connection of its own: closing it releases the lock in every case.
        let mut connection = self.checker.pool.database().connect().await?;
        if !orphans::take_lock(&mut connection).await? {
            return Ok(());
        }
        let look = Options { remove_blobs: false, remove_rows: false, minimum_age: self.minimum_age };
        let found = self.checker.check(look, |_| ()).await?;
        if found.missing_blobs > 0 {
            let (missing, hint) = (found.missing_blobs, "`serasi storage check` lists them");
            tracing::error!(missing, hint, "objects have lost their blobs");
        }
        if found.orphaned_blobs == 0 {
            return Ok(());
        }
        if is_suspicious(&found) {
            let (orphaned, blobs) = (found.orphaned_blobs, found.blobs);
            let hint = "is this the right database? if so: `serasi storage check --remove`";
            tracing::error!(orphaned, blobs, hint, "too many blobs have no row; none was removed");
            return Ok(());
        }
        let removed = self.checker.check(Options { remove_blobs: true, ..look }, |_| ()).await?;
        tracing::info!(
            blobs = removed.orphaned_blobs,
            bytes = removed.orphaned_bytes,
            "removed orphaned blobs"
        );
        Ok(())
    }
}

/// Another database, or an old backup of ours, refers to few of these blobs, so they must not be removed.
fn is_suspicious(found: &Summary) -> bool {
    found.orphaned_blobs > FEW.max(found.blobs / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_refers_to_few_blobs_is_suspicious() {
        let found = |orphaned_blobs, blobs| Summary { orphaned_blobs, blobs, ..Summary::default() };
        assert!(!is_suspicious(&found(100, 100)) && !is_suspicious(&found(1000, 10_000)));
        assert!(is_suspicious(&found(101, 101)) && is_suspicious(&found(1001, 10_000)));
    }
}
