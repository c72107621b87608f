//! Limits the memory of responses that clients have not read yet.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Smaller responses are free, so that clients that don't read large ones can't block them.
const SMALL: usize = 64 * 1024;
/// The unit of the budget, in bytes.
const UNIT: usize = 1024;

#[derive(Clone)]
pub struct ResponseBudget {
    units: u32,
    free: Arc<Semaphore>,
}

impl ResponseBudget {
    pub fn new(bytes: usize) -> Self {
        let units = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX);
        Self { units, free: Arc::new(Semaphore::new(units as usize)) }
    }

    /// Charges the body to the budget until the last part of it is sent or dropped. Returns `None` when too little of the
    /// budget is left.
    pub fn charge(&self, body: Bytes) -> Option<Bytes> {
        if body.len() <= SMALL {
            return Some(body);
        }
        // A response larger than the whole budget is sent when no other one is pending.
        let units = u32::try_from(body.len().div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.units);
        let permit = Arc::clone(&self.free).try_acquire_many_owned(units).ok()?;
        Some(Bytes::from_owner(Charged { body, _permit: permit }))
    }
}

struct Charged {
    body: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for Charged {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LARGE: usize = 600 * 1024;

    fn body(bytes: usize) -> Bytes {
        vec![b' '; bytes].into()
    }

    #[test]
    fn large_responses_share_the_budget_until_they_are_sent() {
        let budget = ResponseBudget::new(1 << 20);
        let mut first = budget.charge(body(LARGE)).unwrap();
        assert!(budget.charge(body(LARGE)).is_none());
        assert!(budget.charge(body(SMALL)).is_some());
        let last_part = first.split_off(LARGE - 1);
        drop(first);
        assert!(budget.charge(body(LARGE)).is_none());
        drop(last_part);
        assert!(budget.charge(body(LARGE)).is_some());
    }

    #[test]
    fn a_response_may_exceed_an_unused_budget() {
        let budget = ResponseBudget::new(1 << 20);
        let huge = budget.charge(body(2 << 20)).unwrap();
        assert!(budget.charge(body(LARGE)).is_none());
        drop(huge);
    }
}
