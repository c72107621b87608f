//! Keeps the memory of rendered images for images that wait in the queue.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pictures::transform::Pixels;

/// Blocks of memory to reuse: at most one for each concurrent rendering, and none while no image waits.
#[derive(Debug)]
pub(super) struct Spare {
    pixels: Mutex<Vec<Pixels>>,
    /// The number of pixels in the queue.
    waiting: Arc<AtomicU64>,
}

/// The memory of one rendering, which is returned when dropped.
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
    fn memory_is_kept_only_while_an_image_waits() {
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
