//! Settings of the limits that keep passwords from being tried out.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use platform::env::{ConfigError, Env};

use crate::failure_limit::FailureLimit;

pub const NAMES: [&str; 3] = ["AUTH_RATE_LIMITS", "AUTH_SIGN_IN_FAILURES", "AUTH_SIGN_IN_FAILURES_SECONDS"];

const MOST_FAILURES: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");
const WINDOW_SECONDS: NonZeroU32 = NonZeroU32::new(300).expect("300 is not zero");

/// `None` when limits are off altogether.
pub fn failure_limit(env: &Env, rate_limits: bool) -> Result<Option<FailureLimit>, ConfigError> {
    let most = env.parse_or("AUTH_SIGN_IN_FAILURES", MOST_FAILURES)?;
    let seconds = env.parse_or("AUTH_SIGN_IN_FAILURES_SECONDS", WINDOW_SECONDS)?;
    Ok(rate_limits.then(|| FailureLimit { most, window: TimeDelta::seconds(seconds.get().into()) }))
}
