//! The memory budget shared by all buffered bodies of a server.

use std::sync::Arc;

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The first bytes of every body come from a separate part of the budget, so that large bodies can't block
/// small ones such as sign-ins.
const SMALL: usize = 16 * 1024;
/// The divisor for the part of the budget that is reserved for first bytes.
const SMALL_PART: usize = 4;

const BUFFERED: &str = "http_body_buffered_bytes";

/// Clones share one budget.
#[derive(Clone)]
pub struct BodyBudget {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

#[derive(Debug)]
pub(super) struct Exhausted;

impl BodyBudget {
    pub fn new(bytes: usize) -> Self {
        let small = bytes / SMALL_PART;
        let part = |bytes: usize| Arc::new(Semaphore::new(bytes.min(Semaphore::MAX_PERMITS)));
        Self { small: part(small), large: part(bytes - small) }
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
        let Some(budget) = &self.budget else { return Ok(()) };
        let small = bytes.min(SMALL).saturating_sub(self.bytes);
        let large = bytes.saturating_sub(self.bytes + small);
        let take = |part: &Arc<Semaphore>, bytes: usize| {
            let bytes = u32::try_from(bytes).map_err(|_| Exhausted)?;
            Arc::clone(part).try_acquire_many_owned(bytes).map_err(|_| Exhausted)
        };
        let from_small = take(&budget.small, small).or_else(|_| take(&budget.large, small))?;
        let from_large = take(&budget.large, large)?;
        self.taken.extend([from_small, from_large]);
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
        large.grow_to(SMALL).unwrap();
        large.grow_to(600 * 1024).unwrap();
        assert!(budget.charge().grow_to(600 * 1024).is_err());
        let mut small = budget.charge();
        small.grow_to(100).unwrap();
        small.grow_to(SMALL).unwrap();
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
