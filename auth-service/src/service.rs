//! What every handler works with.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, SubsecRound, Utc};
use platform::env::ConfigError;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};

use crate::config::Config;
use crate::domain::one_time_token::Digests;
use crate::domain::refresh_token::Lineage;
use crate::hashing::Hasher;
use crate::password_connections::PasswordConnections;
use crate::rate_limit::RateLimits;

const WAIT_FOR_CONNECTION: Duration = Duration::from_secs(8);

pub struct Service {
    pub config: Config,
    pub pool: PgPool,
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
    /// When the database can't be reached as `DATABASE_URL` says.
    pub async fn start(config: Config) -> Result<Shared, ConfigError> {
        let hasher = Hasher::new(config.hash_cost).map_err(|error| {
            ConfigError::new("AUTH_HASH_MEMORY_KIB", format!("no threads to hash in: {error}"))
        })?;
        let database = connect(&config).await.map_err(|error| {
            ConfigError::new("DATABASE_URL", format!("the database can't be reached: {error}"))
        })?;
        let for_passwords = u32::try_from(3 * hasher.at_once()).unwrap_or(config.database_connections);
        let password_connections = PasswordConnections::of(pool(&database, for_passwords))
            .map_err(|error| ConfigError::new("DATABASE_URL", error.to_string()))?;
        Ok(Arc::new(Self {
            pool: pool(&database, config.database_connections),
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

async fn connect(config: &Config) -> sqlx::Result<PgConnectOptions> {
    let options = PgConnectOptions::from_str(config.database_url.expose())?
        .application_name("auth-service")
        .options([("statement_timeout", "8s"), ("idle_in_transaction_session_timeout", "15s")]);
    // By itself first: a pool would try again and again, and in the end only say that it timed out.
    PgConnection::connect_with(&options).await?.close().await?;
    Ok(options)
}

fn pool(database: &PgConnectOptions, connections: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(WAIT_FOR_CONNECTION)
        .connect_lazy_with(database.clone())
}
