//! The only code that reads the time of day. All other code takes a [`Clock`].

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::Mutex;

#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    System,
    /// A fixed time that only a test advances. Clones advance together.
    Fixed(Arc<Mutex<DateTime<Utc>>>),
}

impl Clock {
    pub fn system() -> Self {
        Self(Source::System)
    }

    pub fn fixed(at: DateTime<Utc>) -> Self {
        Self(Source::Fixed(Arc::new(Mutex::new(at))))
    }

    #[expect(clippy::disallowed_methods, reason = "this is the place that may")]
    pub fn now(&self) -> DateTime<Utc> {
        match &self.0 {
            Source::System => Utc::now(),
            Source::Fixed(at) => *at.lock(),
        }
    }

    /// Advances a fixed clock. Has no effect on the system clock.
    pub fn advance(&self, by: TimeDelta) {
        if let Source::Fixed(at) = &self.0 {
            *at.lock() += by;
        }
    }
}
