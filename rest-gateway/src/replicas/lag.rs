//! How far a replica is behind: the age of the newest position of the primary that it has replayed. It does
//! not depend on other machines' clocks, and does not grow while the primary is idle.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::position::Position;

/// The number of samples: ten minutes, with one every 200 ms.
const MAX_SAMPLES: usize = 3000;

/// The primary's positions over time. While the primary does not answer, no position is added, and the
/// replicas' lag stays the same.
#[derive(Default)]
pub struct PrimaryHistory(Mutex<VecDeque<(Instant, Position)>>);

impl PrimaryHistory {
    /// Returns whether the position is before the last one, which means that there is a new primary without
    /// the last changes.
    pub fn add(&self, at: Instant, position: Position) -> bool {
        let mut samples = self.0.lock();
        let is_earlier = samples.back().is_some_and(|(_, last)| position < *last);
        if is_earlier {
            samples.clear();
        }
        if samples.len() >= MAX_SAMPLES {
            samples.pop_front();
        }
        samples.push_back((at, position));
        is_earlier
    }

    /// `None` if it is unknown, or longer than the history.
    pub fn lag(&self, replayed: Position) -> Option<Duration> {
        let samples = self.0.lock();
        let (newest, _) = *samples.back()?;
        let (since, _) = samples.iter().rev().find(|(_, position)| *position <= replayed)?;
        Some(newest.duration_since(*since))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lag_is_the_age_of_what_is_replayed() {
        let (history, start) = (PrimaryHistory::default(), Instant::now());
        assert_eq!(history.lag(Position(1)), None);
        for (seconds, position) in [(0, 10), (1, 20), (2, 20), (3, 30)] {
            assert!(!history.add(start + Duration::from_secs(seconds), Position(position)));
        }
        let lag = |position| history.lag(Position(position)).map(|lag| lag.as_secs());
        assert_eq!(
            [lag(31), lag(30), lag(29), lag(20), lag(19), lag(9)],
            [Some(0), Some(0), Some(1), Some(1), Some(3), None]
        );
        assert!(history.add(start + Duration::from_secs(4), Position(25)));
        assert_eq!(lag(25), Some(0));
    }

    #[test]
    fn the_history_is_bounded() {
        let (history, start) = (PrimaryHistory::default(), Instant::now());
        for number in 0..2 * MAX_SAMPLES as u64 {
            history.add(start, Position(number));
        }
        assert_eq!(history.0.lock().len(), MAX_SAMPLES);
    }
}
