//! Permits for hashes, and the threads that compute them.
//!
//! A hash normally runs on an idle-priority thread, which runs only when no other thread wants the processor:
//! a flood of sign-ins slows down only sign-ins. On saturated cores such a thread hardly progresses. An
//! overdue hash therefore starts again on a normal-priority thread, and so do the following ones for a while.
//! The first thread to finish answers.

mod task;
mod threads;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::workbench::Workbench;
use task::Task;
use threads::{Priority, Threads};

/// Hashes that may wait for a thread. Each waits well under a second per core.
pub const MOST_WAITING: usize = 64;

/// A hash that runs longer than this is overdue; it normally takes about 20 ms.
const LONGEST_HASH: Duration = Duration::from_millis(250);
/// A hash that has not started by then is overdue. Longer than a full queue takes, even on one core.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How long the cores count as busy after an overdue hash.
const BUSY_SPELL: Duration = Duration::from_secs(5);

/// Dropping it ends the threads.
pub struct Pool {
    permits: Arc<Semaphore>,
    idle: Threads,
    normal: Threads,
    busy_until: Mutex<Option<Instant>>,
}

/// Capacity for one hash.
pub struct Permit(OwnedSemaphorePermit);

/// The job panicked.
#[derive(Debug, thiserror::Error)]
#[error("a hash was not completed")]
pub struct Unfinished;

impl Pool {
    /// # Errors
    /// When the system can't start threads.
    pub fn start(threads: usize) -> std::io::Result<Self> {
        Ok(Self {
            permits: Arc::new(Semaphore::new(threads + MOST_WAITING)),
            idle: Threads::start(threads, Priority::Idle)?,
            normal: Threads::start(threads, Priority::Normal)?,
            busy_until: Mutex::new(None),
        })
    }

    /// `None` when the queue is full. Never waits.
    pub fn permit(&self) -> Option<Permit> {
        self.permits.clone().try_acquire_owned().ok().map(Permit)
    }

    /// Skips a hash whose caller is gone before it starts. A started hash keeps its permit until it ends.
    pub async fn run<T: Send + 'static>(
        &self,
        Permit(permit): Permit,
        job: impl Fn(&mut Workbench) -> T + Send + Sync + 'static,
    ) -> Result<T, Unfinished> {
        let (task, mut answered) = Task::new(permit, job);
        if !self.is_busy() {
            self.idle.take(task.clone());
            let overdue = async {
                if timeout(LONGEST_WAIT, task.begun()).await.is_ok() {
                    sleep(LONGEST_HASH).await;
                }
            };
            tokio::select! {
                biased;
                answer = &mut answered => return answer.map_err(|_| Unfinished),
                () = overdue => self.is_busy_now(),
            }
        }
        self.normal.take(task);
        answered.await.map_err(|_| Unfinished)
    }

    fn is_busy(&self) -> bool {
        let until = *self.busy_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    fn is_busy_now(&self) {
        metrics::counter!("auth_hashes_overdue_total").increment(1);
        *self.busy_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + BUSY_SPELL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, channel};

    use tokio::sync::oneshot;

    use super::*;

    /// Blocks an idle-priority thread until the sender is dropped.
    async fn occupied(pool: &Pool, until: Receiver<()>) {
        let permit = pool.permit().unwrap();
        let (began, begun) = oneshot::channel();
        let (began, until) = (Mutex::new(Some(began)), Mutex::new(until));
        let job = pool.run(permit, move |_| {
            began.lock().unwrap().take().unwrap().send(()).unwrap();
            let _ = until.lock().unwrap().recv();
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
        let permit = pool.permit().unwrap();
        let gone = pool.run(permit, move |_| done.send(()));
        assert!(timeout(Duration::from_millis(1), gone).await.is_err());

        drop(release);
        let permit = pool.permit().unwrap();
        pool.run(permit, |_| ()).await.unwrap();
        assert!(computed.try_recv().is_err());
        assert_eq!(pool.permits.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    async fn a_panic_loses_neither_the_thread_nor_the_permit() {
        let pool = Pool::start(1).unwrap();
        let permit = pool.permit().unwrap();
        assert!(pool.run::<()>(permit, |_| panic!("on purpose")).await.is_err());
        let permit = pool.permit().unwrap();
        assert_eq!(pool.run(permit, |_| 7).await.unwrap(), 7);
        assert_eq!(pool.permits.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    async fn an_overdue_hash_and_the_next_one_move_to_normal_priority() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel::<()>();
        let (until, tries) = (Mutex::new(until), AtomicU32::new(0));
        let permit = pool.permit().unwrap();
        let computed = pool.run(permit, move |_| match tries.fetch_add(1, Ordering::Relaxed) {
            0 => {
                let _ = until.lock().unwrap().recv();
                "the idle thread"
            }
            _ => "the normal thread",
        });
        assert_eq!(computed.await.unwrap(), "the normal thread");
        assert_eq!(pool.permits.available_permits(), MOST_WAITING + 1);

        let permit = pool.permit().unwrap();
        let by = |_: &mut Workbench| std::thread::current().name().map(str::to_owned);
        assert_eq!(pool.run(permit, by).await.unwrap().unwrap(), "normal-0");

        *pool.busy_until.lock().unwrap() = Some(Instant::now());
        drop(release);
        let permit = pool.permit().unwrap();
        assert_eq!(pool.run(permit, by).await.unwrap().unwrap(), "idle-0");
    }
}
