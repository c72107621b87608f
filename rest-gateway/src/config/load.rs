//! The gateway's own settings, in addition to PostgREST's: load limits and request timeouts.

use std::time::Duration;

use ipnet::IpNet;
use platform::env::{ConfigError, Env};
use platform::http::origin;

/// Prefix of settings that PostgREST does not have.
pub const PREFIX: &str = "GATEWAY_";

pub const CANCEL_ABANDONED: &str = "GATEWAY_CANCEL_ABANDONED";

pub const VARIABLES: &[&str] = &[
    CANCEL_ABANDONED,
    "GATEWAY_EXPENSIVE_STATEMENTS",
    "GATEWAY_MAX_PATTERNS",
    "GATEWAY_MAX_PATTERN_BYTES",
    super::database::LARGEST_RESPONSE,
    "GATEWAY_NAME_REQUESTS",
    "GATEWAY_QUEUE_LENGTH",
    "GATEWAY_QUEUE_TIMEOUT",
    "GATEWAY_REQUEST_TIMEOUT",
    "GATEWAY_RESERVED_CONNECTIONS",
    "GATEWAY_RESPONSE_BUDGET",
];

const RESPONSE_BUDGET: usize = 128 * 1024 * 1024;

#[derive(Debug, Clone)]
pub struct LoadConfig {
    /// How many expensive statements run at the same time, across all clients.
    pub expensive_statements: usize,
    /// Connections reserved for cheap requests.
    pub reserved_connections: usize,
    /// Maximum number of waiting requests, across all clients.
    pub queue_length: usize,
    pub queue_timeout: Duration,
    /// Maximum number of `like`, `ilike`, `match`, `imatch` and full-text conditions in one request.
    pub max_patterns: usize,
    /// Maximum total size of these patterns.
    pub max_pattern_bytes: usize,
    /// A statement is canceled after this time, unless the role's `statement_timeout` is longer.
    pub request_timeout: Duration,
    /// Memory for large responses that clients have not read yet, in bytes.
    pub response_budget: usize,
    /// A standalone gateway cancels a request when its client disconnects.
    pub cancels_abandoned: bool,
    /// Whether `application_name` is set to the request's id, for the database's log and statistics.
    pub names_requests: bool,
    /// Proxies whose `X-Forwarded-For` header is trusted.
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
            response_budget: super::positive(env, "GATEWAY_RESPONSE_BUDGET", RESPONSE_BUDGET)?,
            cancels_abandoned: env.flag_or(CANCEL_ABANDONED, true)?,
            names_requests: env.flag_or("GATEWAY_NAME_REQUESTS", false)?,
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
