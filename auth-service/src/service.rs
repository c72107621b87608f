//! What every handler works with.

use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};
use platform::env::ConfigError;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;

use crate::config::Config;
use crate::domain::refresh_token::Lineage;
use crate::hashing::Hasher;
use crate::rate_limit::RateLimits;

pub struct Service {
    pub config: Config,
    pub pool: PgPool,
    pub hasher: Hasher,
    pub lineage: Lineage,
    pub limits: Option<RateLimits>,
}

pub type Shared = Arc<Service>;

impl Service {
    /// # Errors
    /// When the database can't be reached as `DATABASE_URL` says.
    pub async fn start(config: Config) -> Result<Shared, ConfigError> {
        let pool = PgPoolOptions::new()
            .max_connections(config.database_connections)
            .acquire_timeout(std::time::Duration::from_secs(8))
            .connect(config.database_url.expose())
            .await
            .map_err(|error| {
                ConfigError::new("DATABASE_URL", format!("the database can't be reached: {error}"))
            })?;
        let hasher = Hasher::new(config.hash_cost)
            .map_err(|error| ConfigError::new("AUTH_HASH_MEMORY_KIB", error.to_string()))?;
        Ok(Arc::new(Self {
            pool,
            hasher,
            lineage: Lineage::new(config.jwt.secret()),
            limits: config.rate_limits.then(RateLimits::new),
            config,
        }))
    }

    /// The time, as exact as the database keeps it: what we answer is what it will answer later.
    pub fn now(&self) -> DateTime<Utc> {
        self.config.clock.now().trunc_subsecs(6)
    }
}
