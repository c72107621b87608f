//! Settings of our own, beside PostgREST's: how the load is shared between clients, and when a request is given up.

use std::time::Duration;

use ipnet::IpNet;
use platform::env::{ConfigError, Env};
use platform::http::origin;

/// Settings of the gateway that PostgREST does not have begin like this.
pub const PREFIX: &str = "GATEWAY_";

pub const VARIABLES: &[&str] = &[
    "GATEWAY_EXPENSIVE_STATEMENTS",
    "GATEWAY_MAX_PATTERNS",
    "GATEWAY_MAX_PATTERN_BYTES",
    "GATEWAY_QUEUE_LENGTH",
    "GATEWAY_QUEUE_TIMEOUT",
    "GATEWAY_REQUEST_TIMEOUT",
    "GATEWAY_RESERVED_CONNECTIONS",
];

#[derive(Debug, Clone)]
pub struct LoadConfig {
    /// Expensive statements that run at once, for all clients together.
    pub expensive_statements: usize,
    /// Connections that only cheap requests use.
    pub reserved_connections: usize,
    /// Requests that wait at most, of all clients together.
    pub queue_length: usize,
    pub queue_timeout: Duration,
    /// `like`, `ilike`, `match`, `imatch` and full-text conditions of one request.
    pub max_patterns: usize,
    /// Their patterns together.
    pub max_pattern_bytes: usize,
    /// A statement without an answer is given up after this time, unless the role may run longer ones.
    pub request_timeout: Duration,
    /// Their `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
}

impl LoadConfig {
    pub fn from_env(env: &Env, pool_size: usize) -> Result<Self, ConfigError> {
        let seconds = |name, default| match env.parse_or(name, default)? {
            0 => Err(ConfigError::new(name, "has to be at least 1 second")),
            seconds => Ok(Duration::from_secs(seconds)),
        };
        let reserved_connections = env.parse_or("GATEWAY_RESERVED_CONNECTIONS", pool_size / 5)?;
        if reserved_connections >= pool_size {
            return Err(ConfigError::new(
                "GATEWAY_RESERVED_CONNECTIONS",
                format!("has to be less than PGRST_DB_POOL, which is {pool_size}"),
            ));
        }
        Ok(Self {
            expensive_statements: super::positive(env, "GATEWAY_EXPENSIVE_STATEMENTS", expensive_default())?,
            reserved_connections,
            queue_length: env.parse_or("GATEWAY_QUEUE_LENGTH", 1000)?,
            queue_timeout: seconds("GATEWAY_QUEUE_TIMEOUT", 4)?,
            max_patterns: env.parse_or("GATEWAY_MAX_PATTERNS", 24)?,
            max_pattern_bytes: env.parse_or("GATEWAY_MAX_PATTERN_BYTES", 8192)?,
            request_timeout: seconds("GATEWAY_REQUEST_TIMEOUT", 10)?,
            trusted_proxies: origin::trusted_proxies(env)?,
        })
    }
}

/// A core is left to everything else; two statements at least, so that one slow search does not stop all others.
fn expensive_default() -> usize {
    std::thread::available_parallelism().map_or(2, |cores| (cores.get() - 1).max(2))
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn unusable_load_settings_are_named() {
        for (name, value) in [
            ("GATEWAY_RESERVED_CONNECTIONS", "10"),
            ("GATEWAY_QUEUE_TIMEOUT", "0"),
            ("GATEWAY_EXPENSIVE_STATEMENTS", "0"),
            ("GATEWAY_MAX_PATERNS", "1"),
            ("TRUSTED_PROXIES", "everybody"),
        ] {
            let error = Config::from_env(&[(name, value)].into_iter().collect()).unwrap_err();
            assert_eq!(error.variable, name);
        }
    }
}
