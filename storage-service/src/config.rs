//! Settings: DATABASE_URL, JWT_SECRET, JWT_SIGNING_KEYS (public halves do), STORAGE_DIR,
//! STORAGE_REMOVAL_SECONDS, SITE_URL.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use platform::jwt::JwtKeys;
use sqlx::postgres::PgConnectOptions;
use url::Url;

/// What any bucket may hold at most in one object (a bucket's own limit may be lower).
const MAX_OBJECT_BYTES: u64 = 50 * 1024 * 1024;

/// Where content is judged by its bytes and rid of metadata. Other buckets take what they are given.
const IMAGE_BUCKETS: [&str; 1] = ["images"];

/// Soon enough for whoever deletes a profile and looks, seldom enough to cost nothing.
const REMOVAL_SECONDS: NonZeroU32 = NonZeroU32::new(5).unwrap();

#[derive(Clone)]
pub struct Config {
    /// The login role `storage_admin`.
    pub database: PgConnectOptions,
    pub keys: JwtKeys,
    pub clock: Clock,
    /// Blobs and half-received uploads; made when absent.
    pub dir: PathBuf,
    /// The origin of the site, when it is not served from the same one.
    pub site_url: Option<Url>,
    pub max_object_bytes: u64,
    pub image_buckets: Vec<String>,
    /// Between two looks at the queue of images whose profile is gone.
    pub removal_interval: Duration,
}

impl Config {
    /// # Errors
    /// When a variable is missing or malformed; the error names it.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let removal_seconds = env.parse_or("STORAGE_REMOVAL_SECONDS", REMOVAL_SECONDS)?;
        Ok(Self {
            database: database(env.required("DATABASE_URL")?)?,
            keys: JwtKeys::from_env(env)?,
            clock: Clock::system(),
            dir: PathBuf::from(env.required("STORAGE_DIR")?),
            site_url: env.optional("SITE_URL").map(|text| parsed("SITE_URL", text)).transpose()?,
            max_object_bytes: MAX_OBJECT_BYTES,
            image_buckets: IMAGE_BUCKETS.map(str::to_owned).to_vec(),
            removal_interval: Duration::from_secs(removal_seconds.get().into()),
        })
    }
}

/// sqlx takes any scheme.
fn database(text: &str) -> Result<PgConnectOptions, ConfigError> {
    if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
        return Err(ConfigError::new("DATABASE_URL", "does not begin with postgres://"));
    }
    parsed("DATABASE_URL", text)
}

/// The value is not repeated in the message: a database URL holds a password.
fn parsed<T: FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> Result<T, ConfigError> {
    text.parse().map_err(|error| ConfigError::new(name, format!("is not a URL: {error}")))
}
