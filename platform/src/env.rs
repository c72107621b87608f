//! Settings come from environment variables. They are read once at startup; an error names the invalid one.
//! Services take an [`Env`] instead of the process's variables, so that the launcher and the tests can pass
//! others.

mod secret_files;

use std::collections::BTreeMap;
use std::str::FromStr;

/// A set of named settings.
#[derive(Clone, Default)]
pub struct Env(BTreeMap<String, String>);

/// An invalid setting: its name, and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{variable}: {problem}")]
pub struct ConfigError {
    pub variable: String,
    pub problem: String,
}

impl ConfigError {
    pub fn new(variable: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { variable: variable.into(), problem: problem.into() }
    }
}

impl Env {
    /// The variables of this process, with the secrets that `NAME_FILE` variables name. Names and values that are
    /// not UTF-8 are ignored.
    ///
    /// # Errors
    /// Fails when a file of a secret can't be used.
    pub fn from_process() -> Result<Self, ConfigError> {
        secret_files::resolve(Self(
            std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        ))
    }

    /// Adds or replaces a setting.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// The value, or `None` when the variable is missing or empty.
    pub fn optional(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// The value, even an empty one, for variables where empty and missing differ.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// # Errors
    /// Fails when the variable is missing or empty.
    pub fn required(&self, name: &str) -> Result<&str, ConfigError> {
        self.optional(name).ok_or_else(|| ConfigError::new(name, "is required but not set"))
    }

    /// The parsed value, or the default when it is missing.
    ///
    /// # Errors
    /// Fails when the value does not parse.
    pub fn parse_or<T: FromStr>(&self, name: &str, default: T) -> Result<T, ConfigError>
    where
        T::Err: std::fmt::Display,
    {
        match self.optional(name) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .map_err(|error| ConfigError::new(name, format!("`{text}` is not understood: {error}"))),
        }
    }

    /// Parses `on`, `true`, `yes`, `1` and their opposites, case-insensitively.
    ///
    /// # Errors
    /// Fails when the value is none of these.
    pub fn flag_or(&self, name: &str, default: bool) -> Result<bool, ConfigError> {
        match self.optional(name).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(default),
            Some("on" | "true" | "yes" | "1") => Ok(true),
            Some("off" | "false" | "no" | "0") => Ok(false),
            Some(other) => Err(ConfigError::new(name, format!("`{other}` is neither `on` nor `off`"))),
        }
    }

    /// The names that start with a prefix, to find misspelled ones.
    pub fn names_with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.keys().map(String::as_str).filter(move |name| name.starts_with(prefix))
    }
}

/// Shows no values, because some are secrets.
impl std::fmt::Debug for Env {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

impl<Name: Into<String>, Value: Into<String>> FromIterator<(Name, Value)> for Env {
    fn from_iter<I: IntoIterator<Item = (Name, Value)>>(variables: I) -> Self {
        Self(variables.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_variable_counts_as_missing() {
        let env = Env::from_iter([("A", "")]);
        assert_eq!(env.optional("A"), None);
        assert_eq!(env.parse_or("A", 7), Ok(7));
        assert_eq!(env.given("A"), Some(""));
        assert_eq!(env.given("B"), None);
    }

    #[test]
    fn an_error_names_the_malformed_variable() {
        let env = Env::from_iter([("PORT", "eighty"), ("SWITCH", "perhaps")]);
        assert_eq!(env.parse_or::<u16>("PORT", 1).unwrap_err().variable, "PORT");
        assert_eq!(
            env.flag_or("SWITCH", true).unwrap_err().to_string(),
            "SWITCH: `perhaps` is neither `on` nor `off`"
        );
    }
}
