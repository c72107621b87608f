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
const BODY_TIMEOUT: Duration = Duration::from_secs(15);
const HEADER_TIMEOUT: Duration = Duration::from_secs(15);

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
    /// Reads `HTTP_MAX_CONNECTIONS`, `HTTP_MAX_CONNECTIONS_PER_CLIENT`, and `TRUSTED_PROXIES`, whose connections are not
    /// counted per client.
    ///
    /// # Errors
    /// Fails when a value is invalid.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let max = positive(env, "HTTP_MAX_CONNECTIONS", MAX_CONNECTIONS)?;
        Ok(Self {
            header_timeout: HEADER_TIMEOUT,
            body_timeout: BODY_TIMEOUT,
            body_bytes_per_second: BODY_BYTES_PER_SECOND,
            body_budget: BodyBudget::new(BODY_BUDGET),
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

fn positive(env: &Env, name: &str, default: usize) -> Result<usize, ConfigError> {
    match env.parse_or(name, default)? {
        0 => Err(ConfigError::new(name, "must be at least 1")),
        value => Ok(value),
    }
}
