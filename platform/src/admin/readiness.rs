//! Whether a service can do its work. A request for `/ready` gets an answer within 100 ms, even if the check hangs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::watch;
use tokio::time::{Instant, interval, timeout};

/// A request waits this long for a running check.
const LONGEST_WAIT: Duration = Duration::from_millis(70);
/// A result that is at most this old is returned without another check.
const SUCCESS_REUSED_FOR: Duration = Duration::from_millis(500);
const FAILURE_REUSED_FOR: Duration = Duration::from_millis(50);

#[derive(Clone, Copy)]
struct Times {
    /// Between checks without requests, so that a slow check finds a recent result.
    pause: Duration,
    /// A check that takes longer has failed, so that the next one can begin.
    longest_check: Duration,
    /// If the check takes longer than a request waits, a success that is at most this old is returned.
    trusted_for: Duration,
}

const TIMES: Times = Times {
    pause: Duration::from_secs(1),
    longest_check: Duration::from_secs(5),
    trusted_for: Duration::from_secs(3),
};

/// What is unavailable.
pub type Missing = &'static str;
const TOO_LONG: Missing = "the check takes too long";
type Check = Box<dyn Fn() -> BoxFuture<'static, Result<(), Missing>> + Send + Sync>;

/// Checks in the background until the last clone is dropped.
#[derive(Clone)]
pub struct Readiness(Arc<Shared>);

struct Shared {
    check: Check,
    times: Times,
    last: watch::Sender<Option<Outcome>>,
    /// At most one check runs at a time.
    is_checking: AtomicBool,
    was_ready: AtomicBool,
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
        Self::with(Box::new(move || Box::pin(check())), TIMES)
    }

    fn with(check: Check, times: Times) -> Self {
        let (last, is_checking) = (watch::Sender::new(None), AtomicBool::default());
        let shared = Arc::new(Shared { check, times, last, is_checking, was_ready: AtomicBool::default() });
        tokio::spawn(repeat(Arc::downgrade(&shared), times.pause));
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
            Some(known) if known.began.elapsed() < self.0.times.trusted_for => Ok(()),
            _ => Err(TOO_LONG),
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
        let (began, check) = (Instant::now(), timeout(self.times.longest_check, (self.check)()));
        tokio::spawn(async move {
            let result = check.await.unwrap_or(Err(TOO_LONG));
            let Some(shared) = running.0.upgrade() else { return };
            // Reset the flag first: a request that gets this result may start the next check.
            drop(running);
            let last = shared.last.send_replace(Some(Outcome { began, ended: Instant::now(), result }));
            if last.is_none_or(|last| last.result != result) {
                shared.log(result);
            }
        });
    }

    /// A service that has not been ready yet is starting, which is not worth a warning.
    fn log(&self, result: Result<(), Missing>) {
        let was_ready = self.was_ready.load(Ordering::Relaxed);
        match result {
            Ok(()) if was_ready => tracing::info!("ready again"),
            Ok(()) => self.was_ready.store(true, Ordering::Relaxed),
            Err(reason) if was_ready => tracing::warn!(reason, "not ready"),
            Err(reason) => tracing::debug!(reason, "not ready yet"),
        }
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
        let times = Times { pause: PAUSE, longest_check: 20 * PAUSE, trusted_for: 10 * PAUSE };
        Readiness::with(Box::new(move || Box::pin(check())), times)
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
        assert_eq!(readiness.get().await, Err(TOO_LONG));
    }

    #[tokio::test]
    async fn a_check_that_never_ends_is_followed_by_another() {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        let readiness = readiness(move || {
            let is_first = counted.fetch_add(1, Ordering::SeqCst) == 0;
            async move { if is_first { pending().await } else { Ok(()) } }
        });
        assert_eq!(readiness.get().await, Err(TOO_LONG));
        while readiness.get().await.is_err() {
            tokio::time::sleep(PAUSE).await;
        }
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
