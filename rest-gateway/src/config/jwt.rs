//! Verification of tokens.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use platform::env::{ConfigError, Env};

use super::role_claim::RoleClaim;
use super::{flag, number};

const SECRET: &str = "PGRST_JWT_SECRET";
const IS_BASE64: &str = "PGRST_JWT_SECRET_IS_BASE64";

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

#[derive(Clone)]
pub struct JwtSecret {
    pub bytes: Vec<u8>,
    /// A JSON Web Key or a key set.
    pub is_key_set: bool,
    is_base64: bool,
}

impl JwtSecret {
    /// The secret in the dump of the configuration.
    pub fn shown(&self) -> String {
        let text = String::from_utf8(self.bytes.clone()).ok().filter(|_| !self.is_base64);
        text.unwrap_or_else(|| STANDARD.encode(&self.bytes))
    }
}

impl std::fmt::Debug for JwtSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}

impl JwtConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let claim = env.required("PGRST_JWT_ROLE_CLAIM_KEY")?;
        Ok(Self {
            secret: secret(env)?,
            audience: audience(env)?,
            role_claim: RoleClaim::parse(claim).ok_or_else(|| {
                ConfigError::new(
                    "PGRST_JWT_ROLE_CLAIM_KEY",
                    format!(
                        "failed to parse role-claim-key value ({claim}): it is not a path such as `$.role`"
                    ),
                )
            })?,
            cache_entries: number(env, "PGRST_JWT_CACHE_MAX_ENTRIES")?,
        })
    }
}

fn audience(env: &Env) -> Result<Option<String>, ConfigError> {
    let name = "PGRST_JWT_AUD";
    match env.optional(name) {
        Some(text) if text.contains(':') && !is_uri(text) => {
            Err(ConfigError::new(name, "jwt-aud should be a string or a valid URI"))
        }
        text => Ok(text.map(str::to_owned)),
    }
}

/// Checks the scheme and the characters (RFC 3986).
fn is_uri(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let is_encoded = |part: &str| part.get(..2).is_some_and(|code| u8::from_str_radix(code, 16).is_ok());
    scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte))
        && rest.split('%').skip(1).all(is_encoded)
}

fn secret(env: &Env) -> Result<Option<JwtSecret>, ConfigError> {
    let Some(value) = env.optional(SECRET) else { return Ok(None) };
    let bytes = match value.strip_prefix('@') {
        Some(file) => read_secret(file)?,
        None => value.as_bytes().to_vec(),
    };
    if bytes.trim_ascii_start().starts_with(b"{") && std::str::from_utf8(&bytes).is_ok() {
        let bytes = bytes.trim_ascii().to_vec();
        return Ok(Some(JwtSecret { bytes, is_key_set: true, is_base64: false }));
    }
    let is_base64 = flag(env, IS_BASE64)?;
    let bytes = if is_base64 {
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        let decoded = STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text.replace('.', "=")));
        decoded.map_err(|_| ConfigError::new(SECRET, "is not base64"))?
    } else {
        bytes
    };
    if bytes.len() < MIN_SECRET {
        let length = bytes.len();
        let problem =
            format!("The JWT secret must be at least {MIN_SECRET} characters long. It has {length}");
        return Err(ConfigError::new(SECRET, problem));
    }
    Ok(Some(JwtSecret { bytes, is_key_set: false, is_base64 }))
}

/// A secret is any sequence of bytes. A line break at the end is not part of it.
fn read_secret(file: &str) -> Result<Vec<u8>, ConfigError> {
    let mut secret = std::fs::read(file)
        .map_err(|error| ConfigError::new(SECRET, format!("`{file}` can't be read: {error}")))?;
    if secret.last() == Some(&b'\n') {
        secret.pop();
    }
    Ok(secret)
}

#[cfg(test)]
mod tests {
    use super::is_uri;

    #[test]
    fn uris_have_a_scheme_and_valid_characters() {
        for text in ["https://example.org", "urn:x:y", "https://h/%20?q#f"] {
            assert!(is_uri(text), "{text}");
        }
        for text in ["foo://%%$$^^.com", "http://%%local.invalid", "1a:b", "a b:c", "a:b c", "a:%2"] {
            assert!(!is_uri(text), "{text}");
        }
    }
}
