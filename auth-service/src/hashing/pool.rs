//! Threads of their own for hashes, one per core. The processor serves all others before them, so that a flood
//! of sign-ins slows only sign-ins. As many hashes wait as are answered within a second or two.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::workbench::Workbench;

/// Hashes that may wait for a thread; each waits well under a second per core.
pub const MOST_WAITING: usize = 64;

type Job = Box<dyn FnOnce(&mut Workbench) + Send>;

/// The threads end with it.
pub struct Pool {
    places: Arc<Semaphore>,
    jobs: Sender<Job>,
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
        let (jobs, queue) = channel();
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(format!("hashing-{number}")).spawn(move || work_off(&queue))?;
        }
        Ok(Self { places: Arc::new(Semaphore::new(threads + MOST_WAITING)), jobs })
    }

    /// `None` when so many wait that one more would wait too long. At once, without asking anybody.
    pub fn place(&self) -> Option<Place> {
        self.places.clone().try_acquire_owned().ok().map(Place)
    }

    /// Nothing is computed for somebody who has gone before it began; what has begun keeps its place to the end.
    pub async fn run<T: Send + 'static>(
        &self,
        Place(permit): Place,
        job: impl FnOnce(&mut Workbench) -> T + Send + 'static,
    ) -> Result<T, Unfinished> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting::new();
        let job = move |workbench: &mut Workbench| {
            drop(waiting);
            if !answer.is_closed() {
                let result = job(workbench);
                // Before the answer: whoever has it may ask again at once.
                drop(permit);
                let _ = answer.send(result);
            }
        };
        self.jobs.send(Box::new(job)).map_err(|_| Unfinished)?;
        answered.await.map_err(|_| Unfinished)
    }
}

fn work_off(queue: &Mutex<Receiver<Job>>) {
    step_back();
    let mut workbench = Workbench::default();
    loop {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        // A panic is told to whoever asked; the thread must live on.
        let _ = catch_unwind(AssertUnwindSafe(|| job(&mut workbench)));
    }
}

/// Lets the process's other threads, and the database beside us, have the processor first. Linux gives each
/// thread a niceness of its own; elsewhere it would be the whole process's, so there we stay as we are.
fn step_back() {
    #[cfg(target_os = "linux")]
    {
        const STEPS: i32 = 10;
        if let Err(error) = rustix::process::nice(STEPS) {
            tracing::warn!(%error, "hashes are computed at the same priority as everything else");
        }
    }
}

/// One more that waits for a thread, until it is dropped.
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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    /// Occupies a thread until the sender is dropped.
    async fn occupied(pool: &Pool, until: Receiver<()>) {
        let place = pool.place().unwrap();
        let (began, begun) = oneshot::channel();
        let job = pool.run(place, move |_| {
            let _ = began.send(());
            let _ = until.recv();
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
        assert!(tokio::time::timeout(Duration::from_millis(1), gone).await.is_err());

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

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn hashes_come_after_everything_else() {
        let own = || rustix::process::getpriority_process(None).unwrap();
        let pool = Pool::start(1).unwrap();
        let place = pool.place().unwrap();
        let hashing = pool.run(place, move |_| own()).await.unwrap();
        assert!(hashing > own() || hashing == 19, "{hashing} against {}", own());
    }
}
