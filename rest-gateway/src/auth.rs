//! Authentication: reads the role and the claims of a request from its bearer token.

pub mod cache;
pub mod error;

use std::sync::Arc;

use axum::http::HeaderMap;
use platform::bearer;
use platform::claims::Claims;
use platform::clock::Clock;
use platform::env::ConfigError;
use platform::jwt::key_set::KeySet;
use platform::token::{self, Times, TokenError};
use serde_json::{Map, Value};

use crate::config::Config;
use crate::config::jwt::{JwtConfig, JwtSecret};
use crate::config::server::{LogLevel, STATUS_LOG};
use crate::error_body::Rejection;
use crate::metrics::Metrics;
use cache::TokenCache;

/// The role a request runs as, and the claims that policies can read.
#[derive(Debug, Clone)]
pub struct Caller {
    pub role: Arc<str>,
    /// The claims as JSON.
    pub claims: Arc<str>,
    /// The role is not the anonymous role. A permission error is then 403 instead of 401.
    pub authenticated: bool,
    /// The `sub` claim.
    pub account: Option<Arc<str>>,
    /// When the token of a signed-in caller was issued, in seconds since 1970.
    pub issued: Option<i64>,
}

pub struct Authenticator {
    keys: Option<KeySet>,
    config: JwtConfig,
    anonymous: Option<Caller>,
    cache: TokenCache,
    clock: Clock,
    /// Whether to log tokens that are too early or too late.
    logs_times: bool,
}

impl Authenticator {
    /// # Errors
    /// When the JWT secret is not a usable key.
    pub fn new(config: &Config, clock: Clock, metrics: Arc<Metrics>) -> Result<Self, ConfigError> {
        let anonymous = config.database.anon_role.as_deref().map(|role| Caller {
            role: role.into(),
            claims: Value::Object(Map::from_iter([("role".to_owned(), role.into())])).to_string().into(),
            authenticated: false,
            account: None,
            issued: None,
        });
        Ok(Self {
            keys: config.jwt.secret.as_ref().map(keys).transpose()?,
            config: config.jwt.clone(),
            anonymous,
            cache: TokenCache::new(config.jwt.cache_entries, metrics),
            clock,
            logs_times: config.server.log_level >= LogLevel::Warn,
        })
    }

    /// # Errors
    /// When the token is invalid, or when it is missing and anonymous access is disabled.
    pub fn caller(&self, headers: &HeaderMap) -> Result<Caller, Rejection> {
        let Some(token) = bearer::credentials(headers).map(str::trim) else {
            return self.anonymous.clone().ok_or_else(error::token_required);
        };
        let keys = self.keys.as_ref().ok_or_else(error::secret_missing)?;
        if token.is_empty() {
            return Err(error::empty_token());
        }
        let token = match self.cache.get(token) {
            Some(cached) => cached,
            None => {
                let verified = Arc::new(self.verify(keys, token)?);
                self.cache.put(token, Arc::clone(&verified));
                verified
            }
        };
        let now = self.clock.now().timestamp();
        let timely = token.times.check(now).and_then(|()| token.times.check_issued(now));
        timely.inspect_err(|error| self.log_time(error, &token.times, now))?;
        if !token.audience_matches {
            return Err(TokenError::WrongAudience.into());
        }
        token.caller.clone().ok_or_else(error::token_required)
    }

    /// Clocks that differ are the usual reason why a new token is rejected.
    fn log_time(&self, error: &TokenError, times: &Times, now: i64) {
        let Some((claim, time)) = times.claim(error).filter(|_| self.logs_times) else { return };
        let (message, difference) = (error::message(*error), now.abs_diff(time));
        tracing::info!(
            target: STATUS_LOG,
            "{message}, diff: {difference} seconds, current time (epoch): {now}, {claim} (epoch): {time}"
        );
    }

    /// Whether this is a valid token without an account, such as the public key or the service key.
    pub fn is_key(&self, text: &str) -> bool {
        let verified = self.keys.as_ref().and_then(|keys| self.verify(keys, text).ok());
        verified.is_some_and(|token| {
            token.times.check(self.clock.now().timestamp()).is_ok()
                && token.caller.is_some_and(|caller| caller.account.is_none())
        })
    }

    /// Verifies the signature and extracts everything that does not depend on the current time.
    fn verify(&self, keys: &KeySet, token: &str) -> Result<VerifiedToken, TokenError> {
        let claims = keys.verify(token)?;
        let times = Times::of(&claims)?;
        let audience_matches = self.audience_matches(&claims)?;
        let mut claims = claims.0;
        let role = match self.config.role_claim.find(&claims) {
            Some(Value::String(role)) => Some(role),
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
                issued: times.issued().filter(|_| account.is_some()),
                account,
            }
        });
        Ok(VerifiedToken { caller, times, audience_matches })
    }

    fn audience_matches(&self, claims: &Claims) -> Result<bool, TokenError> {
        let Some(audiences) = token::audiences(claims)? else { return Ok(true) };
        let ours = self.config.audience.as_deref();
        Ok(audiences.is_empty() || ours.is_none_or(|ours| audiences.contains(&ours)))
    }
}

fn keys(secret: &JwtSecret) -> Result<KeySet, ConfigError> {
    if !secret.is_key_set {
        return Ok(KeySet::from_secret(&secret.bytes));
    }
    KeySet::from_json(&String::from_utf8_lossy(&secret.bytes))
        .ok_or_else(|| ConfigError::new("PGRST_JWT_SECRET", "is not a usable JSON Web Key or set of keys"))
}

/// A token with a valid signature. Its timestamps are checked on every request, because it is cached.
#[derive(Debug)]
pub struct VerifiedToken {
    caller: Option<Caller>,
    times: Times,
    audience_matches: bool,
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use serde_json::json;

    use super::*;

    const SECRET: &str = "reallyreallyreallyreallyverysafe";

    #[test]
    fn the_expiry_of_a_cached_token_is_checked_again() {
        let clock = Clock::fixed(Clock::system().now());
        let config = Config::from_env(&[("PGRST_JWT_SECRET", SECRET)].into_iter().collect()).unwrap();
        let authenticator = Authenticator::new(&config, clock.clone(), Arc::new(Metrics::new(1))).unwrap();
        platform::jwt::ring_provider::install();
        let claims = json!({ "role": "someone", "exp": clock.now().timestamp() + 60 });
        let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
        let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
        let headers =
            HeaderMap::from_iter([(header::AUTHORIZATION, format!("Bearer {token}").try_into().unwrap())]);

        assert_eq!(&*authenticator.caller(&headers).unwrap().role, "someone");
        clock.advance(chrono::TimeDelta::seconds(95));
        assert_eq!(authenticator.caller(&headers).unwrap_err().message, "JWT expired");
    }
}
