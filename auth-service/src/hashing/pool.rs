//! Room for hashes, and which thread computes them.
//!
//! A hash is computed on a quiet thread, which has the processor only while nobody else wants it: a flood of
//! sign-ins slows only sign-ins. Where the cores never rest such a thread hardly gets on. So a hash that is
//! overdue is computed once more on an insistent thread, and the next ones begin there: the first to finish
//! answers.

mod task;
mod threads;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::workbench::Workbench;
use task::Task;
use threads::{Manner, Threads};

/// Hashes that may wait for a thread; each waits well under a second per core.
pub const MOST_WAITING: usize = 64;

/// From when a hash has begun: it takes some 20 ms.
const LONGEST_HASH: Duration = Duration::from_millis(250);
/// Until it begins: more than all that may wait take, also on one core.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// How long the cores are taken to be busy after a hash was overdue.
const BUSY_SPELL: Duration = Duration::from_secs(5);

/// The threads end with it.
pub struct Pool {
    places: Arc<Semaphore>,
    quiet: Threads,
    insistent: Threads,
    busy_until: Mutex<Option<Instant>>,
}

/// Room for one hash.
pub struct Place(OwnedSemaphorePermit);

/// The job panicked.
#[derive(Debug, thiserror::Error)]
#[error("a hash was not finished")]
pub struct Unfinished;

impl Pool {
    /// # Errors
    /// When the system gives no threads.
    pub fn start(threads: usize) -> std::io::Result<Self> {
        Ok(Self {
            places: Arc::new(Semaphore::new(threads + MOST_WAITING)),
            quiet: Threads::start(threads, Manner::Quiet)?,
            insistent: Threads::start(threads, Manner::Insistent)?,
            busy_until: Mutex::new(None),
        })
    }

    /// `None` when so many wait that one more would wait too long. At once, without asking anybody.
    pub fn place(&self) -> Option<Place> {
        self.places.clone().try_acquire_owned().ok().map(Place)
    }

    /// Nothing is computed for somebody who has gone before it began; what has begun keeps its place to the end.
    pub async fn run<T: Send + 'static>(
        &self,
        Place(permit): Place,
        job: impl Fn(&mut Workbench) -> T + Send + Sync + 'static,
    ) -> Result<T, Unfinished> {
        let (task, mut answered) = Task::new(permit, job);
        if !self.is_busy() {
            self.quiet.take(task.clone());
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
        self.insistent.take(task);
        answered.await.map_err(|_| Unfinished)
    }

    fn is_busy(&self) -> bool {
        let until = *self.busy_until.lock().unwrap_or_else(PoisonError::into_inner);
        until.is_some_and(|until| Instant::now() < until)
    }

    fn is_busy_now(&self) {
        metrics::counter!("auth_hashes_overdue").increment(1);
        *self.busy_until.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now() + BUSY_SPELL);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc::{Receiver, channel};

    use tokio::sync::oneshot;

    use super::*;

    /// Occupies a quiet thread until the sender is dropped.
    async fn occupied(pool: &Pool, until: Receiver<()>) {
        let place = pool.place().unwrap();
        let (began, begun) = oneshot::channel();
        let (began, until) = (Mutex::new(Some(began)), Mutex::new(until));
        let job = pool.run(place, move |_| {
            began.lock().unwrap().take().unwrap().send(()).unwrap();
            let _ = until.lock().unwrap().recv();
        });
        tokio::select! { _ = job => {}, _ = begun => {} }
    }

    #[tokio::test]
    async fn one_too_many_is_told_at_once() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel();
        occupied(&pool, until).await;
        let places: Vec<_> = (0..MOST_WAITING).map(|_| pool.place().unwrap()).collect();

        let asked = Instant::now();
        assert!(pool.place().is_none());
        assert!(asked.elapsed() < Duration::from_millis(50));

        drop(places);
        drop(release);
        let place = pool.place().unwrap();
        assert_eq!(pool.run(place, |_| 7).await.unwrap(), 7);
    }

    #[tokio::test]
    async fn nothing_is_computed_for_somebody_who_has_gone() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel();
        occupied(&pool, until).await;
        let (done, computed) = channel();
        let place = pool.place().unwrap();
        let gone = pool.run(place, move |_| done.send(()));
        assert!(timeout(Duration::from_millis(1), gone).await.is_err());

        drop(release);
        let place = pool.place().unwrap();
        pool.run(place, |_| ()).await.unwrap();
        assert!(computed.try_recv().is_err());
        assert_eq!(pool.places.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    async fn a_panic_costs_neither_the_thread_nor_its_place() {
        let pool = Pool::start(1).unwrap();
        let place = pool.place().unwrap();
        assert!(pool.run::<()>(place, |_| panic!("on purpose")).await.is_err());
        let place = pool.place().unwrap();
        assert_eq!(pool.run(place, |_| 7).await.unwrap(), 7);
        assert_eq!(pool.places.available_permits(), MOST_WAITING + 1);
    }

    #[tokio::test]
    async fn what_is_overdue_is_computed_by_somebody_else_and_so_is_the_next() {
        let pool = Pool::start(1).unwrap();
        let (release, until) = channel::<()>();
        let (until, tries) = (Mutex::new(until), AtomicU32::new(0));
        let place = pool.place().unwrap();
        let computed = pool.run(place, move |_| match tries.fetch_add(1, Ordering::Relaxed) {
            0 => {
                let _ = until.lock().unwrap().recv();
                "the quiet thread"
            }
            _ => "the insistent thread",
        });
        assert_eq!(computed.await.unwrap(), "the insistent thread");
        assert_eq!(pool.places.available_permits(), MOST_WAITING + 1);

        let place = pool.place().unwrap();
        let by = |_: &mut Workbench| std::thread::current().name().map(str::to_owned);
        assert_eq!(pool.run(place, by).await.unwrap().unwrap(), "insistent-0");

        *pool.busy_until.lock().unwrap() = Some(Instant::now());
        drop(release);
        let place = pool.place().unwrap();
        assert_eq!(pool.run(place, by).await.unwrap().unwrap(), "quiet-0");
    }
}
