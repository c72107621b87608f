//! A hash that the first free thread computes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, OwnedSemaphorePermit, oneshot};

use super::super::workbench::Workbench;

pub struct Task<T, J> {
    job: J,
    open: Mutex<Option<Open<T>>>,
    begun: Notify,
}

/// The state of a task that no thread has finished.
struct Open<T> {
    answer: oneshot::Sender<T>,
    permit: OwnedSemaphorePermit,
    /// `Some` until a thread begins.
    waiting: Option<Waiting>,
}

/// The task as a thread sees it, without the result's type.
pub trait Work: Send + Sync {
    fn compute(&self, workbench: &mut Workbench);
}

impl<T, J: Fn(&mut Workbench) -> T> Task<T, J> {
    /// The receiver gets an error when the job panics.
    pub fn new(permit: OwnedSemaphorePermit, job: J) -> (Arc<Self>, oneshot::Receiver<T>) {
        let (answer, answered) = oneshot::channel();
        let open = Mutex::new(Some(Open { answer, permit, waiting: Some(Waiting::new()) }));
        (Arc::new(Self { job, open, begun: Notify::new() }), answered)
    }

    pub async fn begun(&self) {
        self.begun.notified().await;
    }

    /// Marks the task as begun. Returns whether a caller still waits for it.
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
        // The caller learns of the panic through the dropped sender; the thread must survive.
        let result = catch_unwind(AssertUnwindSafe(|| (self.job)(workbench)));
        let Some(open) = self.open.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        // Released before the answer is sent, because the caller may make another request immediately.
        drop(open.permit);
        if let Ok(result) = result {
            let _ = open.answer.send(result);
        }
    }
}

/// Counts a waiting task until it is dropped.
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
