//! Detects whether this process is answering requests other than those for resized images.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use platform::http::activity;

/// Time between two samples.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);
/// A lower rate, such as that of health checks, is ignored.
const PER_SECOND: f64 = 10.0;

#[derive(Debug)]
pub(super) struct Others {
    /// Requests for resized images.
    own: AtomicU64,
    sample: Mutex<Sample>,
}

#[derive(Debug, Clone, Copy)]
struct Sample {
    when: Instant,
    others: u64,
    are_active: bool,
}

impl Others {
    pub(super) fn new() -> Self {
        let sample = Sample { when: Instant::now(), others: activity::begun(), are_active: false };
        Self { own: AtomicU64::new(0), sample: Mutex::new(sample) }
    }

    /// Other requests were active at the last sample, and have ended since.
    #[cfg(test)]
    pub(super) fn just_ended() -> Self {
        let others = Self::new();
        others.sample.lock().unwrap().are_active = true;
        others
    }

    pub(super) fn note_own(&self) {
        self.own.fetch_add(1, Ordering::Relaxed);
    }

    /// Never ends. Samples regularly, so that a rendering does not wait because of requests that ended long ago.
    pub(super) async fn watch(&self) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            self.are_active();
        }
    }

    /// Whether other requests arrived at more than [`PER_SECOND`] between the last two samples.
    pub(super) fn are_active(&self) -> bool {
        let others = activity::begun().saturating_sub(self.own.load(Ordering::Relaxed));
        let mut sample = self.sample.lock().unwrap_or_else(PoisonError::into_inner);
        *sample = sample.next(Instant::now(), others);
        sample.are_active
    }
}

impl Sample {
    /// Returns a new sample, or this one if the interval has not passed.
    fn next(self, now: Instant, others: u64) -> Self {
        let since = now.saturating_duration_since(self.when);
        if since < INTERVAL {
            return self;
        }
        let per_second = others.saturating_sub(self.others) as f64 / since.as_secs_f64();
        Self { when: now, others, are_active: per_second > PER_SECOND }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_that_have_ended_are_forgotten_while_no_image_is_rendered() {
        let others = Others::just_ended();
        let is_active = || others.sample.lock().unwrap().are_active;
        assert!(is_active());
        let watching = tokio::time::timeout(INTERVAL * 3, others.watch());
        assert!(watching.await.is_err());
        assert!(!is_active());
    }

    #[test]
    fn others_are_active_above_ten_requests_per_second() {
        let when = Instant::now();
        let sample = Sample { when, others: 100, are_active: false };
        let after = |milliseconds, others| sample.next(when + Duration::from_millis(milliseconds), others);
        assert!(!after(99, 200).are_active, "too early for a new sample");
        assert!(!after(1000, 110).are_active);
        assert!(after(1000, 111).are_active);
        assert!(!after(1000, 111).next(when + Duration::from_secs(2), 111).are_active);
    }
}
