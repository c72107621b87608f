//! Detects outages of the database. A slow request triggers a probe; during an outage one task probes for its
//! end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};

use super::{Database, Inner};

/// Interval between connection attempts during an outage. A hanging attempt does not delay the next one.
const PROBE_INTERVAL: Duration = Duration::from_millis(500);
/// A database that answered this recently is not probed again.
const TRUSTED_FOR: Duration = Duration::from_secs(1);
/// How long a server counts as full after it rejected a connection.
const FULL_FOR: Duration = Duration::from_secs(2);
const FULL_CHECK_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Default)]
pub struct Outage {
    known: watch::Sender<bool>,
    /// At most one task probes at a time.
    probing: AtomicBool,
    times: Mutex<Times>,
}

#[derive(Default)]
struct Times {
    answered: Option<Instant>,
    /// The end of the last outage.
    ended: Option<Instant>,
    /// When the server last rejected a connection because all were in use.
    full: Option<Instant>,
}

impl Outage {
    pub fn is_known(&self) -> bool {
        *self.known.borrow()
    }

    /// Returns once the database is known to be down.
    pub async fn known(&self) {
        // Can't fail: the sender is our own.
        let _ = self.known.subscribe().wait_for(|known| *known).await;
    }

    /// Whether an outage ended within this period. A connection that has been idle for longer may be dead.
    pub fn ended_within(&self, period: Duration) -> bool {
        self.times().ended.is_some_and(|ended| ended.elapsed() < period)
    }

    /// Idle connections are no longer used, because another host is in use.
    pub fn distrust_idle(&self) {
        self.times().ended = Some(Instant::now());
    }

    /// Records whether the server accepts another connection.
    pub fn set_full(&self, full: bool) {
        self.times().full = full.then(Instant::now);
    }

    fn is_full(&self) -> bool {
        self.times().full.is_some_and(|full| full.elapsed() < FULL_FOR)
    }

    fn answered_recently(&self) -> bool {
        self.times().answered.is_some_and(|answered| answered.elapsed() < TRUSTED_FOR)
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
    /// Keeps probing, and returns when the database is down.
    pub(super) async fn wait_until_down(&self) {
        loop {
            self.suspect();
            if timeout(TRUSTED_FOR, self.0.outage.known()).await.is_ok() {
                return;
            }
        }
    }

    /// Returns when another host is used.
    pub(super) async fn wait_for_another_host(&self, chosen: usize) {
        // Can't fail: the sender is our own.
        let _ = self.0.chosen.subscribe().wait_for(|now| *now != chosen).await;
    }

    /// Returns when a probe finds that other clients use all of the server's connections.
    pub(super) async fn wait_until_full(&self) {
        while !self.0.outage.is_full() {
            sleep(FULL_CHECK_INTERVAL).await;
        }
    }

    /// Starts a probe, unless the database has just answered.
    pub(super) fn suspect(&self) {
        let outage = &self.0.outage;
        if outage.answered_recently() || outage.probing.swap(true, Ordering::AcqRel) {
            return;
        }
        let database = Arc::downgrade(&self.0);
        tokio::spawn(async move {
            let mut probing = ProbeTask(database.clone());
            let Some(inner) = database.upgrade() else { return };
            let first = Self(inner).probe().await;
            let Some(inner) = database.upgrade() else { return };
            if let Err(error) = first {
                tracing::error!(%error, "the database does not answer");
                inner.outage.known.send_replace(true);
                drop(inner);
                probing.probe_until_answered().await;
            } else {
                inner.outage.answers();
            }
        });
    }
}

/// Marks the probe as finished when its task ends, even by a panic.
struct ProbeTask(std::sync::Weak<Inner>);

impl ProbeTask {
    /// Probes until the database answers, or until no pool is left.
    async fn probe_until_answered(&mut self) {
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

impl Drop for ProbeTask {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            inner.outage.probing.store(false, Ordering::Release);
        }
    }
}
