//! Detects whether this process is answering requests other than those for resized images.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use platform::http::activity;

/// Time between two samples.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);
/// Fewer requests than this, such as health checks, are ignored.
const PER_SECOND: f64 = 10.0;

#[derive(Debug)]
pub(super) struct Others {
    /// Requests for resized images.
    own: AtomicU64,
    look: Mutex<Look>,
}

#[derive(Debug, Clone, Copy)]
struct Look {
    when: Instant,
    others: u64,
    are_asking: bool,
}

impl Others {
    pub(super) fn new() -> Self {
        let look = Look { when: Instant::now(), others: activity::begun(), are_asking: false };
        Self { own: AtomicU64::new(0), look: Mutex::new(look) }
    }

    /// The last sample has seen other requests, which have ended since.
    #[cfg(test)]
    pub(super) fn just_ended() -> Self {
        let others = Self::new();
        others.look.lock().unwrap().are_asking = true;
        others
    }

    pub(super) fn note_own(&self) {
        self.own.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn are_asking(&self) -> bool {
        let others = activity::begun().saturating_sub(self.own.load(Ordering::Relaxed));
        let mut look = self.look.lock().unwrap_or_else(PoisonError::into_inner);
        *look = look.again(Instant::now(), others);
        look.are_asking
    }
}

impl Look {
    /// The next sample, or the same one if the interval has not passed.
    fn again(self, now: Instant, others: u64) -> Self {
        let since = now.saturating_duration_since(self.when);
        if since < INTERVAL {
            return self;
        }
        let per_second = others.saturating_sub(self.others) as f64 / since.as_secs_f64();
        Self { when: now, others, are_asking: per_second > PER_SECOND }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_count_from_ten_requests_per_second_on() {
        let when = Instant::now();
        let look = Look { when, others: 100, are_asking: false };
        let after = |milliseconds, others| look.again(when + Duration::from_millis(milliseconds), others);
        assert!(!after(99, 200).are_asking, "too early to say");
        assert!(!after(1000, 110).are_asking);
        assert!(after(1000, 111).are_asking);
        assert!(!after(1000, 111).again(when + Duration::from_secs(2), 111).are_asking);
    }
}
