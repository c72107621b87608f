//! Permits for hashes, and the threads that compute them. The threads have a low priority: a flood of sign-ins
//! slows down mostly sign-ins.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::workbench::Workbench;

/// Hashes that may wait for a thread. Each waits well under a second per core.
pub const MOST_WAITING: usize = 64;

/// How long a thread waits for a hash before it ends and returns the memory of the last one.
const IDLE_TIME: Duration = Duration::from_secs(10);
/// Nice value added for the threads.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

thread_local! {
    static WORKBENCH: RefCell<Workbench> = RefCell::default();
}

/// Dropping it ends the threads once they have finished the queued hashes.
pub struct Pool {
    permits: Arc<Semaphore>,
    /// Only its threads for blocking work are used. `None` once dropped.
    threads: Option<Runtime>,
}

/// Capacity for one hash.
pub struct Permit(OwnedSemaphorePermit);

/// The job panicked.
#[derive(Debug, thiserror::Error)]
#[error("a hash was not completed")]
pub struct Unfinished;

impl Pool {
    /// # Errors
    /// When the system refuses a runtime.
    pub fn start(threads: usize) -> std::io::Result<Self> {
        let runtime = Builder::new_current_thread()
            .max_blocking_threads(threads)
            .thread_keep_alive(IDLE_TIME)
            .thread_name("hashes")
            .on_thread_start(lower_priority)
            .build()?;
        Ok(Self { permits: Arc::new(Semaphore::new(threads + MOST_WAITING)), threads: Some(runtime) })
    }

    /// `None` when the queue is full. Never waits.
    pub fn permit(&self) -> Option<Permit> {
        self.permits.clone().try_acquire_owned().ok().map(Permit)
    }

    /// Skips a hash whose caller is gone before it starts. A started hash keeps its permit until it ends.
    pub async fn run<T: Send + 'static>(
        &self,
        Permit(permit): Permit,
        job: impl FnOnce(&mut Workbench) -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting::new();
        self.threads.as_ref().ok_or(Unfinished)?.spawn_blocking(move || {
            drop(waiting);
            if answer.is_closed() {
                return;
            }
            let result = WORKBENCH.with_borrow_mut(job);
            // Released before the answer is sent, because the caller may make another request immediately.
            drop(permit);
            let _ = answer.send(result);
        });
        answered.await.map_err(|_| Unfinished)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        // Never blocks, as a runtime that is dropped in another one would.
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

/// Counts a waiting hash until it is dropped.
struct Waiting;

impl Waiting {
    fn new() -> Self {
        metrics::gauge!("auth_hashes_waiting").increment(1);
        Self
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        metrics::gauge!("auth_hashes_waiting").decrement(1);
    }
}

/// On Linux each thread has its own priority. On other systems it would apply to the whole process.
fn lower_priority() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "hashes are computed at the same priority as everything else");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Instant;

    use tokio::time::timeout;

    use super::*;

    /// Blocks a thread until the sender is dropped.
    async fn occupied(pool: &Pool, until: Receiver<()>) {
        let (began, begun) = oneshot::channel();
        let job = pool.run(pool.permit().unwrap(), move |_| {
            began.send(()).unwrap();
            let _ = until.recv();
        });
        tokio::select! { _ = job => {}, _ = begun => {} }
    }

    #[tokio::test]
    async fn a_full_pool_rejects_immediately() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel();
        occupied(&pool, until).await;
        let permits: Vec<_> = (0..MOST_WAITING).map(|_| pool.permit().unwrap()).collect();

        let asked = Instant::now();
        assert!(pool.permit().is_none());
        assert!(asked.elapsed() < Duration::from_millis(50));

        drop(permits);
        drop(release);
        let permit = pool.permit().unwrap();
        assert_eq!(pool.run(permit, |_| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn hashes_of_canceled_requests_are_skipped() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel();
        occupied(&pool, until).await;
        let (done, computed) = channel();
        let gone = pool.run(pool.permit().unwrap(), move |_| done.send(()));
        assert!(timeout(Duration::from_millis(1), gone).await.is_err());

        drop(release);
        pool.run(pool.permit().unwrap(), |_| ()).await.unwrap();
        assert!(computed.try_recv().is_err());
        assert_eq!(pool.permits.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    async fn a_panic_loses_neither_the_thread_nor_the_permit() {
        let pool = Pool::start(1).unwrap();
        assert!(pool.run::<()>(pool.permit().unwrap(), |_| panic!("on purpose")).await.is_err());
        assert_eq!(pool.run(pool.permit().unwrap(), |_| 7).await.unwrap(), 7);
        assert_eq!(pool.permits.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    #[cfg(target_os = "linux")]
    async fn hashes_have_a_low_priority() {
        let own = rustix::process::getpriority_process(None).unwrap();
        let pool = Pool::start(1).unwrap();
        let niceness = |_: &mut Workbench| rustix::process::getpriority_process(None).unwrap();
        let seen = pool.run(pool.permit().unwrap(), niceness).await.unwrap();
        assert_eq!(seen, (own + NICENESS).min(19));
    }
}
