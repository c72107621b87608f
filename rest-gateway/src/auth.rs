//! Authentication: reads the role and the claims of a request from its bearer token.

pub mod cache;
pub mod error;
pub mod keys;

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use platform::clock::Clock;
use platform::env::ConfigError;
use serde_json::{Map, Value};

use crate::config::Config;
use crate::config::jwt::JwtConfig;
use cache::TokenCache;
use error::JwtError;
use keys::Keys;

/// The role a request runs as, and the claims that policies can read.
#[derive(Debug, Clone)]
pub struct Caller {
    pub role: Arc<str>,
    /// As JSON.
    pub claims: Arc<str>,
    /// The role differs from the anonymous role. Then a permission error is 403 instead of 401.
    pub authenticated: bool,
    /// The `sub` claim.
    pub account: Option<Arc<str>>,
}

pub struct Authenticator {
    keys: Option<Keys>,
    config: JwtConfig,
    anonymous: Option<Caller>,
    cache: TokenCache,
    clock: Clock,
}

/// Allowed clock skew.
const SKEW_SECONDS: i64 = 30;

impl Authenticator {
    /// # Errors
    /// When the JWT secret is not a usable key.
    pub fn new(config: &Config, clock: Clock) -> Result<Self, ConfigError> {
        let anonymous = config.database.anon_role.as_deref().map(|role| Caller {
            role: role.into(),
            claims: Value::Object(Map::from_iter([("role".to_owned(), role.into())])).to_string().into(),
            authenticated: false,
            account: None,
        });
        Ok(Self {
            keys: config.jwt.secret.as_ref().map(Keys::new).transpose()?,
            config: config.jwt.clone(),
            anonymous,
            cache: TokenCache::new(config.jwt.cache_entries),
            clock,
        })
    }

    /// # Errors
    /// When the token is invalid, or when it is missing and anonymous access is disabled.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, JwtError> {
        let Some(token) = bearer(headers) else {
            return self.anonymous.clone().ok_or(JwtError::TokenRequired);
        };
        let keys = self.keys.as_ref().ok_or(JwtError::SecretMissing)?;
        if token.is_empty() {
            return Err(JwtError::EmptyToken);
        }
        let token = match self.cache.get(token) {
            Some(known) => known,
            None => {
                let checked = Arc::new(self.read(keys, token)?);
                self.cache.put(token, Arc::clone(&checked));
                checked
            }
        };
        self.check_times(&token)?;
        token.caller.clone().ok_or(JwtError::TokenRequired)
    }

    /// Verifies the signature and extracts everything that does not depend on the current time.
    fn read(&self, keys: &Keys, token: &str) -> Result<CheckedToken, JwtError> {
        let mut claims = keys.verify(token)?;
        let times = Times {
            expires: number(&claims, "exp")?,
            not_before: number(&claims, "nbf")?,
            issued: number(&claims, "iat")?,
        };
        let for_us = self.is_audience(&claims)?;
        let role = match self.config.role_claim.find(&claims) {
            Some(Value::String(role)) => Some(role.clone()),
            Some(other) => Some(other.to_string()),
            None => self.anonymous.as_ref().map(|caller| caller.role.to_string()),
        };
        let caller = role.map(|role| {
            claims.insert("role".to_owned(), role.as_str().into());
            let authenticated = self.anonymous.as_ref().is_none_or(|caller| *caller.role != *role);
            let account = claims.get("sub").and_then(Value::as_str).filter(|_| authenticated).map(Arc::from);
            Caller {
                role: role.into(),
                claims: Value::Object(claims).to_string().into(),
                authenticated,
                account,
            }
        });
        Ok(CheckedToken { caller, times, for_us })
    }

    fn check_times(&self, token: &CheckedToken) -> Result<(), JwtError> {
        let now = self.clock.now().timestamp();
        let times = &token.times;
        if times.expires.is_some_and(|expires| now - SKEW_SECONDS > expires) {
            return Err(JwtError::Expired);
        }
        if times.not_before.is_some_and(|from| now + SKEW_SECONDS < from) {
            return Err(JwtError::NotYetValid);
        }
        if times.issued.is_some_and(|issued| now + SKEW_SECONDS < issued) {
            return Err(JwtError::IssuedInFuture);
        }
        if token.for_us { Ok(()) } else { Err(JwtError::NotInAudience) }
    }

    fn is_audience(&self, claims: &Map<String, Value>) -> Result<bool, JwtError> {
        let matches = |audience: &str| self.config.audience.as_deref().is_none_or(|ours| ours == audience);
        match claims.get("aud") {
            None | Some(Value::Null) => Ok(true),
            Some(Value::String(audience)) => Ok(matches(audience)),
            Some(Value::Array(audiences)) => {
                let audiences: Option<Vec<&str>> = audiences.iter().map(Value::as_str).collect();
                let audiences = audiences.ok_or(JwtError::BadAudience)?;
                Ok(audiences.is_empty() || audiences.into_iter().any(matches))
            }
            Some(_) => Err(JwtError::BadAudience),
        }
    }
}

/// A token with a valid signature. Its times are checked again on every request, because it is cached.
#[derive(Debug)]
pub struct CheckedToken {
    caller: Option<Caller>,
    times: Times,
    for_us: bool,
}

#[derive(Debug)]
struct Times {
    expires: Option<i64>,
    not_before: Option<i64>,
    issued: Option<i64>,
}

#[expect(clippy::cast_possible_truncation, reason = "a NumericDate may have a fraction, which is dropped")]
fn number(claims: &Map<String, Value>, name: &'static str) -> Result<Option<i64>, JwtError> {
    match claims.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Number(number)) => {
            Ok(Some(number.as_i64().unwrap_or_else(|| number.as_f64().unwrap_or_default().floor() as i64)))
        }
        Some(_) => Err(JwtError::NotANumber(name)),
    }
}

/// The token of `Authorization: Bearer …`. Other schemes are ignored.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
