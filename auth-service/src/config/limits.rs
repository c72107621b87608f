//! Settings that protect passwords from guessing.

use platform::env::{ConfigError, Env};

use crate::domain::password::{CommonPasswords, PasswordRules, RequiredCharacters};

pub const NAMES: [&str; 4] = [
    "AUTH_RATE_LIMITS",
    "AUTH_PASSWORD_MIN_LENGTH",
    "AUTH_PASSWORD_REQUIRED_CHARACTERS",
    "AUTH_COMMON_PASSWORDS",
];

pub fn password_rules(env: &Env) -> Result<PasswordRules, ConfigError> {
    let name = "AUTH_COMMON_PASSWORDS";
    let common = match env.optional(name) {
        None => CommonPasswords::default(),
        Some(file) => {
            let list = std::fs::read_to_string(file)
                .map_err(|error| ConfigError::new(name, format!("`{file}` can't be read: {error}")))?;
            CommonPasswords::parse(&list)
        }
    };
    let required = env.optional("AUTH_PASSWORD_REQUIRED_CHARACTERS").unwrap_or_default();
    Ok(PasswordRules {
        min_characters: env.parse_or("AUTH_PASSWORD_MIN_LENGTH", 6)?,
        required: RequiredCharacters::parse(required),
        common,
    })
}
