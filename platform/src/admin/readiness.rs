//! Whether a service can do its work. It is checked in the background, so that a request for `/ready` gets an answer at once,
//! even if the check hangs.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// A request waits this long for the first result.
const LONGEST_WAIT: Duration = Duration::from_millis(70);
const PAUSE: Duration = Duration::from_secs(1);
/// The first pause after a failed check, so that a repair is seen soon. It doubles up to [`PAUSE`].
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(50);
/// A check that takes longer has failed, so that the next one can begin.
const LONGEST_CHECK: Duration = Duration::from_secs(2);

/// What is unavailable.
pub type Missing = &'static str;
const TOO_LONG: Missing = "the check takes too long";

/// Checks in the background until the last clone is dropped.
#[derive(Clone)]
pub struct Readiness {
    last: watch::Receiver<Option<Result<(), Missing>>>,
    _checks: Arc<JoinSet<()>>,
}

impl Readiness {
    /// Must be called inside a runtime, because it spawns a task.
    pub fn new<F>(check: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        Self::with(check, LONGEST_CHECK)
    }

    fn with<F>(check: impl Fn() -> F + Send + Sync + 'static, longest: Duration) -> Self
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        let (results, last) = watch::channel(None);
        let mut checks = JoinSet::new();
        checks.spawn(repeat(check, longest, results));
        Self { last, _checks: Arc::new(checks) }
    }

    /// # Errors
    /// The error names what is unavailable.
    pub async fn get(&self) -> Result<(), Missing> {
        let mut last = self.last.clone();
        let known = timeout(LONGEST_WAIT, last.wait_for(Option::is_some)).await;
        known.ok().and_then(|known| *known.ok()?).unwrap_or(Err(TOO_LONG))
    }

    /// Returns once the service is ready, or after `limit`.
    pub async fn settle(&self, limit: Duration) {
        let _ = timeout(limit, self.last.clone().wait_for(|known| *known == Some(Ok(())))).await;
    }
}

/// Checks one after another.
async fn repeat<F: Future<Output = Result<(), Missing>>>(
    check: impl Fn() -> F,
    longest: Duration,
    results: watch::Sender<Option<Result<(), Missing>>>,
) {
    let mut was_ready = false;
    let mut after_failure = PAUSE_AFTER_FAILURE;
    loop {
        let check = AssertUnwindSafe(async { check().await }).catch_unwind();
        let result = match timeout(longest, check).await {
            Ok(Ok(result)) => result,
            Ok(Err(_)) => Err("the check itself"),
            Err(_) => Err(TOO_LONG),
        };
        if results.send_replace(Some(result)) != Some(result) {
            log(result, was_ready);
        }
        was_ready |= result.is_ok();
        sleep(if result.is_ok() { PAUSE } else { after_failure }).await;
        after_failure = if result.is_ok() { PAUSE_AFTER_FAILURE } else { PAUSE.min(2 * after_failure) };
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

    const SHORT: Duration = Duration::from_millis(40);

    fn readiness<F>(check: impl Fn() -> F + Send + Sync + 'static) -> Readiness
    where
        F: Future<Output = Result<(), Missing>> + Send + 'static,
    {
        Readiness::with(check, SHORT)
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
            sleep(SHORT).await;
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
            sleep(SHORT).await;
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
        sleep(2 * PAUSE_AFTER_FAILURE).await;
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
