//! How many requests this process has begun to answer, for work that gives way to requests.

use std::sync::atomic::{AtomicU64, Ordering};

static BEGUN: AtomicU64 = AtomicU64::new(0);

pub(super) fn note() {
    BEGUN.fetch_add(1, Ordering::Relaxed);
}

/// Requests of all servers of this process since it started.
pub fn begun() -> u64 {
    BEGUN.load(Ordering::Relaxed)
}
