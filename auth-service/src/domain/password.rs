//! What a new password must keep to. Hashing is `hashing.rs`'s.

use platform::secret::Secret;

/// More is refused, never cut off: two long passwords must not become one.
const MAX_BYTES: usize = 72;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordRules {
    pub min_characters: usize,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    #[error("Password cannot be longer than {MAX_BYTES} characters")]
    TooLong,
    #[error("Password should be at least {0} characters.")]
    TooShort(usize),
}

impl PasswordRules {
    /// # Errors
    /// When the password breaks a rule; the first broken one is named.
    pub fn check(self, text: &str) -> Result<Password, PasswordError> {
        let password = Password::short_enough(text)?;
        if text.chars().count() < self.min_characters {
            return Err(PasswordError::TooShort(self.min_characters));
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

    const RULES: PasswordRules = PasswordRules { min_characters: 6 };

    #[test]
    fn six_characters_do_and_five_do_not() {
        assert!(RULES.check("123456").is_ok());
        assert_eq!(RULES.check("12345").unwrap_err(), PasswordError::TooShort(6));
        assert!(RULES.check("éééééé").is_ok());
        assert_eq!(RULES.check("ééé").unwrap_err(), PasswordError::TooShort(6));
    }

    #[test]
    fn seventy_two_bytes_do_and_one_more_does_not() {
        assert!(RULES.check(&"x".repeat(72)).is_ok());
        assert_eq!(RULES.check(&"x".repeat(73)).unwrap_err(), PasswordError::TooLong);
    }

    #[test]
    fn a_password_does_not_print() {
        assert!(!format!("{:?}", RULES.check("hunter42").unwrap()).contains("hunter"));
    }
}
