//! A replica answers from memory only while it holds a lease. A renewal writes the lease to the database and
//! notifies the replica itself. The lease is valid once that notification has arrived: notifications arrive
//! in the order of commits, so everything that changed earlier has been dropped.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use platform::database::Pool;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::Inner;
use crate::store::leases;

/// The duration of a lease, from the moment the renewal was sent. A writer waits at most this long.
pub(super) const LENGTH: Duration = Duration::from_millis(100);
/// A request renews a lease that ends within this time.
const RENEW_BEFORE: Duration = Duration::from_millis(60);
/// Pause between a failed renewal and the next one.
const PAUSE: Duration = Duration::from_millis(20);

pub(super) struct Lease {
    began: Instant,
    /// Nanoseconds after `began`; 0 without a lease.
    until: AtomicU64,
    is_wanted: AtomicBool,
    wanted: Notify,
    /// The renewal whose notification is awaited, and when it was sent.
    sent: Mutex<Option<(u64, Instant)>>,
    arrived: Notify,
    /// Whether notifications arrive.
    is_listening: AtomicBool,
}

impl Default for Lease {
    fn default() -> Self {
        Self {
            began: Instant::now(),
            until: AtomicU64::new(0),
            is_wanted: AtomicBool::new(false),
            wanted: Notify::new(),
            sent: Mutex::new(None),
            arrived: Notify::new(),
            is_listening: AtomicBool::new(false),
        }
    }
}

impl Lease {
    /// Whether this replica may answer from memory. Requests a renewal if the lease ends soon.
    pub(super) fn is_held(&self, now: Instant) -> bool {
        let left = self.until.load(Ordering::Acquire).saturating_sub(self.nanoseconds(now));
        if u128::from(left) < RENEW_BEFORE.as_nanos() && !self.is_wanted.swap(true, Ordering::Relaxed) {
            self.wanted.notify_one();
        }
        left > 0
    }

    fn nanoseconds(&self, when: Instant) -> u64 {
        u64::try_from(when.saturating_duration_since(self.began).as_nanos()).unwrap_or(u64::MAX)
    }

    fn sent(&self) -> std::sync::MutexGuard<'_, Option<(u64, Instant)>> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The notification of a renewal has arrived, and so have all earlier ones.
    pub(super) fn arrived(&self, number: u64) {
        let mut sent = self.sent();
        if let Some((_, when)) = sent.take_if(|(awaited, _)| *awaited == number) {
            self.until.store(self.nanoseconds(when + LENGTH), Ordering::Release);
            self.arrived.notify_one();
        }
    }

    pub(super) fn listening_begins(&self) {
        self.is_listening.store(true, Ordering::Relaxed);
    }

    /// Ends the lease, because notifications of changes may be missed from now on.
    pub(super) fn listening_ends(&self) {
        self.is_listening.store(false, Ordering::Relaxed);
        *self.sent() = None;
        self.until.store(0, Ordering::Release);
    }
}

/// Renews the lease while requests want it. Runs until it is aborted.
pub(super) async fn renew_on_demand(memory: &Inner, pool: &Pool) {
    let mut number = 0;
    loop {
        memory.lease.wanted.notified().await;
        number += 1;
        let renewed = memory.lease.is_listening.load(Ordering::Relaxed)
            && timeout(LENGTH, renew(memory, pool, number)).await.is_ok_and(|sent| sent.is_ok());
        if !renewed {
            // Whatever the reason, requests are answered from the database in the meantime.
            sleep(PAUSE).await;
        }
        memory.lease.is_wanted.store(false, Ordering::Relaxed);
    }
}

/// Completes when the notification has arrived.
async fn renew(memory: &Inner, pool: &Pool, number: u64) -> sqlx::Result<()> {
    let mut connection = pool.acquire().await?;
    // Before the statement, so that the lease ends here no later than in the table.
    *memory.lease.sent() = Some((number, Instant::now()));
    leases::renew(&mut connection, memory.replica, LENGTH, number).await?;
    drop(connection);
    memory.lease.arrived.notified().await;
    Ok(())
}

/// Waits until the leases that other replicas currently hold have ended.
pub(super) async fn wait_for_others(replica: Uuid, pool: &Pool) {
    let began = Instant::now();
    let asking = async { leases::longest_of_others(&mut *pool.acquire().await?, replica).await };
    match timeout(LENGTH, asking).await {
        Ok(Ok(left)) => sleep(left.min(LENGTH)).await,
        // No lease that was granted before the change lasts longer.
        Ok(Err(error)) => {
            tracing::debug!(%error, "can't read the leases of other replicas");
            sleep(LENGTH.saturating_sub(began.elapsed())).await;
        }
        Err(_) => (),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_begins_when_its_renewal_was_sent() {
        let lease = Lease::default();
        let sent = Instant::now();
        assert!(!lease.is_held(sent));
        *lease.sent() = Some((7, sent));
        lease.arrived(6);
        assert!(!lease.is_held(sent), "another renewal's notification");
        lease.arrived(7);
        assert!(lease.is_held(sent + LENGTH - Duration::from_micros(1)));
        assert!(!lease.is_held(sent + LENGTH));
    }

    #[test]
    fn nothing_is_held_when_notifications_no_longer_arrive() {
        let lease = Lease::default();
        let sent = Instant::now();
        *lease.sent() = Some((1, sent));
        lease.arrived(1);
        *lease.sent() = Some((2, sent));
        lease.listening_ends();
        lease.arrived(2);
        assert!(!lease.is_held(sent));
    }
}
