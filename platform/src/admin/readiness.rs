//! Whether a service can do its work. A request for `/ready` gets an answer within 100 ms, even if the check hangs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::{Instant, interval, timeout};

/// Interval of checks without requests, so that a slow check finds a recent result.
const INTERVAL: Duration = Duration::from_secs(1);
/// A request waits this long for a running check.
const LONGEST_WAIT: Duration = Duration::from_millis(70);
/// If the check takes longer, a success that is at most this old is returned.
const TRUSTED_FOR: Duration = Duration::from_secs(3);
/// A result that is at most this old is returned without another check.
const SUCCESS_REUSED_FOR: Duration = Duration::from_millis(500);
const FAILURE_REUSED_FOR: Duration = Duration::from_millis(50);

/// What is unavailable.
pub type Missing = &'static str;
type Check = Box<dyn Fn() -> BoxFuture<'static, Result<(), Missing>> + Send + Sync>;

/// Checks in the background until the last clone is dropped.
#[derive(Clone)]
pub struct Readiness(Arc<Shared>);

struct Shared {
    check: Check,
    trusted_for: Duration,
    last: watch::Sender<Option<Outcome>>,
    /// At most one check runs at a time.
    is_checking: AtomicBool,
}

#[derive(Clone, Copy)]
struct Outcome {
    began: Instant,
    ended: Instant,
    result: Result<(), Missing>,
}

impl Readiness {
    /// Must be called inside a runtime, because it spawns a task.
    pub fn new<F>(check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        Self::with(Box::new(move || Box::pin(check())), TRUSTED_FOR, INTERVAL)
    }

    fn with(check: Check, trusted_for: Duration, pause: Duration) -> Self {
        let (last, is_checking) = (watch::Sender::new(None), AtomicBool::default());
        let shared = Arc::new(Shared { check, trusted_for, last, is_checking });
        tokio::spawn(repeat(Arc::downgrade(&shared), pause));
        Self(shared)
    }

    /// # Errors
    /// The error names what is unavailable.
    pub async fn get(&self) -> Result<(), Missing> {
        if let Some(known) = self.last().filter(Outcome::is_recent) {
            return known.result;
        }
        if let Ok(result) = timeout(LONGEST_WAIT, self.checked()).await {
            return result;
        }
        match self.last() {
            Some(known) if known.result.is_err() => known.result,
            Some(known) if known.began.elapsed() < self.0.trusted_for => Ok(()),
            _ => Err("the check takes too long"),
        }
    }

    /// Returns once the service is ready, or after `limit`.
    pub async fn settle(&self, limit: Duration) {
        let ready = async {
            while self.checked().await.is_err() {
                tokio::time::sleep(FAILURE_REUSED_FOR).await;
            }
        };
        let _ = timeout(limit, ready).await;
    }

    /// A failure counts only if its check began after the request, because the problem may have been fixed
    /// since.
    async fn checked(&self) -> Result<(), Missing> {
        let arrived = Instant::now();
        let mut outcomes = self.0.last.subscribe();
        loop {
            Shared::check(&self.0);
            if outcomes.changed().await.is_err() {
                return Err("the check ended");
            }
            if let Some(outcome) = *outcomes.borrow_and_update()
                && (outcome.result.is_ok() || outcome.began >= arrived)
            {
                return outcome.result;
            }
        }
    }

    fn last(&self) -> Option<Outcome> {
        *self.0.last.borrow()
    }
}

impl Outcome {
    fn is_recent(&self) -> bool {
        let limit = if self.result.is_ok() { SUCCESS_REUSED_FOR } else { FAILURE_REUSED_FOR };
        self.ended.elapsed() < limit
    }
}

impl Shared {
    /// Starts a check unless one is running.
    fn check(self: &Arc<Self>) {
        if self.is_checking.swap(true, Ordering::AcqRel) {
            return;
        }
        let running = Running(Arc::downgrade(self));
        let (began, check) = (Instant::now(), (self.check)());
        tokio::spawn(async move {
            let result = check.await;
            let Some(shared) = running.0.upgrade() else { return };
            // Reset the flag first: a request that gets this result may start the next check.
            drop(running);
            shared.last.send_replace(Some(Outcome { began, ended: Instant::now(), result }));
        });
    }
}

/// Marks the check as ended, however it ended.
struct Running(Weak<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.is_checking.store(false, Ordering::Release);
        }
    }
}

async fn repeat(shared: Weak<Shared>, pause: Duration) {
    let mut ticks = interval(pause);
    loop {
        ticks.tick().await;
        let Some(shared) = shared.upgrade() else { return };
        Shared::check(&shared);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use futures::future::{join_all, pending};

    use super::*;

    const PAUSE: Duration = Duration::from_millis(20);

    fn readiness<F>(check: impl Fn() -> F + Send + Sync + 'static) -> Readiness
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        Readiness::with(Box::new(move || Box::pin(check())), 10 * PAUSE, PAUSE)
    }

    #[tokio::test]
    async fn a_check_that_hangs_is_noticed() {
        let hangs = Arc::new(AtomicBool::new(false));
        let is_hanging = Arc::clone(&hangs);
        let readiness = readiness(move || {
            let hangs = is_hanging.load(Ordering::SeqCst);
            async move { if hangs { pending().await } else { Ok(()) } }
        });
        assert_eq!(readiness.get().await, Ok(()));
        hangs.store(true, Ordering::SeqCst);
        while readiness.get().await.is_ok() {
            tokio::time::sleep(PAUSE).await;
        }
        assert_eq!(readiness.get().await, Err("the check takes too long"));
    }

    #[tokio::test]
    async fn requests_share_checks_and_a_repair_is_seen_immediately() {
        let (count, broken) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(true)));
        let (counted, is_broken) = (Arc::clone(&count), Arc::clone(&broken));
        let readiness = Readiness::new(move || {
            counted.fetch_add(1, Ordering::SeqCst);
            let result = if is_broken.load(Ordering::SeqCst) { Err("broken") } else { Ok(()) };
            async move { result }
        });
        let answers = join_all((0..100).map(|_| readiness.get())).await;
        assert!(answers.iter().all(|answer| *answer == Err("broken")), "{answers:?}");
        assert!(count.load(Ordering::SeqCst) <= 3, "{count:?}");
        broken.store(false, Ordering::SeqCst);
        tokio::time::sleep(FAILURE_REUSED_FOR).await;
        assert_eq!(readiness.get().await, Ok(()));
    }

    #[tokio::test]
    async fn checks_end_with_the_last_clone() {
        let (sender, mut checks) = tokio::sync::mpsc::unbounded_channel();
        let readiness = readiness(move || {
            let _ = sender.send(());
            async { Ok(()) }
        });
        assert_eq!(readiness.get().await, Ok(()));
        drop(readiness);
        // Ends when the check is dropped.
        while checks.recv().await.is_some() {}
    }
}
