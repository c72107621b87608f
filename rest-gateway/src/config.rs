//! Settings: PostgREST's environment variables and configuration file, with the same names, meanings and
//! defaults. Each file covers one group and lists its variables at the top.

pub mod connection;
pub mod database;
pub mod dump;
pub mod example;
mod file;
pub mod in_database;
pub mod jwt;
pub mod load;
pub mod openapi;
pub mod role_claim;
pub mod server;
pub mod source;
pub mod tls;

use std::str::FromStr;

use platform::env::{ConfigError, Env};

use database::DatabaseConfig;
use jwt::JwtConfig;
use load::LoadConfig;
use openapi::OpenApiConfig;
use server::ServerConfig;
use source::{Settings, Source, Values};

/// The PostgREST version this gateway is compatible with.
pub const POSTGREST_VERSION: &str = "16";

const VARIABLES: &[&str] =
    &["PGRST_CLIENT_ERROR_VERBOSITY", "PGRST_DB_CONFIG", "PGRST_URL_USE_LEGACY_TARGET_NAMES"];

/// The gateway's settings.
#[derive(Debug, Clone)]
pub struct Config {
    pub(crate) database: DatabaseConfig,
    pub(crate) jwt: JwtConfig,
    pub(crate) load: LoadConfig,
    pub(crate) openapi: OpenApiConfig,
    pub(crate) server: ServerConfig,
    pub(crate) error_verbosity: ErrorVerbosity,
    /// Parameters may use an embedded resource's name even if it has an alias.
    pub(crate) legacy_target_names: bool,
    /// Whether to load additional settings from the database.
    pub(crate) loads_database_settings: bool,
    /// Unknown settings that were ignored.
    pub(crate) ignored: Vec<String>,
    source: Source,
    values: Values,
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
            _ => Err("Invalid client-error-verbosity. Check your configuration. Choose verbose or minimal"),
        }
    }
}

/// Prefix of custom application settings, which are set in every transaction.
pub const APP_SETTINGS: &str = "PGRST_APP_SETTINGS_";

/// Settings of earlier PostgREST versions. They have no effect, but are accepted so that an existing environment
/// works unchanged.
const OBSOLETE: &[&str] = &[
    "PGRST_ADMIN_SERVER_CONFIG_ENABLED",
    "PGRST_DB_TIMEZONE_ENABLED",
    "PGRST_DB_USE_LEGACY_GUCS",
    "PGRST_JWT_CACHE_MAX_LIFETIME",
    "PGRST_RAW_MEDIA_TYPES",
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

const IDLE_TIME_ALIAS: &str = "PGRST_DB_POOL_TIMEOUT";

fn is_deprecated(name: &str) -> bool {
    name == IDLE_TIME_ALIAS || DEPRECATED_NAMES.iter().any(|(deprecated, _)| *deprecated == name)
}

fn with_current_names(env: &Env) -> Env {
    let renamed = |env: Env, deprecated, current| match env.optional(deprecated).map(str::to_owned) {
        Some(value) => env.with(current, value),
        None => env,
    };
    let env = DEPRECATED_NAMES.iter().fold(env.clone(), |env, (deprecated, current)| {
        if env.optional(current).is_none() { renamed(env, deprecated, current) } else { env }
    });
    // As in PostgREST, this deprecated name takes precedence.
    renamed(env, IDLE_TIME_ALIAS, "PGRST_DB_POOL_MAX_IDLETIME")
}

fn is_known(name: &str) -> bool {
    let groups = [
        VARIABLES,
        database::VARIABLES,
        jwt::VARIABLES,
        load::VARIABLES,
        openapi::VARIABLES,
        server::VARIABLES,
        OBSOLETE,
    ];
    groups.iter().any(|group| group.contains(&name)) || name.starts_with(APP_SETTINGS) || is_deprecated(name)
}

impl Config {
    /// # Errors
    /// When a variable is malformed, or an unknown one begins with `PGRST_` or `GATEWAY_`.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Self::read(Source::new(env.clone(), None))
    }

    /// # Errors
    /// When the configuration file is unreadable or malformed. See also [`Config::from_env`].
    pub(crate) fn read(source: Source) -> Result<Self, ConfigError> {
        let is_unknown = |name: &&str| !is_known(name);
        let mut ignored: Vec<String> =
            source.variables("PGRST_").filter(is_unknown).map(str::to_owned).collect();
        let unknown = ignored.first().map(String::as_str).filter(|_| !source.ignores_unknown);
        if let Some(name) = unknown.or_else(|| source.variables(load::PREFIX).find(is_unknown)) {
            return Err(ConfigError::new(name, "is not a setting of the gateway"));
        }
        let Settings { values, from_file } = source.settings()?;
        ignored.extend(from_file.into_iter().filter(|name| !is_known(name)));
        Ok(Self { ignored, source, ..Self::from_values(values)? })
    }

    /// Reads the configuration file again, and the files that settings name.
    ///
    /// # Errors
    /// See [`Config::read`].
    pub(crate) fn reread(&self) -> Result<Self, ConfigError> {
        Self::read(self.source.clone())
    }

    fn from_values(values: Values) -> Result<Self, ConfigError> {
        let env = &with_current_names(&values.0);
        let database = DatabaseConfig::from_env(env)?;
        Ok(Self {
            load: LoadConfig::from_env(env, database.pool_size)?,
            database,
            jwt: JwtConfig::from_env(env)?,
            openapi: OpenApiConfig::from_env(env)?,
            server: ServerConfig::from_env(env)?,
            error_verbosity: env.parse_or("PGRST_CLIENT_ERROR_VERBOSITY", ErrorVerbosity::Verbose)?,
            legacy_target_names: flag(env, "PGRST_URL_USE_LEGACY_TARGET_NAMES", true)?,
            loads_database_settings: flag(env, "PGRST_DB_CONFIG", true)?,
            ignored: Vec::new(),
            source: Source::default(),
            values,
        })
    }
}

/// Reads a boolean in every form that PostgREST accepts: `TRUE`, `"true"` in quotes, and numbers.
fn flag(env: &Env, name: &str, default: bool) -> Result<bool, ConfigError> {
    let Some(text) = env.optional(name) else { return Ok(default) };
    let letters: String = text.chars().filter(|found| found.is_alphabetic()).collect();
    match (letters.to_lowercase().as_str(), text.parse::<i64>()) {
        ("true", _) => Ok(true),
        ("false", _) => Ok(false),
        (_, Ok(number)) => Ok(number > 0),
        _ => env.flag_or(name, default),
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

    fn error(variables: &[(&str, &str)]) -> String {
        Config::from_env(&variables.iter().copied().collect()).unwrap_err().to_string()
    }

    #[test]
    fn deprecated_names_still_work() {
        let both = [("PGRST_DB_SCHEMA", "old"), ("PGRST_MAX_ROWS", "5"), ("PGRST_DB_MAX_ROWS", "7")];
        let config = Config::from_env(&both.into_iter().collect()).unwrap();
        assert_eq!((config.database.schemas, config.database.max_rows), (vec!["old".to_owned()], Some(7)));
    }

    #[test]
    fn defaults_are_the_same_as_postgrests() {
        let config = Config::from_env(&Env::default()).unwrap();
        assert_eq!(config.database.schemas, ["public"]);
        assert_eq!(config.database.pool_size, 10);
        assert_eq!(config.database.tx_end, TxEnd::Commit);
        assert_eq!(config.server.port, 3000);
        assert!(!config.database.aggregates_enabled);
        assert!(!config.database.require_filter && !config.database.strict_booleans);
    }

    #[test]
    fn pool_settings_have_postgrests_names_and_defaults() {
        let of = |variables: &[(&str, &str)]| {
            let database = Config::from_env(&variables.iter().copied().collect()).unwrap().database;
            let seconds = [database.pool_timeout, database.max_idle_time, database.max_lifetime];
            (seconds.map(|duration| duration.as_secs()), database.automatic_recovery)
        };
        assert_eq!(of(&[]), ([10, 30, 1800], true));
        let all = [
            ("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "1"),
            ("PGRST_DB_POOL_MAX_IDLETIME", "2"),
            ("PGRST_DB_POOL_MAX_LIFETIME", "3"),
            ("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "false"),
        ];
        assert_eq!(of(&all), ([1, 2, 3], false));
        let alias = [("PGRST_DB_POOL_MAX_IDLETIME", "2"), ("PGRST_DB_POOL_TIMEOUT", "9")];
        assert_eq!(of(&alias).0[1], 9);
        for name in ["PGRST_DB_POOL_MAX_IDLETIME", "PGRST_DB_POOL_MAX_LIFETIME"] {
            assert!(error(&[(name, "-1")]).starts_with(name));
        }
        assert!(error(&[("PGRST_DB_POOL_TIMEOUT", "x")]).starts_with("PGRST_DB_POOL_MAX_IDLETIME: "));
        assert!(error(&[("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "maybe")]).contains("maybe"));
    }

    #[test]
    fn flags_accept_the_same_values_as_postgrest() {
        for (text, on) in
            [("TRUE", true), ("\"true\"", true), ("2", true), ("0", false), ("off", false), ("", true)]
        {
            let config = Config::from_env(&[("PGRST_DB_CONFIG", text)].into_iter().collect()).unwrap();
            assert_eq!(config.loads_database_settings, on, "{text}");
        }
    }

    #[test]
    fn errors_name_unknown_and_malformed_settings() {
        assert_eq!(error(&[("PGRST_DB_SCHMEAS", "x")]), "PGRST_DB_SCHMEAS: is not a setting of the gateway");
        assert!(error(&[("PGRST_DB_TX_END", "maybe")]).starts_with("PGRST_DB_TX_END: "));
        assert!(error(&[("PGRST_DB_MAX_ROWS", "many")]).starts_with("PGRST_DB_MAX_ROWS: "));
        assert!(error(&[("PGRST_JWT_SECRET", "short")]).starts_with("PGRST_JWT_SECRET: "));
        assert!(error(&[("PGRST_JWT_ROLE_CLAIM_KEY", "role")]).starts_with("PGRST_JWT_ROLE_CLAIM_KEY: "));
    }

    #[test]
    fn settings_of_earlier_versions_are_accepted() {
        let env = [("PGRST_DB_CONFIG", "false"), ("PGRST_DB_USE_LEGACY_GUCS", "false")];
        assert!(Config::from_env(&env.into_iter().collect()).is_ok());
    }

    #[test]
    fn application_settings_accept_any_name() {
        let config = Config::from_env(&[("PGRST_APP_SETTINGS_MY_KEY", "v")].into_iter().collect()).unwrap();
        assert_eq!(config.database.app_settings, [("app.settings.my_key".to_owned(), "v".to_owned())]);
    }
}
