//! Settings of the auth service.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `DATABASE_URL` | connection string of the login `auth_admin` | required |
//! | `LOGIN_PASSWORD` | password for a `DATABASE_URL` without one | none |
//! | `DATABASE_STATEMENT_SECONDS` | statement timeout | 8 |
//! | `JWT_SECRET` | signs tokens (HS256), 32 bytes or more | required |
//! | `JWT_SIGNING_KEYS` | keys that sign access tokens instead (ES256): a JSON Web Key Set or `@file`; the first key signs | none |
//! | `SITE_URL` | address of the site; its origin may call the API from a browser | required |
//! | `API_EXTERNAL_URL` | public address of this service, used as the token issuer | `SITE_URL` + `/auth/v1` |
//! | `CORS_ALLOWED_ORIGINS` | additional origins whose pages may call the API, comma-separated | none |
//! | `TRUSTED_PROXIES` | addresses or networks whose `X-Forwarded-For` is trusted, comma-separated | none |
//! | `AUTH_CONFIRM_EMAIL` | who must confirm their address before they can sign in: `all`, `none`, or values of `user_type` in the user metadata, comma-separated | `all` |
//! | `AUTH_EMAIL_PROVIDER` | whether sign-up and sign-in by e-mail are enabled: `on` or `off` | `on` |
//! | `AUTH_SIGNUPS` | whether new accounts may sign up: `on` or `off` | `on` |
//! | `AUTH_OTP_SECONDS` | lifetime of a mailed link or code | 86400 |
//! | `AUTH_MAIL_INTERVAL_SECONDS` | minimum interval between two e-mails of a kind to one account | 60 |
//! | `AUTH_MAILS_PER_HOUR` | account e-mails of each kind per hour across all replicas; ten of them to one mailbox, a sixth of them for one client; not enforced when nobody must confirm | 30 |
//! | `AUTH_NOTIFICATIONS_PER_HOUR` | security e-mails per hour across all replicas | 300 |
//! | `MAIL_TEMPLATES` | folder with templates of one's own, which replace the texts of e-mails | none |
//! | `AUTH_REDIRECT_URLS` | additional redirect targets, comma-separated; `*`, `**`, `?` | none |
//! | `AUTH_REQUIRE_REAUTHENTICATION` | whether a session older than a day needs a code to set a new password | `on` |
//! | `AUTH_REQUIRE_CURRENT_PASSWORD` | whether setting a new password requires the current one | `off` |
//! | `AUTH_RATE_LIMITS` | `on` or `off`, for the limits per client address and for those on wrong passwords | `on` |
//! | `AUTH_PASSWORD_MIN_LENGTH` | minimum characters of a new password | 6 |
//! | `AUTH_PASSWORD_REQUIRED_CHARACTERS` | character sets separated by colons (`\:` is a literal colon); a new password needs one character of each | none |
//! | `AUTH_COMMON_PASSWORDS` | file of forbidden passwords, one per line | none |
//! | `AUTH_ACCESS_TOKEN_SECONDS` | lifetime of an access token | 3600 |
//! | `AUTH_REFRESH_REUSE_SECONDS` | how long a used refresh token is still accepted | 10 |
//! | `AUTH_SESSIONS_TIMEBOX_SECONDS` | how long after sign-in a session may be refreshed | unlimited |
//! | `AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS` | how long after its last refresh a session may be refreshed | unlimited |
//! | `AUTH_SESSIONS_SINGLE_PER_USER` | whether a newer sign-in ends the account's other sessions, at their next refresh | `off` |
//! | `AUTH_ADMIN_MFA` | whether admins must have a second factor: `optional` or `required` | `optional` |
//!
//! The settings of e-mail are in the crate `mail`.

mod accounts;
mod limits;
mod sessions;

use axum::http::HeaderValue;
use chrono::TimeDelta;
use ipnet::IpNet;
use platform::clock::Clock;
use platform::database::{Limits, Servers};
use platform::env::{ConfigError, Env};
use platform::http::{cors, origin};
use platform::jwt::JwtKeys;
use url::Url;

use self::accounts::AccountRules;
pub use crate::domain::failure_limit::FailureLimit;
use crate::domain::hash_cost::HashCost;
use crate::domain::must_confirm::MustConfirm;
use crate::domain::password::PasswordRules;
use crate::domain::session_limits::SessionLimits;
use crate::letters::custom_templates::CustomTemplates;

#[derive(Clone)]
pub struct Config {
    pub database: Servers,
    pub database_limits: Limits,
    pub jwt: JwtKeys,
    pub clock: Clock,
    /// The `iss` claim of access tokens.
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
    /// Whether admins without a second factor can only add one.
    pub admin_mfa_required: bool,
    pub mail: mail::Config,
    pub mail_templates: CustomTemplates,
}

const NAMES: [&str; 4] = [
    mail::NOTIFICATIONS_PER_HOUR,
    "AUTH_CONFIRM_EMAIL",
    "AUTH_ACCESS_TOKEN_SECONDS",
    "AUTH_REFRESH_REUSE_SECONDS",
];
/// Other programs' variables that may share the environment.
const FOREIGN_NAMES: [&str; 1] = ["AUTH_URL"];

impl Config {
    /// # Errors
    /// Fails when a setting is missing, malformed or unknown; the error names it.
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
            return Err(ConfigError::new("AUTH_ACCESS_TOKEN_SECONDS", "must be at least 1"));
        }
        let rate_limits = env.flag_or("AUTH_RATE_LIMITS", true)?;
        let accounts = AccountRules::from_env(env, site_url.clone(), site_text)?;
        Ok(Self {
            database: Servers::from_env(env, "LOGIN_PASSWORD")?,
            database_limits: Limits::from_env(env)?,
            jwt: JwtKeys::of_issuer(env)?,
            clock: Clock::system(),
            external_url: external_url.trim_end_matches('/').to_owned(),
            allowed_origins: cors::allowed_origins(env)?,
            trusted_proxies: origin::trusted_proxies(env)?,
            must_confirm: env.parse_or("AUTH_CONFIRM_EMAIL", MustConfirm::Everybody)?,
            rate_limits,
            failure_limit: rate_limits.then(FailureLimit::default),
            password_rules: limits::password_rules(env)?,
            hash_cost: HashCost::OWASP_MINIMUM,
            access_token_life,
            reuse_interval: seconds("AUTH_REFRESH_REUSE_SECONDS", 10)?,
            session_limits: sessions::session_limits(env)?,
            admin_mfa_required: sessions::admin_mfa_required(env)?,
            mail: mail::Config::from_env(env, &site_url)?,
            mail_templates: CustomTemplates::from_env(env)?,
            accounts,
        })
    }
}

fn url(name: &str, text: &str) -> Result<Url, ConfigError> {
    let url = Url::parse(text)
        .map_err(|error| ConfigError::new(name, format!("`{text}` is not a URL: {error}")))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err(ConfigError::new(name, format!("`{text}` is not an http or https URL")))
    }
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

    fn assert_rejected(name: &str, value: &str) {
        let error = Config::from_env(&env().with(name, value)).err().unwrap();
        assert_eq!(error.variable, name, "{error}");
    }

    #[test]
    fn the_defaults_are_safe() {
        let config = Config::from_env(&env()).unwrap();
        assert!(config.rate_limits && config.trusted_proxies.is_empty());
        assert_eq!(config.external_url, "http://127.0.0.1:8000/auth/v1");
        assert_eq!(config.allowed_origins, ["http://127.0.0.1:8000"]);
        assert!(config.must_confirm == MustConfirm::Everybody);
    }

    #[test]
    fn an_error_names_the_invalid_setting() {
        assert_rejected("SITE_URL", "serasi");
        assert_rejected("SITE_URL", "javascript:alert(1)");
        assert_rejected("API_EXTERNAL_URL", "ftp://x");
        assert_rejected("AUTH_CONFIRM_EMAIL", "member,");
        assert_rejected("AUTH_RATE_LIMITS", "maybe");
        assert_rejected("AUTH_SIGNUPS", "maybe");
        assert_rejected("AUTH_COMMON_PASSWORDS", "/no/such/file");
        assert_rejected("AUTH_OTP_SECONDS", "0");
        assert_rejected("AUTH_MAILS_PER_HOUR", "0");
        assert_rejected("AUTH_NOTIFICATIONS_PER_HOUR", "0");
        assert_rejected("AUTH_REDIRECT_URLS", "https://{a,b}.test");
        assert_rejected("AUTH_ACCESS_TOKEN_SECONDS", "0");
        assert_rejected("AUTH_EMAIL_PROVIDER", "perhaps");
        assert_rejected("AUTH_SESSIONS_TIMEBOX_SECONDS", "0");
        assert_rejected("AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS", "24h");
        assert_rejected("AUTH_SESSIONS_SINGLE_PER_USER", "maybe");
        assert_rejected("AUTH_ADMIN_MFA", "on");
        assert_rejected("AUTH_CONFIRM_MAIL", "all");
        assert_rejected("TRUSTED_PROXIES", "10.0.0.0/8, proxy");
        assert_rejected("JWT_SECRET", "short");
    }

    #[test]
    fn proxies_are_addresses_or_networks() {
        let config = Config::from_env(&env().with("TRUSTED_PROXIES", "10.0.0.0/8, ::1")).unwrap();
        assert_eq!(config.trusted_proxies.len(), 2);
    }
}
