//! Processes the queue of images whose profile was deleted. Several replicas may run: each claims entries by
//! postponing their next attempt, so a failure, crash or shutdown only delays them.

#[cfg(test)]
mod tests;

use std::error::Error;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use platform::database::{Pool, Transaction};
use tokio::time::{MissedTickBehavior, interval};

use crate::backend::Backend;
use crate::error::Result;
use crate::render::variants::Variants;
use crate::store::objects::{self, Object};
use crate::store::removals::{self, Key};

/// Small enough to finish before the claim expires, at least on disk. If it expires anyway, the second worker
/// finds that the entry no longer exists.
const BATCH: usize = 100;

pub struct Removals {
    /// Connects as `storage_admin`.
    pub pool: Pool,
    pub backend: Arc<dyn Backend>,
    pub variants: Variants,
    /// Interval between polls, and delay before the first retry.
    pub interval: Duration,
}

impl Removals {
    /// Polls until it is aborted, starting immediately.
    pub async fn run(self) {
        let mut ticks = interval(self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.process_queue().await {
                tracing::warn!(error = &error as &dyn Error, "can't process the removal queue; retrying");
            }
        }
    }

    /// Processes all due entries. If the database becomes unavailable, the rest of the batch is retried.
    async fn process_queue(&self) -> Result<()> {
        loop {
            let keys = removals::claim(&mut *self.pool.acquire().await?, BATCH as i64, self.interval).await?;
            let (mut removed, mut failures) = (0, Vec::new());
            for key in &keys {
                match self.remove(self.pool.begin().await?, key).await {
                    Ok(existed) => removed += u64::from(existed),
                    Err(error) => failures.push(error),
                }
            }
            if removed > 0 {
                tracing::info!(removed, "removed images of deleted profiles");
            }
            if let Some(error) = failures.last() {
                let (failed, error) = (failures.len(), error as &dyn Error);
                tracing::warn!(failed, error, "can't remove images of deleted profiles; retrying later");
            }
            if keys.len() < BATCH {
                return Ok(());
            }
        }
    }

    /// Removes the object and returns whether it still existed: it may be gone or replaced. Unlike elsewhere,
    /// the blob is removed before the rows are committed, because only the object's row refers to it. An
    /// interruption leaves both rows, and removing a blob twice is not an error.
    async fn remove(&self, mut transaction: Transaction, key: &Key) -> Result<bool> {
        let Some(queued_at) = removals::take(&mut transaction, key).await? else {
            return Ok(false);
        };
        let object = removals::queued_object(&mut transaction, key, queued_at).await?;
        if let Some(version) = object.as_ref().and_then(Object::blob) {
            self.backend.remove(version).await?;
            self.variants.remove_soon(version).await;
        }
        if object.is_some() {
            objects::delete(&mut transaction, &key.bucket_id, slice::from_ref(&key.name)).await?;
        }
        transaction.commit().await?;
        Ok(object.is_some())
    }
}
