//! Settings of the auth service.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `DATABASE_URL` | login `auth_admin` | required |
//! | `DATABASE_STATEMENT_SECONDS` | how long one statement may take | 8 |
//! | `JWT_SECRET` | signs tokens (HS256), 32 bytes or more | required |
//! | `JWT_SIGNING_KEYS` | sign accounts' tokens instead (ES256); a set of JSON Web Keys or `@file`, the first signs | none |
//! | `SITE_URL` | where the pages are; its origin may call us from a browser | required |
//! | `API_EXTERNAL_URL` | our own address as clients see it: the issuer of tokens | `SITE_URL` + `/auth/v1` |
//! | `CORS_ALLOWED_ORIGINS` | further origins whose pages may call us, comma-separated | none |
//! | `TRUSTED_PROXIES` | addresses or networks whose `X-Forwarded-For` is believed, comma-separated | none |
//! | `AUTH_CONFIRM_EMAIL` | user types that confirm their address first; `all`, `none` | `vendor` |
//! | `AUTH_EMAIL_PROVIDER` | whether addresses and passwords open accounts and sign in: `on` or `off` | `on` |
//! | `AUTH_SIGNUPS` | whether anybody may open an account: `on` or `off` | `on` |
//! | `AUTH_OTP_SECONDS` | how long a mailed link or code is good | 86400 |
//! | `AUTH_MAIL_INTERVAL_SECONDS` | how long an account waits for the next mail of a kind | 60 |
//! | `AUTH_MAILS_PER_HOUR` | mails of accounts altogether, of all replicas; ten of them to one address; not counted where nobody confirms | 30 |
//! | `AUTH_REDIRECT_URLS` | further places links may lead to, comma-separated; `*`, `**`, `?` | none |
//! | `AUTH_REQUIRE_REAUTHENTICATION` | whether a session older than a day needs a code for a new password | `on` |
//! | `AUTH_REQUIRE_CURRENT_PASSWORD` | whether a new password needs the old one | `off` |
//! | `AUTH_RATE_LIMITS` | `on` or `off`, for those of client addresses and of wrong passwords alike | `on` |
//! | `AUTH_SIGN_IN_FAILURES` | wrong passwords that an address may be tried with before it must pause | 10 |
//! | `AUTH_SIGN_IN_FAILURES_OF_CLIENT` | and that a client's address may try, at all addresses together | 100 |
//! | `AUTH_SIGN_IN_FAILURES_SECONDS` | how long they count, from the first one on | 300 |
//! | `AUTH_PASSWORD_MIN_LENGTH` | characters of a new password | 6 |
//! | `AUTH_PASSWORD_REQUIRED_CHARACTERS` | sets of characters, colons in between (`\:` is one of a set); a new password needs one of each | none |
//! | `AUTH_COMMON_PASSWORDS` | a file of passwords that nobody may choose, one a line | none |
//! | `AUTH_ACCESS_TOKEN_SECONDS` | life of an access token | 3600 |
//! | `AUTH_REFRESH_REUSE_SECONDS` | how long a used refresh token is forgiven | 10 |
//! | `AUTH_SESSIONS_TIMEBOX_SECONDS` | how long after its sign-in a session may be refreshed | for ever |
//! | `AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS` | and how long after its last refresh | for ever |
//! | `AUTH_SESSIONS_SINGLE_PER_USER` | whether an account's newest sign-in ends its other sessions, at their next refresh | `off` |
//! | `AUTH_HASH_MEMORY_KIB`, `AUTH_HASH_ITERATIONS` | cost of a password hash; may only be raised | 19456, 2 |
//! | `AUTH_DATABASE_CONNECTIONS` | size of the pool; sign-ins with a password have three more for each core | 10 |
//!
//! Those of the mail: [`mail`].

mod accounts;
mod limits;
pub mod mail;
mod sessions;

use axum::http::HeaderValue;
use chrono::TimeDelta;
use ipnet::IpNet;
use platform::clock::Clock;
use platform::database::Limits;
use platform::env::{ConfigError, Env};
use platform::http::origin;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use url::Url;

use self::accounts::AccountRules;
use self::mail::MailConfig;
use crate::domain::password::PasswordRules;
use crate::domain::session_limits::SessionLimits;
use crate::domain::user_type::{MustConfirm, UserType};
use crate::failure_limit::FailureLimit;
use crate::hashing::HashCost;

#[derive(Clone)]
pub struct Config {
    pub database_url: Secret,
    pub database_connections: u32,
    pub database_limits: Limits,
    pub jwt: JwtKeys,
    pub clock: Clock,
    /// `iss` of the tokens.
    pub external_url: String,
    pub allowed_origins: Vec<HeaderValue>,
    pub trusted_proxies: Vec<IpNet>,
    pub must_confirm: MustConfirm,
    pub accounts: AccountRules,
    pub rate_limits: bool,
    pub failure_limit: Option<FailureLimit>,
    pub password_rules: PasswordRules,
    pub hash_cost: HashCost,
    pub access_token_life: TimeDelta,
    pub reuse_interval: TimeDelta,
    pub session_limits: SessionLimits,
    pub mail: MailConfig,
}

const NAMES: [&str; 6] = [
    "AUTH_CONFIRM_EMAIL",
    "AUTH_ACCESS_TOKEN_SECONDS",
    "AUTH_REFRESH_REUSE_SECONDS",
    "AUTH_HASH_MEMORY_KIB",
    "AUTH_HASH_ITERATIONS",
    "AUTH_DATABASE_CONNECTIONS",
];
/// Not ours, but others' who may share our environment.
const FOREIGN_NAMES: [&str; 1] = ["AUTH_URL"];

impl Config {
    /// # Errors
    /// When a setting is missing, malformed or unknown; it is named.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let known = [&NAMES[..], &accounts::NAMES, &limits::NAMES, &sessions::NAMES, &FOREIGN_NAMES].concat();
        if let Some(unknown) = env.names_with_prefix("AUTH_").find(|name| !known.contains(name)) {
            return Err(ConfigError::new(unknown, "is not a setting of the auth service"));
        }
        let site_text = env.required("SITE_URL")?;
        let site_url = url("SITE_URL", site_text)?;
        let external_url = match env.optional("API_EXTERNAL_URL") {
            Some(text) => url("API_EXTERNAL_URL", text)?.to_string(),
            None => format!("{}/auth/v1", site_url.as_str().trim_end_matches('/')),
        };
        let seconds =
            |name: &str, default: u32| env.parse_or(name, default).map(|s| TimeDelta::seconds(s.into()));
        let access_token_life = seconds("AUTH_ACCESS_TOKEN_SECONDS", 3600)?;
        if access_token_life.is_zero() {
            return Err(ConfigError::new("AUTH_ACCESS_TOKEN_SECONDS", "a token must live at least a second"));
        }
        let rate_limits = env.flag_or("AUTH_RATE_LIMITS", true)?;
        let accounts = AccountRules::from_env(env, site_url.clone(), site_text)?;
        Ok(Self {
            database_url: Secret::new(env.required("DATABASE_URL")?),
            database_connections: env.parse_or("AUTH_DATABASE_CONNECTIONS", 10)?,
            database_limits: Limits::from_env(env)?,
            jwt: JwtKeys::of_issuer(env)?,
            clock: Clock::system(),
            external_url: external_url.trim_end_matches('/').to_owned(),
            allowed_origins: allowed_origins(env, &site_url)?,
            trusted_proxies: origin::trusted_proxies(env)?,
            must_confirm: env.parse_or("AUTH_CONFIRM_EMAIL", MustConfirm::Types(vec![UserType::Vendor]))?,
            rate_limits,
            failure_limit: limits::failure_limit(env, rate_limits)?,
            password_rules: limits::password_rules(env)?,
            hash_cost: hash_cost(env)?,
            access_token_life,
            reuse_interval: seconds("AUTH_REFRESH_REUSE_SECONDS", 10)?,
            session_limits: sessions::session_limits(env)?,
            mail: MailConfig::from_env(env, &site_url, accounts.token_life)?,
            accounts,
        })
    }
}

fn url(name: &str, text: &str) -> Result<Url, ConfigError> {
    let url =
        Url::parse(text).map_err(|error| ConfigError::new(name, format!("`{text}` is no URL: {error}")))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err(ConfigError::new(name, format!("`{text}` is no http or https URL")))
    }
}

fn allowed_origins(env: &Env, site_url: &Url) -> Result<Vec<HeaderValue>, ConfigError> {
    let mut origins = vec![site_url.origin().ascii_serialization()];
    for text in list(env, "CORS_ALLOWED_ORIGINS") {
        origins.push(url("CORS_ALLOWED_ORIGINS", text)?.origin().ascii_serialization());
    }
    let value = |origin: String| {
        HeaderValue::from_str(&origin)
            .map_err(|error| ConfigError::new("CORS_ALLOWED_ORIGINS", error.to_string()))
    };
    origins.into_iter().map(value).collect()
}

fn hash_cost(env: &Env) -> Result<HashCost, ConfigError> {
    let least = HashCost::OWASP_MINIMUM;
    let memory_kib = env.parse_or("AUTH_HASH_MEMORY_KIB", least.memory_kib)?;
    let iterations = env.parse_or("AUTH_HASH_ITERATIONS", least.iterations)?;
    if !(least.memory_kib..=HashCost::MOST_MEMORY_KIB).contains(&memory_kib) {
        let bounds = format!("must lie between {} and {}", least.memory_kib, HashCost::MOST_MEMORY_KIB);
        return Err(ConfigError::new("AUTH_HASH_MEMORY_KIB", bounds));
    }
    if !(least.iterations..=HashCost::MOST_ITERATIONS).contains(&iterations) {
        let bounds = format!("must lie between {} and {}", least.iterations, HashCost::MOST_ITERATIONS);
        return Err(ConfigError::new("AUTH_HASH_ITERATIONS", bounds));
    }
    Ok(HashCost { memory_kib, iterations })
}

fn list<'a>(env: &'a Env, name: &str) -> impl Iterator<Item = &'a str> {
    env.optional(name).unwrap_or_default().split(',').map(str::trim).filter(|item| !item.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Env {
        Env::from_iter([
            ("DATABASE_URL", "postgres://auth_admin@localhost/serasi"),
            ("JWT_SECRET", "a-secret-that-only-tests-may-use"),
            ("SITE_URL", "http://127.0.0.1:8000"),
        ])
    }

    fn refused(name: &str, value: &str) {
        let error = Config::from_env(&env().with(name, value)).err().unwrap();
        assert_eq!(error.variable, name, "{error}");
    }

    #[test]
    fn the_defaults_are_safe() {
        let config = Config::from_env(&env()).unwrap();
        assert!(config.rate_limits && config.trusted_proxies.is_empty());
        assert_eq!(config.external_url, "http://127.0.0.1:8000/auth/v1");
        assert_eq!(config.allowed_origins, ["http://127.0.0.1:8000"]);
        assert!(config.must_confirm.applies_to(Some(UserType::Vendor)));
    }

    #[test]
    fn a_wrong_setting_is_named() {
        refused("SITE_URL", "serasi");
        refused("SITE_URL", "javascript:alert(1)");
        refused("API_EXTERNAL_URL", "ftp://x");
        refused("AUTH_CONFIRM_EMAIL", "vendors");
        refused("AUTH_RATE_LIMITS", "maybe");
        refused("AUTH_SIGNUPS", "maybe");
        refused("AUTH_SIGN_IN_FAILURES", "0");
        refused("AUTH_COMMON_PASSWORDS", "/no/such/file");
        refused("AUTH_SIGN_IN_FAILURES_SECONDS", "0");
        refused("AUTH_OTP_SECONDS", "0");
        refused("AUTH_MAILS_PER_HOUR", "0");
        refused("AUTH_REDIRECT_URLS", "https://{a,b}.test");
        refused("AUTH_HASH_MEMORY_KIB", "1024");
        refused("AUTH_HASH_ITERATIONS", "1");
        refused("AUTH_ACCESS_TOKEN_SECONDS", "0");
        refused("AUTH_EMAIL_PROVIDER", "perhaps");
        refused("AUTH_SESSIONS_TIMEBOX_SECONDS", "0");
        refused("AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS", "24h");
        refused("AUTH_SESSIONS_SINGLE_PER_USER", "maybe");
        refused("AUTH_CONFIRM_MAIL", "vendor");
        refused("TRUSTED_PROXIES", "10.0.0.0/8, proxy");
        refused("JWT_SECRET", "short");
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let config = Config::from_env(&env().with("TRUSTED_PROXIES", "10.0.0.0/8, ::1")).unwrap();
        assert_eq!(config.trusted_proxies.len(), 2);
    }
}
