//! Settings: PostgREST's environment variables with the same names, meanings and defaults. Each file covers
//! one group and lists its variables at the top.

pub mod database;
pub mod in_database;
pub mod jwt;
pub mod load;
pub mod openapi;
pub mod role_claim;
pub mod server;

use std::str::FromStr;

use platform::env::{ConfigError, Env};

use database::DatabaseConfig;
use in_database::Source;
use jwt::JwtConfig;
use load::LoadConfig;
use openapi::OpenApiConfig;
use server::ServerConfig;

/// The PostgREST version this gateway is compatible with.
pub const POSTGREST_VERSION: &str = "16";

const VARIABLES: &[&str] =
    &["PGRST_CLIENT_ERROR_VERBOSITY", "PGRST_DB_CONFIG", "PGRST_URL_USE_LEGACY_TARGET_NAMES"];

#[derive(Debug, Clone)]
pub struct Config {
    pub database: DatabaseConfig,
    pub jwt: JwtConfig,
    pub load: LoadConfig,
    pub openapi: OpenApiConfig,
    pub server: ServerConfig,
    pub error_verbosity: ErrorVerbosity,
    /// Parameters may use an embedded resource's name even if it has an alias.
    pub legacy_target_names: bool,
    /// Load additional settings from the database.
    pub asks_database: bool,
    source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorVerbosity {
    Verbose,
    /// Code and message only.
    Minimal,
}

impl FromStr for ErrorVerbosity {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "verbose" => Ok(Self::Verbose),
            "minimal" => Ok(Self::Minimal),
            _ => Err("choose verbose or minimal"),
        }
    }
}

/// Prefix of custom application settings, which are set in every transaction.
pub const APP_SETTINGS: &str = "PGRST_APP_SETTINGS_";

/// PostgREST settings that don't affect responses here. They are accepted so that an existing PostgREST
/// environment works unchanged.
const WITHOUT_EFFECT: &[&str] = &[
    "PGRST_DB_POOL_AUTOMATIC_RECOVERY",
    "PGRST_DB_POOL_MAX_IDLETIME",
    "PGRST_DB_POOL_MAX_LIFETIME",
    "PGRST_DB_POOL_TIMEOUT",
    "PGRST_JWT_CACHE_MAX_LIFETIME",
    "PGRST_LOG_QUERY",
    "PGRST_SERVER_REUSEPORT",
    "PGRST_SERVER_UNIX_SOCKET_MODE",
];

/// Deprecated names and their current ones.
const DEPRECATED_NAMES: &[(&str, &str)] = &[
    ("PGRST_DB_SCHEMA", "PGRST_DB_SCHEMAS"),
    ("PGRST_MAX_ROWS", "PGRST_DB_MAX_ROWS"),
    ("PGRST_PRE_REQUEST", "PGRST_DB_PRE_REQUEST"),
    ("PGRST_ROLE_CLAIM_KEY", "PGRST_JWT_ROLE_CLAIM_KEY"),
    ("PGRST_ROOT_SPEC", "PGRST_DB_ROOT_SPEC"),
    ("PGRST_SECRET_IS_BASE64", "PGRST_JWT_SECRET_IS_BASE64"),
    ("PGRST_SERVER_PROXY_URI", "PGRST_OPENAPI_SERVER_PROXY_URI"),
];

fn is_deprecated(name: &str) -> bool {
    DEPRECATED_NAMES.iter().any(|(deprecated, _)| *deprecated == name)
}

fn with_current_names(env: &Env) -> Env {
    DEPRECATED_NAMES.iter().fold(env.clone(), |env, (deprecated, current)| match env.given(deprecated) {
        Some(value) if env.given(current).is_none() => {
            let value = value.to_owned();
            env.with(current, value)
        }
        _ => env,
    })
}

impl Config {
    /// # Errors
    /// When a variable is malformed, or an unknown one begins with `PGRST_` or `GATEWAY_`.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let env = &with_current_names(env);
        let known = [
            VARIABLES,
            database::VARIABLES,
            jwt::VARIABLES,
            load::VARIABLES,
            openapi::VARIABLES,
            server::VARIABLES,
            WITHOUT_EFFECT,
        ]
        .concat();
        let unknown = env
            .names_with_prefix("PGRST_")
            .chain(env.names_with_prefix(load::PREFIX))
            .find(|name| !name.starts_with(APP_SETTINGS) && !known.contains(name) && !is_deprecated(name));
        if let Some(name) = unknown {
            return Err(ConfigError::new(name, "is not a setting of the gateway"));
        }
        let database = DatabaseConfig::from_env(env)?;
        Ok(Self {
            load: LoadConfig::from_env(env, database.pool_size)?,
            database,
            jwt: JwtConfig::from_env(env)?,
            openapi: OpenApiConfig::from_env(env)?,
            server: ServerConfig::from_env(env)?,
            error_verbosity: env.parse_or("PGRST_CLIENT_ERROR_VERBOSITY", ErrorVerbosity::Verbose)?,
            legacy_target_names: env.flag_or("PGRST_URL_USE_LEGACY_TARGET_NAMES", true)?,
            asks_database: env.flag_or("PGRST_DB_CONFIG", true)?,
            source: Source(env.clone()),
        })
    }
}

/// Splits a comma-separated list and trims its items.
fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn positive(env: &Env, name: &'static str, default: usize) -> Result<usize, ConfigError> {
    match env.parse_or(name, default)? {
        0 => Err(ConfigError::new(name, "has to be at least 1")),
        number => Ok(number),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::database::TxEnd;

    fn problem(variables: &[(&str, &str)]) -> String {
        Config::from_env(&variables.iter().copied().collect()).unwrap_err().to_string()
    }

    #[test]
    fn deprecated_names_still_work() {
        let both = [("PGRST_DB_SCHEMA", "old"), ("PGRST_MAX_ROWS", "5"), ("PGRST_DB_MAX_ROWS", "7")];
        let config = Config::from_env(&both.into_iter().collect()).unwrap();
        assert_eq!((config.database.schemas, config.database.max_rows), (vec!["old".to_owned()], Some(7)));
    }

    #[test]
    fn defaults_are_postgrests() {
        let config = Config::from_env(&Env::default()).unwrap();
        assert_eq!(config.database.schemas, ["public"]);
        assert_eq!(config.database.pool_size, 10);
        assert_eq!(config.database.tx_end, TxEnd::Commit);
        assert_eq!(config.server.port, 3000);
        assert!(!config.database.aggregates_enabled);
        assert!(!config.database.require_filter && !config.database.strict_booleans);
    }

    #[test]
    fn errors_name_unknown_and_malformed_settings() {
        assert_eq!(
            problem(&[("PGRST_DB_SCHMEAS", "x")]),
            "PGRST_DB_SCHMEAS: is not a setting of the gateway"
        );
        assert!(problem(&[("PGRST_DB_TX_END", "maybe")]).starts_with("PGRST_DB_TX_END: "));
        assert!(problem(&[("PGRST_DB_MAX_ROWS", "many")]).starts_with("PGRST_DB_MAX_ROWS: "));
        assert!(problem(&[("PGRST_JWT_SECRET", "short")]).starts_with("PGRST_JWT_SECRET: "));
        assert!(problem(&[("PGRST_JWT_ROLE_CLAIM_KEY", "role")]).starts_with("PGRST_JWT_ROLE_CLAIM_KEY: "));
    }

    #[test]
    fn settings_that_only_postgrest_needs_are_accepted() {
        let env = [("PGRST_DB_CONFIG", "false"), ("PGRST_DB_POOL_MAX_IDLETIME", "30")];
        assert!(Config::from_env(&env.into_iter().collect()).is_ok());
    }

    #[test]
    fn application_settings_accept_any_name() {
        let config = Config::from_env(&[("PGRST_APP_SETTINGS_MY_KEY", "v")].into_iter().collect()).unwrap();
        assert_eq!(config.database.app_settings, [("app.settings.my_key".to_owned(), "v".to_owned())]);
    }
}
