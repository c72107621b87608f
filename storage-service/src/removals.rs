//! Works off the queue of images whose profile was deleted. Several replicas may: each claims entries by
//! putting off their next attempt, so a failure, a crash and a shutdown all mean «again later».

#[cfg(test)]
mod tests;

use std::error::Error;
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use platform::database::{Pool, Transaction};
use tokio::time::{MissedTickBehavior, interval};

use crate::backend::Backend;
use crate::error::{ApiError, Result};
use crate::render::variants::Variants;
use crate::store::objects::{self, Object};
use crate::store::removals::{self, Key};

/// Few enough to be done before the claim runs out, on a disk at least. When it runs out all the same,
/// whoever comes second finds the entry gone.
const BATCH: usize = 100;

pub struct Removals {
    /// As `storage_admin`.
    pub pool: Pool,
    pub backend: Arc<dyn Backend>,
    pub variants: Variants,
    /// Between two looks at the queue, and before the first repetition of a failed attempt.
    pub interval: Duration,
}

/// What became of the entries of one batch.
#[derive(Default)]
struct Tally {
    claimed: usize,
    removed: usize,
    failed: usize,
    last_failure: Option<ApiError>,
}

impl Removals {
    /// Looks at once and then again and again, until it is aborted.
    pub async fn run(self) {
        let mut ticks = interval(self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Err(error) = self.work_off().await {
                tracing::warn!(error = &error as &dyn Error, "the queue of removals waits for the database");
            }
        }
    }

    /// All that is due, unless the database goes away: what is left of the batch then comes again.
    async fn work_off(&self) -> Result<()> {
        loop {
            let tally = self.batch().await?;
            if tally.removed > 0 {
                tracing::info!(removed = tally.removed, "removed images of deleted profiles");
            }
            if let Some(error) = &tally.last_failure {
                let error = error as &dyn Error;
                tracing::warn!(failed = tally.failed, error, "images of deleted profiles stay until later");
            }
            if tally.claimed < BATCH {
                return Ok(());
            }
        }
    }

    async fn batch(&self) -> Result<Tally> {
        let keys = self.claim().await?;
        let mut tally = Tally { claimed: keys.len(), ..Tally::default() };
        for key in &keys {
            match self.remove(self.pool.begin().await?, key).await {
                Ok(true) => tally.removed += 1,
                Ok(false) => (),
                Err(error) => {
                    tally.failed += 1;
                    tally.last_failure = Some(error);
                }
            }
        }
        Ok(tally)
    }

    async fn claim(&self) -> Result<Vec<Key>> {
        let mut connection = self.pool.acquire().await?;
        removals::claim(&mut connection, BATCH as i64, self.interval).await
    }

    /// Whether there was an object to remove: it may be gone or replaced. The bytes go before the rows are
    /// committed, the other way round than elsewhere, because the object's row alone names them. Whatever
    /// ends this early leaves both rows, and removing bytes twice is no failure.
    async fn remove(&self, mut transaction: Transaction, key: &Key) -> Result<bool> {
        let Some(queued_at) = removals::take(&mut transaction, key).await? else {
            return Ok(false);
        };
        let object = removals::queued_object(&mut transaction, key, queued_at).await?;
        if let Some(version) = object.as_ref().and_then(Object::blob) {
            self.backend.remove(version).await?;
            let variants = self.variants.clone();
            let _ = tokio::task::spawn_blocking(move || variants.forget(version)).await;
        }
        if object.is_some() {
            objects::delete(&mut transaction, &key.bucket_id, slice::from_ref(&key.name)).await?;
        }
        transaction.commit().await?;
        Ok(object.is_some())
    }
}
