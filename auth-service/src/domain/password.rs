//! What a new password must keep to. Hashing is `hashing.rs`'s.

use std::collections::HashSet;
use std::sync::Arc;

use platform::secret::Secret;

/// More is refused, never cut off: two long passwords must not become one.
const MAX_BYTES: usize = 72;

#[derive(Debug, Clone, Default)]
pub struct PasswordRules {
    pub min_characters: usize,
    pub common: CommonPasswords,
}

/// What is tried first, in whatever case. Prints as its length.
#[derive(Clone, Default)]
pub struct CommonPasswords(Arc<HashSet<Box<str>>>);

impl CommonPasswords {
    /// One a line.
    pub fn parse(list: &str) -> Self {
        let passwords = list.lines().filter(|line| !line.is_empty());
        Self(Arc::new(passwords.map(|line| line.to_lowercase().into_boxed_str()).collect()))
    }

    fn contain(&self, password: &str) -> bool {
        !self.0.is_empty() && self.0.contains(password.to_lowercase().as_str())
    }
}

impl std::fmt::Debug for CommonPasswords {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} passwords", self.0.len())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("Password cannot be longer than {MAX_BYTES} characters")]
    TooLong,
    #[error("Password should be at least {0} characters.")]
    TooShort(usize),
    #[error("Password is known to be weak and easy to guess, please choose a different one.")]
    Common,
}

impl PasswordRules {
    /// # Errors
    /// When the password breaks a rule; the first broken one is named.
    pub fn check(&self, text: &str) -> Result<Password, PasswordError> {
        let password = Password::short_enough(text)?;
        if text.chars().count() < self.min_characters {
            return Err(PasswordError::TooShort(self.min_characters));
        }
        if self.common.contain(text) {
            return Err(PasswordError::Common);
        }
        Ok(password)
    }
}

/// A password that may be hashed. Prints as `…`.
#[derive(Debug, Clone)]
pub struct Password(Secret);

impl Password {
    /// Any password of bearable length: what administrators may set, and what a sign-in may try.
    ///
    /// # Errors
    /// When it is longer than any password can be.
    pub fn short_enough(text: &str) -> Result<Self, PasswordError> {
        if text.len() > MAX_BYTES { Err(PasswordError::TooLong) } else { Ok(Self(Secret::new(text))) }
    }

    /// A password nobody knows, for accounts made without one.
    pub fn unknowable() -> Self {
        Self(Secret::new(platform::random::token(40)))
    }

    pub fn expose(&self) -> &str {
        self.0.expose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> PasswordRules {
        PasswordRules { min_characters: 6, common: CommonPasswords::parse("123456\r\nqwerty\n\nSunshine\n") }
    }

    #[test]
    fn six_characters_do_and_five_do_not() {
        assert!(rules().check("123457").is_ok());
        assert_eq!(rules().check("12345").unwrap_err(), PasswordError::TooShort(6));
        assert!(rules().check("éééééé").is_ok());
        assert_eq!(rules().check("ééé").unwrap_err(), PasswordError::TooShort(6));
    }

    #[test]
    fn seventy_two_bytes_do_and_one_more_does_not() {
        assert!(rules().check(&"x".repeat(72)).is_ok());
        assert_eq!(rules().check(&"x".repeat(73)).unwrap_err(), PasswordError::TooLong);
    }

    #[test]
    fn a_password_does_not_print() {
        assert!(!format!("{:?}", rules().check("hunter42").unwrap()).contains("hunter"));
    }

    #[test]
    fn what_is_tried_first_is_refused_in_any_case() {
        for common in ["123456", "qwerty", "QWERTY", "sunshine"] {
            assert_eq!(rules().check(common).unwrap_err(), PasswordError::Common, "{common}");
        }
        for rare in ["qwertyy", "123456 ", "      "] {
            assert!(rules().check(rare).is_ok(), "{rare:?}");
        }
        assert!(PasswordRules { min_characters: 6, ..PasswordRules::default() }.check("123456").is_ok());
    }
}
