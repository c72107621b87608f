//! The gateway's own settings, in addition to PostgREST's: load limits and the request timeout.

use std::time::Duration;

use ipnet::IpNet;
use platform::env::{ConfigError, Env};
use platform::http::origin;

use super::{number, positive, seconds};

const EXPENSIVE: &str = "GATEWAY_EXPENSIVE_STATEMENTS";
const REQUEST_TIMEOUT: &str = "GATEWAY_REQUEST_TIMEOUT";

#[derive(Debug, Clone)]
pub struct LoadConfig {
    /// How many expensive statements run at the same time, across all clients.
    pub expensive_statements: usize,
    /// Maximum number of waiting requests, across all clients.
    pub queue_length: usize,
    /// A statement is canceled after this time, unless the role's `statement_timeout` is longer.
    pub request_timeout: Duration,
    /// Proxies whose `X-Forwarded-For` header is trusted.
    pub trusted_proxies: Vec<IpNet>,
}

impl LoadConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let request_timeout = seconds(env, REQUEST_TIMEOUT)?;
        if request_timeout.is_zero() {
            return Err(ConfigError::new(REQUEST_TIMEOUT, "has to be at least 1 second"));
        }
        Ok(Self {
            expensive_statements: match env.optional(EXPENSIVE) {
                Some(_) => positive(env, EXPENSIVE)?,
                None => expensive_default(),
            },
            queue_length: number(env, "GATEWAY_QUEUE_LENGTH")?,
            request_timeout,
            trusted_proxies: origin::trusted_proxies(env)?,
        })
    }
}

/// Leaves one core for everything else, but allows at least two, so that one slow search does not block the others.
fn expensive_default() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| (cores.get() - 1).max(2))
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn errors_name_invalid_load_settings() {
        for (name, value) in [
            ("GATEWAY_REQUEST_TIMEOUT", "0"),
            ("GATEWAY_EXPENSIVE_STATEMENTS", "0"),
            ("GATEWAY_QUEUE_LENGHT", "1"),
            ("TRUSTED_PROXIES", "everybody"),
        ] {
            let error = Config::from_env(&[(name, value)].into_iter().collect()).unwrap_err();
            assert_eq!(error.variable, name);
        }
    }
}
