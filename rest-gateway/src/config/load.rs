//! The gateway's own settings, in addition to PostgREST's: load limits and request timeouts.

use std::time::Duration;

use ipnet::IpNet;
use platform::env::{ConfigError, Env};
use platform::http::origin;

use super::{flag, number, positive, seconds};

const EXPENSIVE: &str = "GATEWAY_EXPENSIVE_STATEMENTS";
pub const CANCEL_ABANDONED: &str = "GATEWAY_CANCEL_ABANDONED";

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
        let reserved_connections = env.parse_or("GATEWAY_RESERVED_CONNECTIONS", pool_size / 5)?;
        if reserved_connections >= pool_size {
            return Err(ConfigError::new(
                "GATEWAY_RESERVED_CONNECTIONS",
                format!("has to be less than PGRST_DB_POOL, which is {pool_size}"),
            ));
        }
        Ok(Self {
            expensive_statements: match env.optional(EXPENSIVE) {
                Some(_) => positive(env, EXPENSIVE)?,
                None => expensive_default(),
            },
            reserved_connections,
            queue_length: number(env, "GATEWAY_QUEUE_LENGTH")?,
            queue_timeout: timeout(env, "GATEWAY_QUEUE_TIMEOUT")?,
            max_patterns: number(env, "GATEWAY_MAX_PATTERNS")?,
            max_pattern_bytes: number(env, "GATEWAY_MAX_PATTERN_BYTES")?,
            request_timeout: timeout(env, "GATEWAY_REQUEST_TIMEOUT")?,
            response_budget: positive(env, "GATEWAY_RESPONSE_BUDGET")?,
            cancels_abandoned: flag(env, CANCEL_ABANDONED)?,
            names_requests: flag(env, "GATEWAY_NAME_REQUESTS")?,
            trusted_proxies: origin::trusted_proxies(env)?,
        })
    }
}

fn timeout(env: &Env, name: &str) -> Result<Duration, ConfigError> {
    match seconds(env, name)? {
        Duration::ZERO => Err(ConfigError::new(name, "has to be at least 1 second")),
        seconds => Ok(seconds),
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
