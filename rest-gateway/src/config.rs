//! Settings: PostgREST's environment variables and configuration file, with the same names, meanings and
//! defaults. `settings.conf` lists them, and each other file reads one group.

pub mod connection;
pub mod database;
pub mod dump;
mod file;
pub mod jwt;
pub mod load;
pub mod openapi;
pub mod role_claim;
pub mod server;
pub mod settings;
#[cfg(test)]
mod tests;
pub mod tls;

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use platform::env::{ConfigError, Env};

use database::DatabaseConfig;
use jwt::JwtConfig;
use load::LoadConfig;
use openapi::OpenApiConfig;
use server::ServerConfig;

/// The PostgREST version this gateway is compatible with.
pub const POSTGREST_VERSION: &str = "16";

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
    pub(crate) source: Source,
    /// All settings under the names of environment variables.
    values: Env,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorVerbosity {
    Verbose,
    /// Code and message only.
    Minimal,
}

/// The sources of settings: a configuration file, and the environment, which overrides it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    pub env: Env,
    pub file: Option<PathBuf>,
    /// Behaves as PostgREST does: ignores unknown variables, which are otherwise errors because they are probably
    /// misspelled, and finishes requests whose client has disconnected.
    pub stands_in: bool,
}

impl Source {
    /// Reads the file and applies the environment. Also returns the names of the settings in the file.
    ///
    /// # Errors
    /// When the file can't be read or is malformed.
    pub fn settings(&self) -> Result<(Env, Vec<String>), ConfigError> {
        let in_file = self.file.as_ref().map(|path| file::read(path, &self.env)).transpose()?;
        let (mut values, mut names) = (self.env.clone(), Vec::new());
        for (name, value) in in_file.into_iter().flatten() {
            if self.env.given(&name).is_none() {
                values = values.with(&name, value);
            }
            names.push(name);
        }
        Ok((values, names))
    }
}

impl Config {
    /// # Errors
    /// When a variable is malformed, or an unknown one begins with `PGRST_` or `GATEWAY_`.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Self::read(Source { env: env.clone(), ..Source::default() })
    }

    /// # Errors
    /// When the configuration file is unreadable or malformed. See also [`Config::from_env`].
    pub(crate) fn read(source: Source) -> Result<Self, ConfigError> {
        let is_unknown = |name: &&str| !settings::is_known(name);
        let mut ignored: Vec<String> =
            source.env.names_with_prefix("PGRST_").filter(is_unknown).map(str::to_owned).collect();
        let unknown = ignored.first().map(String::as_str).filter(|_| !source.stands_in);
        let of_gateway = || source.env.names_with_prefix(settings::GATEWAY).find(is_unknown);
        if let Some(name) = unknown.or_else(of_gateway) {
            return Err(ConfigError::new(name, "is not a setting of the gateway"));
        }
        let (values, in_file) = source.settings()?;
        ignored.extend(in_file.into_iter().filter(|name| !settings::is_known(name)));
        Ok(Self { ignored, source, ..Self::from_values(values)? })
    }

    /// Reads the configuration file again, and the files that settings name.
    ///
    /// # Errors
    /// See [`Config::read`].
    pub(crate) fn reread(&self) -> Result<Self, ConfigError> {
        Self::read(self.source.clone())
    }

    /// Applies settings that are stored in the database: `alter role authenticator set pgrst.db_schemas = '…'`, or set
    /// by the function that `db-pre-config` names. They override the file and the environment. Those that can't change
    /// while the gateway runs are ignored.
    ///
    /// # Errors
    /// When one of these settings is malformed.
    pub(crate) fn with_database_settings(&self, found: &[(String, String)]) -> Result<Self, ConfigError> {
        let changes = found.iter().filter(|(name, _)| settings::in_database().any(|known| known == *name));
        let values = changes
            .fold(self.values.clone(), |all, (name, value)| all.with(&settings::variable(name), value));
        let (ignored, source) = (self.ignored.clone(), self.source.clone());
        Ok(Self { ignored, source, ..Self::from_values(values)? })
    }

    fn from_values(values: Env) -> Result<Self, ConfigError> {
        let env = &settings::complete(&values);
        let verbosities = [("verbose", ErrorVerbosity::Verbose), ("minimal", ErrorVerbosity::Minimal)];
        Ok(Self {
            load: LoadConfig::from_env(env)?,
            database: DatabaseConfig::from_env(env)?,
            jwt: JwtConfig::from_env(env)?,
            openapi: OpenApiConfig::from_env(env)?,
            server: ServerConfig::from_env(env)?,
            error_verbosity: choice(
                env,
                "PGRST_CLIENT_ERROR_VERBOSITY",
                "client-error-verbosity",
                &verbosities,
            )?,
            legacy_target_names: flag(env, "PGRST_URL_USE_LEGACY_TARGET_NAMES")?,
            loads_database_settings: flag(env, "PGRST_DB_CONFIG")?,
            ignored: Vec::new(),
            source: Source::default(),
            values,
        })
    }
}

/// Reads a boolean in every form that PostgREST accepts: `TRUE`, `"true"` in quotes, and numbers.
fn flag(env: &Env, name: &str) -> Result<bool, ConfigError> {
    let text = env.required(name)?;
    let letters: String = text.chars().filter(|found| found.is_alphabetic()).collect();
    match (letters.to_lowercase().as_str(), text.parse::<i64>()) {
        ("true", _) => Ok(true),
        ("false", _) => Ok(false),
        (_, Ok(number)) => Ok(number > 0),
        _ => env.flag_or(name, false),
    }
}

fn text(env: &Env, name: &str) -> Option<String> {
    env.optional(name).map(str::to_owned)
}

/// Splits a comma-separated list and trims its items.
fn list(text: &str) -> Vec<String> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

fn number<T: FromStr<Err: std::fmt::Display> + Default>(env: &Env, name: &str) -> Result<T, ConfigError> {
    env.parse_or(name, T::default())
}

fn seconds(env: &Env, name: &str) -> Result<Duration, ConfigError> {
    number(env, name).map(Duration::from_secs)
}

fn positive(env: &Env, name: &str) -> Result<usize, ConfigError> {
    match number(env, name)? {
        0 => Err(ConfigError::new(name, "has to be at least 1")),
        number => Ok(number),
    }
}

/// Reads the name of a value. `what` describes the setting in PostgREST's error message.
fn choice<T: Copy>(env: &Env, name: &str, what: &str, values: &[(&str, T)]) -> Result<T, ConfigError> {
    let text = env.required(name)?;
    let found = values.iter().find(|(known, _)| *known == text);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
        let (last, others) = names.split_last().unwrap_or((&"", &[]));
        let problem = format!(
            "`{text}` is not understood: Invalid {what}. Check your configuration. Choose {} or {last}",
            others.join(", ")
        );
        ConfigError::new(name, problem)
    })
}
