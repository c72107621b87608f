//! Whether the database answers. Whoever finds it slow has it looked at; during an outage one task looks for its end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::watch;
use tokio::time::{Instant, timeout};

use super::{Database, Inner};

/// Between two attempts to connect during an outage. An attempt that hangs does not hold up the next.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// A database that answered so recently is not looked at again.
const BELIEVED: Duration = Duration::from_secs(1);

#[derive(Default)]
pub struct Outage {
    known: watch::Sender<bool>,
    /// At most one task looks at a time.
    looking: AtomicBool,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    answered: Option<Instant>,
    /// The end of the last outage.
    ended: Option<Instant>,
}

impl Outage {
    pub fn is_known(&self) -> bool {
        *self.known.borrow()
    }

    /// Returns when the database is known to be down.
    pub async fn known(&self) {
        // Fails when the sender is gone, and we hold it.
        let _ = self.known.subscribe().wait_for(|known| *known).await;
    }

    /// Whether an outage ended so recently: a connection that was idle for longer may lead nowhere.
    pub fn ended_within(&self, period: Duration) -> bool {
        self.times().ended.is_some_and(|ended| ended.elapsed() < period)
    }

    fn answered_recently(&self) -> bool {
        self.times().answered.is_some_and(|answered| answered.elapsed() < BELIEVED)
    }

    fn answers(&self) {
        let mut times = self.times();
        times.answered = Some(Instant::now());
        if self.known.send_replace(false) {
            times.ended = times.answered;
            tracing::warn!("the database answers again");
        }
    }

    fn times(&self) -> std::sync::MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Database {
    /// Has somebody look again and again, and returns when the database is down.
    pub(super) async fn found_down(&self) {
        loop {
            self.suspect();
            if timeout(BELIEVED, self.0.outage.known()).await.is_ok() {
                return;
            }
        }
    }

    /// Has somebody look whether the database answers, unless it did a moment ago.
    pub(super) fn suspect(&self) {
        let outage = &self.0.outage;
        if outage.answered_recently() || outage.looking.swap(true, Ordering::AcqRel) {
            return;
        }
        let database = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            let mut looking = Looking(database.clone());
            let Some(inner) = database.upgrade() else { return };
            let first = Self(inner).probe().await;
            let Some(inner) = database.upgrade() else { return };
            if let Err(error) = first {
                tracing::error!(%error, "the database does not answer");
                inner.outage.known.send_replace(true);
                drop(inner);
                looking.until_it_answers().await;
            } else {
                inner.outage.answers();
            }
        });
    }
}

/// Ends with its task, however that ends.
struct Looking(std::sync::Weak<Inner>);

impl Looking {
    /// Or until nobody needs to know.
    async fn until_it_answers(&mut self) {
        let mut attempts = FuturesUnordered::new();
        let mut ticks = tokio::time::interval(PROBE_INTERVAL);
        loop {
            tokio::select! {
                _ = ticks.tick() => {
                    let Some(inner) = self.0.upgrade() else { return };
                    attempts.push(async move { Database(inner).probe().await });
                }
                Some(attempt) = attempts.next() => {
                    let Some(inner) = self.0.upgrade() else { return };
                    if attempt.is_ok() {
                        inner.outage.answers();
                        return;
                    }
                }
            }
        }
    }
}

impl Drop for Looking {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            inner.outage.looking.store(false, Ordering::Release);
        }
    }
}
