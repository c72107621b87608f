//! Settings: DATABASE_URL, DATABASE_LISTEN_URL (without a pooler), LOGIN_PASSWORD (for a DATABASE_URL without a password), DATABASE_STATEMENT_SECONDS, JWT_SECRET, JWT_SIGNING_KEYS (public keys suffice), SITE_URL,
//! CORS_ALLOWED_ORIGINS, TRUSTED_PROXIES;
//! the blob store: STORAGE_DIR, or S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
//! (STORAGE_DIR is then optional and holds only temporary data);
//! quota per account in the image buckets: STORAGE_QUOTA_OBJECTS, STORAGE_QUOTA_MB;
//! memory for public objects that are read often: STORAGE_MEMORY_MB (0: none).

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use axum::http::HeaderValue;
use ipnet::IpNet;
use platform::clock::Clock;
use platform::database::{Limits, Servers};
use platform::env::{ConfigError, Env};
use platform::http::{cors, origin};
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use url::Url;

use crate::backend::s3::REQUEST_TIMEOUT;
pub use crate::backend::s3::S3Config;
pub use crate::shares::ShareLimits;
pub use crate::store::objects::Quota;

/// The largest object in any bucket. A bucket's own limit may be lower.
pub(crate) const MAX_OBJECT_BYTES: u64 = 50 * 1024 * 1024;

/// Buckets whose content is validated as images and stripped of metadata. Other buckets accept any bytes.
const IMAGE_BUCKETS: [&str; 1] = ["images"];

/// Short enough that images disappear soon after their profile, long enough to cost nothing.
const REMOVAL_INTERVAL: Duration = Duration::from_secs(5);

/// Quota per account in the image buckets: far more than a profile needs.
const QUOTA_OBJECTS: u32 = 500;
const QUOTA_MB: u32 = 500;

/// Size limit of the cache of resized images.
const VARIANTS_BYTES: u64 = 512 * 1024 * 1024;

/// Room for a dozen of the largest images per account.
const STAGING: ShareLimits = ShareLimits { per_owner: 128 * 1024 * 1024, total: 1024 * 1024 * 1024 };

/// Memory for public objects that are read often; with 0, every read queries the database.
const MEMORY_MB: u32 = 64;

/// Memory for resizing. Two 24-megapixel images at the same time barely fit.
const RENDER_BYTES: u64 = 256 * 1024 * 1024;

const SWEEP_INTERVAL: Duration = Duration::from_secs(6 * 3600);
pub const ORPHAN_AGE: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Config {
    /// Connects as `storage_admin`.
    pub database: Servers,
    pub database_limits: Limits,
    pub keys: JwtKeys,
    pub clock: Clock,
    /// Holds partial uploads, resized images and, without `s3`, the blobs. Created when missing.
    pub dir: PathBuf,
    /// Stores the blobs instead of `dir`.
    pub s3: Option<S3Config>,
    /// Pages of these origins may read responses in a browser.
    pub allowed_origins: Vec<HeaderValue>,
    /// Their `X-Forwarded-For` names the client.
    pub trusted_proxies: Vec<IpNet>,
    pub max_object_bytes: u64,
    pub image_buckets: Vec<String>,
    /// Interval between polls of the queue of images whose profile was deleted.
    pub removal_interval: Duration,
    pub quota: Quota,
    pub variants_bytes: u64,
    /// Disk space of uploads in progress.
    pub staging: ShareLimits,
    /// Memory for public objects; 0 disables it.
    pub memory_bytes: u64,
    /// Memory shared by all images being resized.
    pub render_bytes: u64,
    /// Interval between sweeps for orphaned blobs; `None` disables them.
    pub sweep_interval: Option<Duration>,
    /// The minimum age of a blob without a row before it is removed. Any upload has ended by then.
    pub orphan_age: Duration,
}

impl Config {
    /// # Errors
    /// Fails when a variable is missing or malformed; the error names it.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let s3 = s3_config(env)?;
        let quota = Quota {
            objects: env.parse_or("STORAGE_QUOTA_OBJECTS", QUOTA_OBJECTS)?,
            bytes: u64::from(env.parse_or("STORAGE_QUOTA_MB", QUOTA_MB)?) * 1024 * 1024,
        };
        Ok(Self {
            database: Servers::from_env(env, "LOGIN_PASSWORD")?,
            database_limits: Limits::from_env(env)?,
            keys: JwtKeys::from_env(env)?,
            clock: Clock::system(),
            dir: match (&s3, env.optional("STORAGE_DIR")) {
                (Some(_), None) => std::env::temp_dir().join("serasi-storage"),
                _ => PathBuf::from(env.required("STORAGE_DIR")?),
            },
            s3,
            allowed_origins: cors::allowed_origins(env)?,
            trusted_proxies: origin::trusted_proxies(env)?,
            max_object_bytes: MAX_OBJECT_BYTES,
            image_buckets: IMAGE_BUCKETS.map(str::to_owned).to_vec(),
            removal_interval: REMOVAL_INTERVAL,
            quota,
            variants_bytes: VARIANTS_BYTES,
            staging: STAGING,
            memory_bytes: u64::from(env.parse_or("STORAGE_MEMORY_MB", MEMORY_MB)?) * 1024 * 1024,
            render_bytes: RENDER_BYTES,
            sweep_interval: Some(SWEEP_INTERVAL),
            orphan_age: ORPHAN_AGE,
        })
    }
}

/// Either all five are set or none: with partial settings, images would end up in the wrong store.
///
/// # Errors
/// Fails when only some are set, or one is malformed.
pub fn s3_config(env: &Env) -> Result<Option<S3Config>, ConfigError> {
    let names = ["S3_ENDPOINT", "S3_REGION", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
    if names.iter().all(|name| env.optional(name).is_none()) {
        return Ok(None);
    }
    let endpoint: Url = parsed("S3_ENDPOINT", env.required("S3_ENDPOINT")?)?;
    if !matches!(endpoint.scheme(), "http" | "https") {
        return Err(ConfigError::new("S3_ENDPOINT", "does not begin with http:// or https://"));
    }
    Ok(Some(S3Config {
        endpoint,
        region: env.required("S3_REGION")?.to_owned(),
        bucket: env.required("S3_BUCKET")?.to_owned(),
        access_key_id: env.required("S3_ACCESS_KEY_ID")?.to_owned(),
        secret_access_key: Secret::new(env.required("S3_SECRET_ACCESS_KEY")?),
        request_timeout: REQUEST_TIMEOUT,
    }))
}

/// The message does not quote the value: a database URL contains a password.
fn parsed<T: FromStr<Err: std::fmt::Display>>(name: &str, text: &str) -> Result<T, ConfigError> {
    text.parse().map_err(|error| ConfigError::new(name, format!("is not a URL: {error}")))
}
