//! Limits on what clients may use of a server.

use std::sync::Arc;
use std::time::Duration;

use super::connections::Connections;
use super::descriptors;
use crate::env::{ConfigError, Env};
use crate::http::body::BodyBudget;
use crate::http::origin;

/// Enough for browsers, a proxy's pool and our benchmarks.
const MAX_CONNECTIONS: usize = 4096;
/// The divisor for the part of them that one client may open.
const CLIENT_PART: usize = 16;
const BODY_BUDGET: usize = 64 * 1024 * 1024;
/// Slower than any usable mobile network.
const BODY_BYTES_PER_SECOND: u64 = 8 * 1024;
const BODY_TIMEOUT: u64 = 15;
const HEADER_TIMEOUT: u64 = 15;

/// Clones share their counters, so the limits apply to all listeners together.
#[derive(Clone)]
pub struct Limits {
    /// Timeout for receiving a request's head, including the idle time before it.
    pub header_timeout: Duration,
    /// Timeout for receiving a body, in addition to the time its bytes may take at the slowest accepted rate.
    pub body_timeout: Duration,
    pub body_bytes_per_second: u64,
    pub body_budget: BodyBudget,
    pub(super) connections: Arc<Connections>,
}

impl Limits {
    /// Reads `HTTP_HEADER_TIMEOUT`, `HTTP_BODY_TIMEOUT` (seconds), `HTTP_BODY_MIN_RATE` (bytes per second),
    /// `HTTP_BODY_BUDGET` (bytes), `HTTP_MAX_CONNECTIONS`, `HTTP_MAX_CONNECTIONS_PER_CLIENT`, and
    /// `TRUSTED_PROXIES`, whose connections are not counted per client.
    ///
    /// # Errors
    /// Fails when a value is invalid.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let max = positive(env, "HTTP_MAX_CONNECTIONS", MAX_CONNECTIONS)?;
        let seconds = |name: &str, default: u64| positive(env, name, default).map(Duration::from_secs);
        Ok(Self {
            header_timeout: seconds("HTTP_HEADER_TIMEOUT", HEADER_TIMEOUT)?,
            body_timeout: seconds("HTTP_BODY_TIMEOUT", BODY_TIMEOUT)?,
            body_bytes_per_second: positive(env, "HTTP_BODY_MIN_RATE", BODY_BYTES_PER_SECOND)?,
            body_budget: BodyBudget::new(positive(env, "HTTP_BODY_BUDGET", BODY_BUDGET)?),
            connections: Connections::new(
                descriptors::sufficient_for(max),
                positive(env, "HTTP_MAX_CONNECTIONS_PER_CLIENT", (max / CLIENT_PART).max(1))?,
                origin::trusted_proxies(env)?,
            ),
        })
    }

    /// The same limits with separate counters, so that operators get in when the public port is full.
    #[must_use]
    pub fn for_operators(&self) -> Self {
        let Connections { max, max_per_client, proxies, .. } = &*self.connections;
        let connections = Connections::new(*max, *max_per_client, proxies.clone());
        Self { connections, ..self.clone() }
    }
}

fn positive<T>(env: &Env, name: &str, default: T) -> Result<T, ConfigError>
where
    T: std::str::FromStr<Err: std::fmt::Display> + PartialEq + Default,
{
    let value = env.parse_or(name, default)?;
    if value == T::default() {
        return Err(ConfigError::new(name, "must be at least 1"));
    }
    Ok(value)
}
