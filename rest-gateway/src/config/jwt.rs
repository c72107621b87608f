//! How tokens are verified.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use platform::env::{ConfigError, Env};
use platform::secret::Secret;

use super::role_claim::RoleClaim;

pub const VARIABLES: &[&str] = &[
    "PGRST_JWT_AUD",
    "PGRST_JWT_CACHE_MAX_ENTRIES",
    "PGRST_JWT_ROLE_CLAIM_KEY",
    "PGRST_JWT_SECRET",
    "PGRST_JWT_SECRET_IS_BASE64",
];

/// Shorter secrets can be brute-forced offline from any token.
const MIN_SECRET: usize = 32;

#[derive(Debug, Clone)]
pub struct JwtConfig {
    pub secret: Option<JwtSecret>,
    pub audience: Option<String>,
    pub role_claim: RoleClaim,
    /// Maximum number of verified tokens in the cache.
    pub cache_entries: usize,
}

#[derive(Debug, Clone)]
pub enum JwtSecret {
    Text(Secret),
    Bytes(SecretBytes),
    /// A JSON Web Key or a key set.
    Keys(Secret),
}

#[derive(Clone)]
pub struct SecretBytes(pub Vec<u8>);

impl std::fmt::Debug for SecretBytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}

impl JwtConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let claim = env.optional("PGRST_JWT_ROLE_CLAIM_KEY").unwrap_or(".role");
        Ok(Self {
            secret: secret(env)?,
            audience: env.optional("PGRST_JWT_AUD").map(str::to_owned),
            role_claim: RoleClaim::parse(claim).ok_or_else(|| {
                ConfigError::new(
                    "PGRST_JWT_ROLE_CLAIM_KEY",
                    format!("`{claim}` is not a path such as `.role`"),
                )
            })?,
            cache_entries: env.parse_or("PGRST_JWT_CACHE_MAX_ENTRIES", 1000)?,
        })
    }
}

fn secret(env: &Env) -> Result<Option<JwtSecret>, ConfigError> {
    let name = "PGRST_JWT_SECRET";
    let Some(value) = env.optional(name) else { return Ok(None) };
    let text = match value.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| ConfigError::new(name, format!("`{file}` can't be read: {error}")))?,
        None => value.to_owned(),
    };
    let text = text.trim().to_owned();
    if text.starts_with('{') {
        return Ok(Some(JwtSecret::Keys(Secret::new(text))));
    }
    if env.flag_or("PGRST_JWT_SECRET_IS_BASE64", false)? {
        let bytes = STANDARD
            .decode(&text)
            .or_else(|_| URL_SAFE.decode(text.replace('.', "=")))
            .map_err(|_| ConfigError::new(name, "is not base64"))?;
        return checked(bytes.len(), JwtSecret::Bytes(SecretBytes(bytes))).map(Some);
    }
    checked(text.len(), JwtSecret::Text(Secret::new(text))).map(Some)
}

fn checked(length: usize, secret: JwtSecret) -> Result<JwtSecret, ConfigError> {
    if length < MIN_SECRET {
        return Err(ConfigError::new(
            "PGRST_JWT_SECRET",
            format!("needs at least {MIN_SECRET} characters, has {length}"),
        ));
    }
    Ok(secret)
}
