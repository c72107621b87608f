//! Shares of something limited: in total, and for each owner, so that one can't keep out the others.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use parking_lot::Mutex;

#[derive(Debug, Clone, Copy)]
pub struct ShareLimits {
    pub per_owner: u64,
    pub total: u64,
}

/// Clones share their counters.
pub struct Shares<K> {
    limits: ShareLimits,
    /// `None` has no limit of its own.
    taken: Arc<Mutex<HashMap<Option<K>, u64>>>,
}

/// What one owner has taken, returned when dropped.
pub struct Share<K: Eq + Hash> {
    taken: Arc<Mutex<HashMap<Option<K>, u64>>>,
    limits: ShareLimits,
    owner: Option<K>,
    amount: u64,
}

#[derive(Debug)]
pub struct Exhausted;

impl<K: Clone + Eq + Hash> Shares<K> {
    pub fn new(limits: ShareLimits) -> Self {
        Self { limits, taken: Arc::default() }
    }

    pub fn begin(&self, owner: Option<K>) -> Share<K> {
        Share { taken: Arc::clone(&self.taken), limits: self.limits, owner, amount: 0 }
    }
}

impl<K: Clone + Eq + Hash> Share<K> {
    /// # Errors
    /// When a limit is reached; nothing is taken then.
    pub fn grow(&mut self, amount: u64) -> Result<(), Exhausted> {
        let mut taken = self.taken.lock();
        let own = taken.get(&self.owner).copied().unwrap_or_default() + amount;
        let total = taken.values().sum::<u64>() + amount;
        if total > self.limits.total || self.owner.is_some() && own > self.limits.per_owner {
            return Err(Exhausted);
        }
        taken.insert(self.owner.clone(), own);
        self.amount += amount;
        Ok(())
    }
}

impl<K: Eq + Hash> Drop for Share<K> {
    fn drop(&mut self) {
        let mut taken = self.taken.lock();
        if let Some(amount) = taken.get_mut(&self.owner) {
            *amount -= self.amount;
        }
        taken.retain(|_, amount| *amount > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_limited_per_owner_and_in_total_until_they_are_returned() {
        let shares = Shares::new(ShareLimits { per_owner: 100, total: 250 });
        let mut first = shares.begin(Some("a"));
        first.grow(60).unwrap();
        first.grow(40).unwrap();
        assert!(shares.begin(Some("a")).grow(1).is_err());
        let mut others: Vec<_> = ["b", "c"].map(|owner| shares.begin(Some(owner))).into();
        others[0].grow(100).unwrap();
        assert!(others[1].grow(51).is_err(), "the total");
        others[1].grow(50).unwrap();
        assert!(shares.begin(None).grow(1).is_err());
        drop(first);
        shares.begin(Some("a")).grow(100).unwrap();
        shares.begin(None).grow(100).unwrap();
        drop(others);
        assert!(shares.taken.lock().is_empty());
    }
}
