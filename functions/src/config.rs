//! Settings of the functions.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `AUTH_URL` | address of the auth service | required |
//! | `REST_URL` | address of the gateway | required |
//! | `ANON_KEY` | public key, sent as `apikey` | required |
//! | `SERVICE_ROLE_KEY` | key for creating accounts | required |
//! | `JWT_SECRET` | verifies callers' tokens, 32 bytes or more | required |
//! | `JWT_SIGNING_KEYS` | keys that also verify accounts' tokens; public keys suffice | none |
//! | `SITE_URL` | address of the site; its origin may call the functions from a browser | required |
//! | `CORS_ALLOWED_ORIGINS` | additional origins, comma-separated | none |
//! | `TRUSTED_PROXIES` | addresses or networks whose `X-Forwarded-For` is trusted, for the log | none |

use std::time::Duration;

use axum::http::HeaderValue;
use ipnet::IpNet;
use platform::bearer;
use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use platform::http::{cors, origin};
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::Url;

/// What the marketplace wants of the backend, unless the operator wants something else.
pub const MARKETPLACE_DEFAULTS: [(&str, &str); 2] =
    [("AUTH_CONFIRM_EMAIL", "vendor"), ("MAIL_FOOTER", "Serasi, where brands and creators meet")];

/// Adds the marketplace's defaults of settings that are not set.
#[must_use]
pub fn with_marketplace_defaults(env: Env) -> Env {
    let missing = |env: &Env, name| env.optional(name).is_none();
    MARKETPLACE_DEFAULTS.iter().fold(
        env,
        |env, (name, value)| {
            if missing(&env, name) { env.with(name, *value) } else { env }
        },
    )
}

/// The types of accounts, and the words for all and none of them.
const CONFIRMING: [&str; 5] = ["influencer", "agency", "vendor", "all", "none"];

/// The auth service accepts any value of `user_type`. A misspelled one would let accounts in that should confirm their address.
pub(crate) fn check_account_types(env: &Env) -> Result<(), ConfigError> {
    let name = "AUTH_CONFIRM_EMAIL";
    let mut types = env.optional(name).unwrap_or_default().split(',').map(str::trim);
    match types.find(|wanted| !wanted.is_empty() && !CONFIRMING.contains(wanted)) {
        Some(unknown) => {
            Err(ConfigError::new(name, format!("`{unknown}` is not one of {}", CONFIRMING.join(", "))))
        }
        None => Ok(()),
    }
}

#[derive(Clone)]
pub struct Config {
    pub auth_url: String,
    pub rest_url: String,
    pub anon_key: Secret,
    pub service_key: Secret,
    pub jwt: JwtKeys,
    pub clock: Clock,
    pub allowed_origins: Vec<HeaderValue>,
    pub trusted_proxies: Vec<IpNet>,
    /// Timeout of a call to another service.
    pub call_timeout: Duration,
    /// Timeout for receiving a request body.
    pub body_timeout: Duration,
}

impl Config {
    /// # Errors
    /// Fails when a setting is missing or malformed; the error names it.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Ok(Self {
            auth_url: base(env, "AUTH_URL")?,
            rest_url: base(env, "REST_URL")?,
            anon_key: key(env, "ANON_KEY")?,
            service_key: key(env, "SERVICE_ROLE_KEY")?,
            jwt: JwtKeys::from_env(env)?,
            clock: Clock::system(),
            allowed_origins: cors::allowed_origins(env)?,
            trusted_proxies: origin::trusted_proxies(env)?,
            call_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(15),
        })
    }
}

impl Config {
    /// Both keys must belong to this installation. With another installation's keys, every call would fail
    /// later.
    ///
    /// # Errors
    /// Fails when `JWT_SECRET` did not sign a key, or when a key has another role. The error names the setting.
    pub fn check_keys(&self) -> Result<(), ConfigError> {
        let keys =
            [("ANON_KEY", &self.anon_key, "anon"), ("SERVICE_ROLE_KEY", &self.service_key, "service_role")];
        for (name, key, role) in keys {
            let is_ours = bearer::verify(key.expose(), &self.jwt, &self.clock)
                .is_ok_and(|claims| claims.role() == Some(role));
            if !is_ours {
                let problem = format!("is not a {role} key of this JWT_SECRET: `serasi keys` prints it");
                return Err(ConfigError::new(name, problem));
            }
        }
        Ok(())
    }
}

pub(crate) fn url(name: &str, text: &str) -> Result<Url, ConfigError> {
    let url = Url::parse(text)
        .map_err(|error| ConfigError::new(name, format!("`{text}` is not a URL: {error}")))?;
    if matches!(url.scheme(), "http" | "https") && url.has_host() {
        Ok(url)
    } else {
        Err(ConfigError::new(name, format!("`{text}` is not an http or https URL")))
    }
}

fn base(env: &Env, name: &str) -> Result<String, ConfigError> {
    Ok(url(name, env.required(name)?)?.as_str().trim_end_matches('/').to_owned())
}

/// Validated at startup, because the key is a header of every call.
fn key(env: &Env, name: &str) -> Result<Secret, ConfigError> {
    let key = env.required(name)?;
    if key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Ok(Secret::new(key))
    } else {
        Err(ConfigError::new(name, "contains characters that are invalid in a key"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelled_account_type_is_refused() {
        let check = |types| check_account_types(&Env::from_iter([("AUTH_CONFIRM_EMAIL", types)]));
        for types in ["all", "none", "vendor", "agency, vendor"] {
            assert!(check(types).is_ok(), "{types}");
        }
        let error = check("vendor,agancy").unwrap_err();
        assert_eq!(error.variable, "AUTH_CONFIRM_EMAIL");
        assert!(error.problem.contains("`agancy`"), "{error}");
    }

    fn env() -> Env {
        Env::from_iter([
            ("AUTH_URL", "http://auth:9999/"),
            ("REST_URL", "http://gateway:3000"),
            ("ANON_KEY", "anon"),
            ("SERVICE_ROLE_KEY", "service"),
            ("JWT_SECRET", "a-secret-that-only-tests-may-use"),
            ("SITE_URL", "https://serasi.test/start"),
        ])
    }

    #[test]
    fn trailing_slashes_and_paths_are_stripped() {
        let config = Config::from_env(&env()).unwrap();
        assert_eq!(config.auth_url, "http://auth:9999");
        assert_eq!(config.allowed_origins, ["https://serasi.test"]);
    }

    #[test]
    fn keys_of_another_secret_or_role_are_rejected() {
        let keys_of = |secret: &str| JwtKeys::from_env(&Env::from_iter([("JWT_SECRET", secret)])).unwrap();
        let signed = |secret: &str, role: &str| keys_of(secret).role_key(role).unwrap();
        let (ours, others) = ("a-secret-that-only-tests-may-use", "another-secret-that-nobody-may-use");
        let (anon, service) = (signed(ours, "anon"), signed(ours, "service_role"));
        let checked = |anon: &str, service: &str| {
            let env = env().with("ANON_KEY", anon).with("SERVICE_ROLE_KEY", service);
            Config::from_env(&env).unwrap().check_keys().map_err(|error| error.variable)
        };
        assert_eq!(checked(&anon, &service), Ok(()));
        assert_eq!(checked(&service, &anon), Err("ANON_KEY".into()));
        assert_eq!(checked(&anon, &signed(others, "service_role")), Err("SERVICE_ROLE_KEY".into()));
    }

    #[test]
    fn an_error_names_the_invalid_setting() {
        for (name, value) in [
            ("AUTH_URL", "auth"),
            ("REST_URL", ""),
            ("ANON_KEY", "two\nlines"),
            ("JWT_SECRET", "short"),
            ("SITE_URL", "x"),
            ("TRUSTED_PROXIES", "proxy"),
        ] {
            let error = Config::from_env(&env().with(name, value)).err().unwrap();
            assert_eq!(error.variable, name);
        }
    }
}
