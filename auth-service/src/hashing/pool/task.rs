//! One hash to be computed, by whichever thread gets to it first.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, oneshot};

use super::super::workbench::Workbench;

pub struct Task<T, J> {
    job: J,
    open: Mutex<Option<Open<T>>>,
    begun: Notify,
}

/// What is still to be done for a task that nobody has finished.
struct Open<T> {
    answer: oneshot::Sender<T>,
    permit: OwnedSemaphorePermit,
    /// Until a thread begins.
    waiting: Option<Waiting>,
}

/// What a thread can do without knowing the answer's type.
pub trait Work: Send + Sync {
    fn compute(&self, workbench: &mut Workbench);
}

impl<T, J: Fn(&mut Workbench) -> T> Task<T, J> {
    /// The receiver learns nothing when the job panics.
    pub fn new(permit: OwnedSemaphorePermit, job: J) -> (Arc<Self>, oneshot::Receiver<T>) {
        let (answer, answered) = oneshot::channel();
        let open = Mutex::new(Some(Open { answer, permit, waiting: Some(Waiting::new()) }));
        (Arc::new(Self { job, open, begun: Notify::new() }), answered)
    }

    pub async fn begun(&self) {
        self.begun.notified().await;
    }

    /// Whether somebody still waits for it.
    fn begin(&self) -> bool {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.as_ref().is_some_and(|open| open.answer.is_closed()) {
            *open = None;
        }
        self.begun.notify_one();
        open.as_mut().map(|open| open.waiting.take()).is_some()
    }
}

impl<T: Send, J: Fn(&mut Workbench) -> T + Send + Sync> Work for Task<T, J> {
    fn compute(&self, workbench: &mut Workbench) {
        if !self.begin() {
            return;
        }
        // A panic is told to whoever asked; the thread must live on.
        let result = catch_unwind(AssertUnwindSafe(|| (self.job)(workbench)));
        let Some(open) = self.open.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        // Before the answer: whoever has it may ask again at once.
        drop(open.permit);
        if let Ok(result) = result {
            let _ = open.answer.send(result);
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
