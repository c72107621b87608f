//! Pixels of images that have been rendered, for those that wait.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pictures::transform::Pixels;

/// Holds at most as many as were rendered at the same time, and none once nobody waits.
#[derive(Debug)]
pub(super) struct Spare {
    pixels: Mutex<Vec<Pixels>>,
    /// Pixels of the images that wait.
    waiting: Arc<AtomicU64>,
}

/// Pixels of one rendering, which go back when it has ended.
#[derive(Debug)]
pub struct Borrowed {
    pub pixels: Pixels,
    spare: Arc<Spare>,
}

impl Spare {
    pub(super) fn new(waiting: Arc<AtomicU64>) -> Arc<Self> {
        Arc::new(Self { pixels: Mutex::default(), waiting })
    }

    fn pixels(&self) -> MutexGuard<'_, Vec<Pixels>> {
        self.pixels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn borrow(self: &Arc<Self>) -> Borrowed {
        Borrowed { pixels: self.pixels().pop().unwrap_or_default(), spare: Arc::clone(self) }
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        let mut spare = self.spare.pixels();
        match self.spare.waiting.load(Ordering::Relaxed) {
            0 => spare.clear(),
            _ => spare.push(std::mem::take(&mut self.pixels)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_kept_only_while_an_image_waits() {
        let waiting = Arc::new(AtomicU64::new(1));
        let spare = Spare::new(Arc::clone(&waiting));
        drop((spare.borrow(), spare.borrow()));
        assert_eq!(spare.pixels().len(), 2);
        let (first, second) = (spare.borrow(), spare.borrow());
        assert_eq!(spare.pixels().len(), 0);
        drop(first);
        waiting.store(0, Ordering::Relaxed);
        drop(second);
        assert_eq!(spare.pixels().len(), 0);
    }
}
