//! How often, and how soon, a server that ended is started again.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// So many ends within the period mean that starting again does not help.
pub const MOST: usize = 5;
pub const PERIOD: Duration = Duration::from_secs(60);
const FIRST_DELAY: Duration = Duration::from_millis(250);
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// Why the server is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its own failure: at some point it is given up.
    Server,
    /// The machine lacks disk space, descriptors or memory, which may come back: it is waited for.
    Shortage,
}

#[derive(Debug, Default)]
pub struct Restarts {
    failures: VecDeque<Instant>,
    shortages: u32,
}

impl Restarts {
    /// Counts an end or a failed start. Returns how long to wait before the next start, `None` to give up.
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

    /// The server runs.
    pub fn succeeded(&mut self) {
        self.shortages = 0;
    }
}

/// 0, then doubled each time.
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
    fn failures_longer_than_a_minute_apart_are_no_reason_to_give_up() {
        let (mut restarts, begin) = (Restarts::default(), Instant::now());
        for number in 0..100 {
            let now = begin + Duration::from_secs(16) * number;
            assert!(restarts.after(Cause::Server, now).is_some(), "failure {number}");
        }
    }

    #[test]
    fn a_shortage_is_waited_for_however_long_it_lasts() {
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
