//! Counts the requests of this process, so that background work can yield to them.

use std::sync::atomic::{AtomicU64, Ordering};

static BEGUN: AtomicU64 = AtomicU64::new(0);

pub(super) fn note() {
    BEGUN.fetch_add(1, Ordering::Relaxed);
}

/// The number of requests that all servers of this process have begun to answer since it started.
pub fn begun() -> u64 {
    BEGUN.load(Ordering::Relaxed)
}
