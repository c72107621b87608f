//! The numbers of wrong passwords that pause sign-in.

use std::num::NonZeroU32;

use chrono::TimeDelta;

/// A pause, never a lockout: anyone can enter wrong passwords for someone else's address.
#[derive(Debug, Clone, Copy)]
pub struct FailureLimit {
    /// For one e-mail address.
    pub most: NonZeroU32,
    /// For one client. Higher, because many people may share one office address.
    pub most_of_client: NonZeroU32,
    /// Starts with the first failure.
    pub window: TimeDelta,
}

impl Default for FailureLimit {
    fn default() -> Self {
        let number = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        Self { most: number(10), most_of_client: number(100), window: TimeDelta::minutes(5) }
    }
}
