//! Settings: DATABASE_URL, DATABASE_STATEMENT_SECONDS, JWT_SECRET, JWT_SIGNING_KEYS (public halves do), SITE_URL, STORAGE_REMOVAL_SECONDS;
//! where blobs lie: STORAGE_DIR, or S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY
//! (STORAGE_DIR then holds what is not yet or no longer worth keeping, and may be absent);
//! what one account may keep among the pictures: STORAGE_QUOTA_OBJECTS, STORAGE_QUOTA_MB;
//! memory for resizing: STORAGE_RENDER_MB; how often orphaned blobs are removed: STORAGE_SWEEP_MINUTES (0: never).

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use platform::clock::Clock;
use platform::database::Limits;
use platform::env::{ConfigError, Env};
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use sqlx::postgres::PgConnectOptions;
use url::Url;

pub use crate::store::objects::Quota;

/// What any bucket may hold at most in one object (a bucket's own limit may be lower).
const MAX_OBJECT_BYTES: u64 = 50 * 1024 * 1024;

/// Where content is judged by its bytes and rid of metadata. Other buckets take what they are given.
const IMAGE_BUCKETS: [&str; 1] = ["images"];

/// Soon enough for whoever deletes a profile and looks, seldom enough to cost nothing.
const REMOVAL_SECONDS: NonZeroU32 = NonZeroU32::new(5).unwrap();

/// What one account may keep in the buckets of pictures. Whoever needs more than a profile shows misuses it.
const QUOTA_OBJECTS: u32 = 500;
const QUOTA_MB: u32 = 500;

/// Resized pictures that are kept, at most.
const VARIANTS_BYTES: u64 = 512 * 1024 * 1024;

/// What making resized pictures may take: two of 24 megapixels at the same time hardly fit.
const RENDER_MB: NonZeroU32 = NonZeroU32::new(256).unwrap();

/// Between two looks for blobs that no row names; 0 for none.
const SWEEP_MINUTES: u32 = 360;
pub const ORPHAN_AGE: Duration = Duration::from_secs(3600);

#[derive(Clone)]
pub struct Config {
    /// The login role `storage_admin`.
    pub database: PgConnectOptions,
    pub database_limits: Limits,
    pub keys: JwtKeys,
    pub clock: Clock,
    /// Half-received uploads, resized pictures and, without `s3`, the blobs; made when absent.
    pub dir: PathBuf,
    /// Where blobs lie instead.
    pub s3: Option<S3Config>,
    /// The origin of the site, when it is not served from the same one.
    pub site_url: Option<Url>,
    pub max_object_bytes: u64,
    pub image_buckets: Vec<String>,
    /// Between two looks at the queue of images whose profile is gone.
    pub removal_interval: Duration,
    pub quota: Quota,
    pub variants_bytes: u64,
    /// Memory for all pictures that are being resized.
    pub render_bytes: u64,
    /// Between two looks for blobs that no row names; none without it.
    pub sweep_interval: Option<Duration>,
    /// A blob without a row is removed when it is that old: its upload has ended long before.
    pub orphan_age: Duration,
}

#[derive(Debug, Clone)]
pub struct S3Config {
    pub endpoint: Url,
    pub region: String,
    pub bucket: String,
    pub access_key_id: String,
    pub secret_access_key: Secret,
}

impl Config {
    /// # Errors
    /// When a variable is missing or malformed; the error names it.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let removal_seconds = env.parse_or("STORAGE_REMOVAL_SECONDS", REMOVAL_SECONDS)?;
        let s3 = S3Config::from_env(env)?;
        let quota = Quota {
            objects: env.parse_or("STORAGE_QUOTA_OBJECTS", QUOTA_OBJECTS)?,
            bytes: u64::from(env.parse_or("STORAGE_QUOTA_MB", QUOTA_MB)?) * 1024 * 1024,
        };
        Ok(Self {
            database: database(env.required("DATABASE_URL")?)?,
            database_limits: Limits::from_env(env)?,
            keys: JwtKeys::from_env(env)?,
            clock: Clock::system(),
            dir: match (&s3, env.optional("STORAGE_DIR")) {
                (Some(_), None) => std::env::temp_dir().join("serasi-storage"),
                _ => PathBuf::from(env.required("STORAGE_DIR")?),
            },
            s3,
            site_url: env.optional("SITE_URL").map(|text| parsed("SITE_URL", text)).transpose()?,
            max_object_bytes: MAX_OBJECT_BYTES,
            image_buckets: IMAGE_BUCKETS.map(str::to_owned).to_vec(),
            removal_interval: Duration::from_secs(removal_seconds.get().into()),
            quota,
            variants_bytes: VARIANTS_BYTES,
            render_bytes: u64::from(env.parse_or("STORAGE_RENDER_MB", RENDER_MB)?.get()) * 1024 * 1024,
            sweep_interval: Some(env.parse_or("STORAGE_SWEEP_MINUTES", SWEEP_MINUTES)?)
                .filter(|minutes| *minutes > 0)
                .map(|minutes| Duration::from_secs(u64::from(minutes) * 60)),
            orphan_age: ORPHAN_AGE,
        })
    }
}

impl S3Config {
    /// All five, or none of them: half a setting would keep pictures where nobody looks for them.
    fn from_env(env: &Env) -> Result<Option<Self>, ConfigError> {
        let names = ["S3_ENDPOINT", "S3_REGION", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"];
        if names.iter().all(|name| env.optional(name).is_none()) {
            return Ok(None);
        }
        let endpoint: Url = parsed("S3_ENDPOINT", env.required("S3_ENDPOINT")?)?;
        if !matches!(endpoint.scheme(), "http" | "https") {
            return Err(ConfigError::new("S3_ENDPOINT", "does not begin with http:// or https://"));
        }
        Ok(Some(Self {
            endpoint,
            region: env.required("S3_REGION")?.to_owned(),
            bucket: env.required("S3_BUCKET")?.to_owned(),
            access_key_id: env.required("S3_ACCESS_KEY_ID")?.to_owned(),
            secret_access_key: Secret::new(env.required("S3_SECRET_ACCESS_KEY")?),
        }))
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
