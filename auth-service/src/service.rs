//! The state shared by all handlers.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::{DateTime, SubsecRound, Utc};
use platform::database::{Database, Pool};
use platform::env::ConfigError;
use platform::log_limit::LogLimit;

use crate::client::Client;
use crate::config::Config;
use crate::domain::factor_keys::FactorKeys;
use crate::domain::one_time_token::Digests;
use crate::domain::refresh_token::Lineage;
use crate::hashing::Hasher;
use crate::rate_limit::RateLimits;

/// Hashing takes far longer than all statements of a request.
const DATABASE_CONNECTIONS: u32 = 10;

pub struct Service {
    pub config: Config,
    pub pool: Pool,
    pub hasher: Hasher,
    pub lineage: Lineage,
    pub digests: Digests,
    pub factor_keys: FactorKeys,
    pub limits: Option<RateLimits>,
    /// Limits log lines about rejected clients.
    pub refusals_logged: LogLimit,
}

pub type Shared = Arc<Service>;

impl Service {
    /// # Errors
    /// Fails when a setting is invalid; the error names it. Does not connect to the database: the first
    /// request does.
    pub async fn start(config: Config) -> Result<Shared, ConfigError> {
        let hasher = Hasher::new(config.hash_cost)
            .map_err(|error| ConfigError::new("the hashing threads", format!("can't be started: {error}")))?;
        let database = database(&config, "auth-service");
        Ok(Arc::new(Self {
            pool: database.pool(DATABASE_CONNECTIONS),
            hasher,
            lineage: Lineage::new(config.jwt.secret(), config.jwt.previous_secrets()),
            digests: Digests::new(config.jwt.secret(), config.jwt.previous_secrets()),
            factor_keys: FactorKeys::new(config.jwt.secret(), config.jwt.previous_secrets()),
            limits: config.rate_limits.then(RateLimits::default),
            refusals_logged: LogLimit::default(),
            config,
        }))
    }

    /// The current time, truncated to the database's precision, so that responses match what is stored.
    pub fn now(&self) -> DateTime<Utc> {
        self.config.clock.now().trunc_subsecs(6)
    }
}

impl FromRequestParts<Shared> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions, &parts.headers, &service.config.trusted_proxies))
    }
}

/// The database, with `name` as the connections' `application_name`.
pub fn database(config: &Config, name: &str) -> Database {
    Database::new(config.database.clone().application_name(name), config.database_limits)
}
