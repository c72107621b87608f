//! Whether a service can do its work. A request for `/ready` gets an answer within 100 ms, even if the check hangs.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

/// A request waits this long for a running check.
const LONGEST_WAIT: Duration = Duration::from_millis(70);
/// A result that is at most this old is returned without another check.
const SUCCESS_REUSED_FOR: Duration = Duration::from_millis(500);
const FAILURE_REUSED_FOR: Duration = Duration::from_millis(50);

/// The time between checks without requests, so that a slow check finds a recent result.
const PAUSE: Duration = Duration::from_secs(1);
/// A check that takes longer than this many pauses has failed, so that the next one can begin.
const LONGEST_CHECK: u32 = 5;
/// If the check takes longer than a request waits, a success that is at most this many pauses old is returned.
const TRUSTED_FOR: u32 = 3;

/// What is unavailable.
pub type Missing = &'static str;
const TOO_LONG: Missing = "the check takes too long";

/// Checks in the background until the last clone is dropped.
#[derive(Clone)]
pub struct Readiness(Arc<Shared>);

struct Shared {
    pause: Duration,
    last: watch::Sender<Option<Outcome>>,
    /// Ends the pause before the next check.
    wanted: Arc<Notify>,
    /// Dropping it ends the checks.
    _checks: JoinSet<()>,
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
        Self::with(check, PAUSE)
    }

    fn with<F>(check: impl Fn() -> F + Send + Sync + 'static, pause: Duration) -> Self
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        let (last, wanted) = (watch::Sender::new(None), Arc::new(Notify::new()));
        let mut checks = JoinSet::new();
        checks.spawn(repeat(check, pause, last.clone(), Arc::clone(&wanted)));
        Self(Arc::new(Shared { pause, last, wanted, _checks: checks }))
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
            Some(known) if known.began.elapsed() < TRUSTED_FOR * self.0.pause => Ok(()),
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
        self.0.wanted.notify_one();
        let counts = |outcome: &Option<Outcome>| {
            outcome
                .is_some_and(|known| known.began >= arrived || known.result.is_ok() && known.ended >= arrived)
        };
        let mut outcomes = self.0.last.subscribe();
        let outcome = outcomes.wait_for(counts).await.ok().and_then(|outcome| *outcome);
        outcome.map_or(Err(TOO_LONG), |known| known.result)
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

/// Checks one after another.
async fn repeat<F: Future<Output = Result<(), Missing>>>(
    check: impl Fn() -> F,
    pause: Duration,
    last: watch::Sender<Option<Outcome>>,
    wanted: Arc<Notify>,
) {
    let mut was_ready = false;
    loop {
        let began = Instant::now();
        let check = AssertUnwindSafe(async { check().await }).catch_unwind();
        let result = match timeout(LONGEST_CHECK * pause, check).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err("the check itself"),
            Err(_) => Err(TOO_LONG),
        };
        let previous = last.send_replace(Some(Outcome { began, ended: Instant::now(), result }));
        if previous.is_none_or(|previous| previous.result != result) {
            log(result, was_ready);
        }
        was_ready |= result.is_ok();
        let _ = timeout(pause, wanted.notified()).await;
    }
}

/// A service that has not been ready yet is starting, which is not worth a warning.
fn log(result: Result<(), Missing>, was_ready: bool) {
    match result {
        Ok(()) if was_ready => tracing::info!("ready again"),
        Ok(()) => {}
        Err(reason) if was_ready => tracing::warn!(reason, "not ready"),
        Err(reason) => tracing::debug!(reason, "not ready yet"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use futures::future::{join_all, pending};

    use super::*;

    const SHORT_PAUSE: Duration = Duration::from_millis(40);

    fn readiness<F>(check: impl Fn() -> F + Send + Sync + 'static) -> Readiness
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        Readiness::with(check, SHORT_PAUSE)
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
            tokio::time::sleep(SHORT_PAUSE).await;
        }
        assert_eq!(readiness.get().await, Err(TOO_LONG));
    }

    #[tokio::test]
    async fn a_check_that_panics_is_followed_by_another() {
        let first = AtomicBool::new(true);
        let readiness = readiness(move || {
            assert!(!first.swap(false, Ordering::SeqCst), "the first check panics");
            async { Ok(()) }
        });
        readiness.settle(Duration::from_secs(1)).await;
        assert_eq!(readiness.get().await, Ok(()));
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
            tokio::time::sleep(SHORT_PAUSE).await;
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
