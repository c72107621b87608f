//! The memory budget shared by all buffered bodies of a server.

use std::sync::Arc;

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The first bytes of every body are free, so that large bodies can't block small ones such as sign-ins. The limit on connections
/// bounds their memory.
const FREE: usize = 16 * 1024;

const BUFFERED: &str = "http_body_buffered_bytes";

/// Clones share one budget.
#[derive(Clone)]
pub struct BodyBudget(Arc<Semaphore>);

#[derive(Debug)]
pub(super) struct Exhausted;

impl BodyBudget {
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS))))
    }

    pub(super) fn charge(&self) -> Charge {
        Charge { budget: Some(self.clone()), bytes: 0, taken: Vec::new() }
    }
}

/// One body's share of the budget, released when dropped.
#[derive(Default)]
pub(super) struct Charge {
    budget: Option<BodyBudget>,
    bytes: usize,
    taken: Vec<OwnedSemaphorePermit>,
}

impl Charge {
    pub(super) fn grow_to(&mut self, bytes: usize) -> Result<(), Exhausted> {
        let Some(BodyBudget(budget)) = &self.budget else { return Ok(()) };
        let more = bytes.saturating_sub(self.bytes.max(FREE));
        let more = u32::try_from(more).map_err(|_| Exhausted)?;
        self.taken.push(Arc::clone(budget).try_acquire_many_owned(more).map_err(|_| Exhausted)?);
        gauge!(BUFFERED).increment(bytes.saturating_sub(self.bytes) as f64);
        self.bytes = self.bytes.max(bytes);
        Ok(())
    }
}

impl Drop for Charge {
    fn drop(&mut self) {
        if self.bytes > 0 {
            gauge!(BUFFERED).decrement(self.bytes as f64);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bodies_leave_room_for_small_ones() {
        let budget = BodyBudget::new(1 << 20);
        let mut large = budget.charge();
        large.grow_to(FREE).unwrap();
        large.grow_to(600 * 1024).unwrap();
        assert!(budget.charge().grow_to(600 * 1024).is_err());
        let mut small = budget.charge();
        small.grow_to(100).unwrap();
        small.grow_to(FREE).unwrap();
        drop(large);
        budget.charge().grow_to(600 * 1024).unwrap();
    }

    #[test]
    fn rejected_bodies_take_nothing() {
        let budget = BodyBudget::new(1 << 20);
        for _ in 0..100 {
            assert!(budget.charge().grow_to(2 << 20).is_err());
        }
        budget.charge().grow_to(700 * 1024).unwrap();
    }
}
