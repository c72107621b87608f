//! The sources of settings: a configuration file, and the environment, which overrides it.

use std::path::PathBuf;

use platform::env::{ConfigError, Env};

use super::file;

/// Holds secrets, so `Debug` hides it.
#[derive(Clone, Default)]
pub struct Source {
    env: Env,
    file: Option<PathBuf>,
    /// Ignores unknown variables, as PostgREST does. Otherwise they are errors, because they are probably misspelled.
    pub ignores_unknown: bool,
}

impl Source {
    pub fn new(env: Env, file: Option<PathBuf>) -> Self {
        Self { env, file, ignores_unknown: false }
    }

    /// The names of the environment variables with this prefix.
    pub fn variables<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.env.names_with_prefix(prefix)
    }

    /// Reads the file and applies the environment.
    ///
    /// # Errors
    /// When the file can't be read or is malformed.
    pub fn settings(&self) -> Result<Settings, ConfigError> {
        let Some(path) = &self.file else {
            return Ok(Settings { values: Values(self.env.clone()), from_file: Vec::new() });
        };
        let mut values = self.env.clone();
        let mut from_file = Vec::new();
        for (name, value) in file::read(path, &self.env)? {
            if self.env.given(&name).is_none() {
                values = values.with(&name, value);
            }
            from_file.push(name);
        }
        Ok(Settings { values: Values(values), from_file })
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", self.file)
    }
}

pub struct Settings {
    pub values: Values,
    /// Names of the settings in the file.
    pub from_file: Vec<String>,
}

/// All settings under the names of environment variables. Holds secrets, so `Debug` hides it.
#[derive(Clone, Default)]
pub struct Values(pub Env);

impl std::fmt::Debug for Values {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("…")
    }
}
