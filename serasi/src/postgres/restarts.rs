//! Restart policy for a server that ended: how often and how soon.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// After this many failures within the period, give up.
pub const MOST: usize = 5;
pub const PERIOD: Duration = Duration::from_secs(60);
const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Why the server is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A failure of the server itself. Repeated failures make us give up.
    Server,
    /// The machine lacks disk space, descriptors or memory. This may pass, so retry forever.
    Shortage,
}

#[derive(Debug, Default)]
pub struct Restarts {
    failures: VecDeque<Instant>,
    shortages: u32,
}

impl Restarts {
    /// Records an end or a failed start. Returns the delay before the next start, or `None` to give up.
    pub fn after(&mut self, cause: Cause, now: Instant) -> Option<Duration> {
        if cause == Cause::Shortage {
            self.shortages += 1;
            return Some(delay(self.shortages));
        }
        while self.failures.front().is_some_and(|first| now.duration_since(*first) > PERIOD) {
            self.failures.pop_front();
        }
        self.failures.push_back(now);
        // The first restart is immediate.
        let failures = self.failures.len();
        (failures < MOST).then(|| delay(u32::try_from(failures - 1).unwrap_or(u32::MAX)))
    }

    /// The server is running again.
    pub fn succeeded(&mut self) {
        self.shortages = 0;
    }
}

/// No delay first, then doubling.
fn delay(attempt: u32) -> Duration {
    match attempt.checked_sub(1) {
        None => Duration::ZERO,
        Some(doublings) => FIRST_DELAY.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_DELAY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_restart_is_immediate_and_the_fifth_failure_in_a_minute_the_last() {
        let (mut restarts, now) = (Restarts::default(), Instant::now());
        let delays: Vec<_> = (0..5).map(|_| restarts.after(Cause::Server, now)).collect();
        let milliseconds = |number| Some(Duration::from_millis(number));
        assert_eq!(delays, [milliseconds(0), milliseconds(250), milliseconds(500), milliseconds(1000), None]);
    }

    #[test]
    fn fewer_than_five_failures_per_minute_are_restarted_forever() {
        let (mut restarts, begin) = (Restarts::default(), Instant::now());
        for number in 0..100 {
            let now = begin + Duration::from_secs(16) * number;
            assert!(restarts.after(Cause::Server, now).is_some(), "failure {number}");
        }
    }

    #[test]
    fn shortages_are_retried_forever() {
        let (mut restarts, now) = (Restarts::default(), Instant::now());
        for _ in 0..100 {
            assert!(restarts.after(Cause::Shortage, now).is_some_and(|delay| delay > Duration::ZERO));
        }
        assert_eq!(restarts.after(Cause::Shortage, now), Some(LONGEST_DELAY));
        restarts.succeeded();
        assert_eq!(restarts.after(Cause::Shortage, now), Some(FIRST_DELAY));
        assert_eq!(restarts.after(Cause::Server, now), Some(Duration::ZERO));
    }
}
