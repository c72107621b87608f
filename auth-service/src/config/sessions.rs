//! Session settings: when a session expires, and what admins need.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use platform::env::{ConfigError, Env};

use crate::domain::session_limits::SessionLimits;

pub const NAMES: [&str; 4] = [
    "AUTH_SESSIONS_TIMEBOX_SECONDS",
    "AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS",
    "AUTH_SESSIONS_SINGLE_PER_USER",
    "AUTH_ADMIN_MFA",
];

pub fn session_limits(env: &Env) -> Result<SessionLimits, ConfigError> {
    Ok(SessionLimits {
        time_box: seconds(env, "AUTH_SESSIONS_TIMEBOX_SECONDS")?,
        inactivity_timeout: seconds(env, "AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS")?,
        single_per_user: env.flag_or("AUTH_SESSIONS_SINGLE_PER_USER", false)?,
    })
}

pub fn admin_mfa_required(env: &Env) -> Result<bool, ConfigError> {
    match env.optional("AUTH_ADMIN_MFA").unwrap_or("optional") {
        "optional" => Ok(false),
        "required" => Ok(true),
        other => {
            Err(ConfigError::new("AUTH_ADMIN_MFA", format!("`{other}` is neither optional nor required")))
        }
    }
}

/// `None` when the variable is not set: no limit.
fn seconds(env: &Env, name: &str) -> Result<Option<TimeDelta>, ConfigError> {
    if env.optional(name).is_none() {
        return Ok(None);
    }
    let seconds = env.parse_or(name, NonZeroU32::MIN)?;
    Ok(Some(TimeDelta::seconds(seconds.get().into())))
}
