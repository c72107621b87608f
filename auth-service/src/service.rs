//! What every handler works with.

use std::str::FromStr;
use std::sync::Arc;

use chrono::{DateTime, SubsecRound, Utc};
use platform::database::{Database, Pool};
use platform::env::ConfigError;
use sqlx::postgres::PgConnectOptions;

use crate::config::Config;
use crate::domain::one_time_token::Digests;
use crate::domain::refresh_token::Lineage;
use crate::hashing::Hasher;
use crate::password_connections::PasswordConnections;
use crate::rate_limit::RateLimits;

pub struct Service {
    pub config: Config,
    pub pool: Pool,
    /// Three for each hash that is computed at once, so that the next password is there when one is done; the
    /// others wait their turn.
    pub password_connections: PasswordConnections,
    pub hasher: Hasher,
    pub lineage: Lineage,
    pub digests: Digests,
    pub limits: Option<RateLimits>,
}

pub type Shared = Arc<Service>;

impl Service {
    /// # Errors
    /// When a setting can't be used; it is named. The database is first asked by the first request.
    pub async fn start(config: Config) -> Result<Shared, ConfigError> {
        let hasher = Hasher::new(config.hash_cost).map_err(|error| {
            ConfigError::new("AUTH_HASH_MEMORY_KIB", format!("no threads to hash in: {error}"))
        })?;
        let database = database(&config, "auth-service")?;
        let for_passwords = u32::try_from(3 * hasher.at_once()).unwrap_or(config.database_connections);
        let password_connections = PasswordConnections::of(database.pool(for_passwords))
            .map_err(|error| ConfigError::new("DATABASE_URL", error.to_string()))?;
        Ok(Arc::new(Self {
            pool: database.pool(config.database_connections),
            password_connections,
            hasher,
            lineage: Lineage::new(config.jwt.secret()),
            digests: Digests::new(config.jwt.secret()),
            limits: config.rate_limits.then(RateLimits::default),
            config,
        }))
    }

    /// The time, as exact as the database keeps it: what we answer is what it will answer later.
    pub fn now(&self) -> DateTime<Utc> {
        self.config.clock.now().trunc_subsecs(6)
    }
}

/// The database as this part of the service names itself there.
///
/// # Errors
/// When `DATABASE_URL` is malformed.
pub fn database(config: &Config, name: &str) -> Result<Database, ConfigError> {
    let options = PgConnectOptions::from_str(config.database_url.expose())
        .map_err(|error| ConfigError::new("DATABASE_URL", error.to_string()))?;
    Ok(Database::new(options.application_name(name), config.database_limits))
}
