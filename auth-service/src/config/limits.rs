//! Settings that protect passwords from guessing.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use platform::env::{ConfigError, Env};

use crate::domain::failure_limit::FailureLimit;
use crate::domain::password::{CommonPasswords, PasswordRules, RequiredCharacters};

pub const NAMES: [&str; 7] = [
    "AUTH_RATE_LIMITS",
    "AUTH_SIGN_IN_FAILURES",
    "AUTH_SIGN_IN_FAILURES_OF_CLIENT",
    "AUTH_SIGN_IN_FAILURES_SECONDS",
    "AUTH_PASSWORD_MIN_LENGTH",
    "AUTH_PASSWORD_REQUIRED_CHARACTERS",
    "AUTH_COMMON_PASSWORDS",
];

const MOST_FAILURES: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");
const MOST_FAILURES_OF_CLIENT: NonZeroU32 = NonZeroU32::new(100).expect("100 is not zero");
const WINDOW_SECONDS: NonZeroU32 = NonZeroU32::new(300).expect("300 is not zero");

/// `None` when rate limits are off.
pub fn failure_limit(env: &Env, rate_limits: bool) -> Result<Option<FailureLimit>, ConfigError> {
    let most = env.parse_or("AUTH_SIGN_IN_FAILURES", MOST_FAILURES)?;
    let most_of_client = env.parse_or("AUTH_SIGN_IN_FAILURES_OF_CLIENT", MOST_FAILURES_OF_CLIENT)?;
    let seconds = env.parse_or("AUTH_SIGN_IN_FAILURES_SECONDS", WINDOW_SECONDS)?;
    let window = TimeDelta::seconds(seconds.get().into());
    Ok(rate_limits.then_some(FailureLimit { most, most_of_client, window }))
}

pub fn password_rules(env: &Env) -> Result<PasswordRules, ConfigError> {
    let name = "AUTH_COMMON_PASSWORDS";
    let common = match env.optional(name) {
        None => CommonPasswords::default(),
        Some(file) => {
            let list = std::fs::read_to_string(file)
                .map_err(|error| ConfigError::new(name, format!("`{file}` can't be read: {error}")))?;
            CommonPasswords::parse(&list)
        }
    };
    let required = env.optional("AUTH_PASSWORD_REQUIRED_CHARACTERS").unwrap_or_default();
    Ok(PasswordRules {
        min_characters: env.parse_or("AUTH_PASSWORD_MIN_LENGTH", 6)?,
        required: RequiredCharacters::parse(required),
        common,
    })
}
