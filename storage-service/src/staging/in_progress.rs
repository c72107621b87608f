//! Limits the disk space of uploads in progress. They don't count against the quota yet, and a client may open
//! many and send them slowly.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Limits in bytes.
#[derive(Debug, Clone, Copy)]
pub struct StagingLimits {
    pub per_account: u64,
    /// The limit for all accounts and the service key together.
    pub total: u64,
}

/// Clones share their counters.
#[derive(Clone)]
pub(super) struct InProgress {
    limits: StagingLimits,
    /// By account. `None` is the service key.
    bytes: Arc<Mutex<HashMap<Option<String>, u64>>>,
}

/// The share of one upload, released when dropped.
pub struct Share {
    uploads: InProgress,
    account: Option<String>,
    bytes: u64,
}

#[derive(Debug)]
pub(super) struct Exhausted;

impl InProgress {
    pub(super) fn new(limits: StagingLimits) -> Self {
        Self { limits, bytes: Arc::default() }
    }

    pub(super) fn begin(&self, account: Option<&str>) -> Share {
        Share { uploads: self.clone(), account: account.map(str::to_owned), bytes: 0 }
    }

    fn bytes(&self) -> MutexGuard<'_, HashMap<Option<String>, u64>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Share {
    pub(super) fn grow(&mut self, bytes: u64) -> Result<(), Exhausted> {
        let limits = self.uploads.limits;
        let mut all = self.uploads.bytes();
        let account = all.get(&self.account).copied().unwrap_or_default() + bytes;
        let total = all.values().sum::<u64>() + bytes;
        if total > limits.total || self.account.is_some() && account > limits.per_account {
            return Err(Exhausted);
        }
        all.insert(self.account.clone(), account);
        self.bytes += bytes;
        Ok(())
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut all = self.uploads.bytes();
        if let Some(bytes) = all.get_mut(&self.account) {
            *bytes -= self.bytes;
        }
        all.retain(|_, bytes| *bytes > 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_limited_per_account_and_in_total_until_the_uploads_end() {
        let uploads = InProgress::new(StagingLimits { per_account: 100, total: 250 });
        let mut first = uploads.begin(Some("a"));
        first.grow(60).unwrap();
        first.grow(40).unwrap();
        assert!(uploads.begin(Some("a")).grow(1).is_err());
        let mut others: Vec<_> = ["b", "c"].map(|account| uploads.begin(Some(account))).into();
        others[0].grow(100).unwrap();
        assert!(others[1].grow(51).is_err(), "the total");
        others[1].grow(50).unwrap();
        assert!(uploads.begin(None).grow(1).is_err());
        drop(first);
        uploads.begin(Some("a")).grow(100).unwrap();
        uploads.begin(None).grow(100).unwrap();
        drop(others);
        assert!(uploads.bytes().is_empty());
    }
}
