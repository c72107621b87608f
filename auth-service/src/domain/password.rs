//! The rules for new passwords. `hashing.rs` does the hashing.

use std::collections::HashSet;
use std::sync::Arc;

use platform::secret::Secret;

/// Longer passwords are rejected, never truncated: truncation would make two different passwords equal.
const MAX_BYTES: usize = 72;

#[derive(Debug, Clone, Default)]
pub struct PasswordRules {
    pub min_characters: usize,
    pub required: RequiredCharacters,
    pub common: CommonPasswords,
}

/// Character sets; a password needs at least one character of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequiredCharacters(Vec<String>);

impl RequiredCharacters {
    /// Parses sets separated by colons. `\:` is a literal colon.
    pub fn parse(text: &str) -> Self {
        let mut sets = Vec::new();
        let mut set = String::new();
        let mut parts = text.split(':').peekable();
        while let Some(part) = parts.next() {
            match part.strip_suffix('\\').filter(|_| parts.peek().is_some()) {
                Some(part) => set.extend([part, ":"]),
                None => {
                    set.push_str(part);
                    sets.push(std::mem::take(&mut set));
                }
            }
        }
        sets.retain(|set| !set.is_empty());
        Self(sets)
    }

    fn are_in(&self, password: &str) -> bool {
        self.0.iter().all(|set| password.contains(|character| set.contains(character)))
    }
}

/// Commonly guessed passwords, compared case-insensitively. `Debug` prints only their number.
#[derive(Clone, Default)]
pub struct CommonPasswords(Arc<HashSet<Box<str>>>);

impl CommonPasswords {
    /// Parses a list with one password per line.
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
    /// Imported bcrypt hashes stop at a NUL, which would make two different passwords equal.
    #[error("Password cannot contain a NUL character")]
    Nul,
    /// Every rule the password breaks.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))]
    Weak(Vec<Weakness>),
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Weakness {
    #[error("Password should be at least {0} characters.")]
    TooShort(usize),
    #[error("Password should contain at least one character of each: {}.", .0.0.join(", "))]
    Missing(RequiredCharacters),
    #[error("Password is known to be weak and easy to guess, please choose a different one.")]
    Common,
}

impl Weakness {
    /// The reason as the API names it.
    pub fn reason(&self) -> &'static str {
        match self {
            Self::TooShort(_) => "length",
            Self::Missing(_) => "characters",
            Self::Common => "pwned",
        }
    }
}

impl PasswordRules {
    /// # Errors
    /// Fails when the password breaks a rule; the error names all of them.
    pub fn check(&self, text: &str) -> Result<Password, PasswordError> {
        let password = Password::acceptable(text)?;
        let mut broken = Vec::new();
        if text.chars().count() < self.min_characters {
            broken.push(Weakness::TooShort(self.min_characters));
        }
        if !self.required.are_in(text) {
            broken.push(Weakness::Missing(self.required.clone()));
        }
        if self.common.contain(text) {
            broken.push(Weakness::Common);
        }
        if broken.is_empty() { Ok(password) } else { Err(PasswordError::Weak(broken)) }
    }
}

/// A password that may be hashed. `Debug` prints `…`.
#[derive(Debug, Clone)]
pub struct Password(Secret);

impl Password {
    /// Accepts any password within the length limit: administrators may set one that breaks the rules, and a
    /// sign-in may try one.
    ///
    /// # Errors
    /// Fails when the text is longer than any password can be, or contains a NUL.
    pub fn acceptable(text: &str) -> Result<Self, PasswordError> {
        if text.len() > MAX_BYTES {
            Err(PasswordError::TooLong)
        } else if text.contains('\0') {
            Err(PasswordError::Nul)
        } else {
            Ok(Self(Secret::new(text)))
        }
    }

    /// A random password for accounts created without one.
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
        PasswordRules {
            min_characters: 6,
            required: RequiredCharacters::default(),
            common: CommonPasswords::parse("123456\r\nqwerty\n\nSunshine\n"),
        }
    }

    fn weak<const N: usize>(broken: [Weakness; N]) -> PasswordError {
        PasswordError::Weak(broken.into())
    }

    #[test]
    fn passwords_need_six_characters() {
        assert!(rules().check("123457").is_ok());
        assert_eq!(rules().check("12345").unwrap_err(), weak([Weakness::TooShort(6)]));
        assert!(rules().check("éééééé").is_ok());
        assert_eq!(rules().check("ééé").unwrap_err(), weak([Weakness::TooShort(6)]));
    }

    #[test]
    fn passwords_have_at_most_72_bytes() {
        assert!(rules().check(&"x".repeat(72)).is_ok());
        assert_eq!(rules().check(&"x".repeat(73)).unwrap_err(), PasswordError::TooLong);
    }

    #[test]
    fn a_nul_is_rejected_at_any_position() {
        for text in ["\0secret", "sec\0ret", "secret\0", "\0\0\0\0\0\0"] {
            assert_eq!(rules().check(text).unwrap_err(), PasswordError::Nul, "{text:?}");
        }
    }

    #[test]
    fn debug_output_hides_the_password() {
        assert!(!format!("{:?}", rules().check("hunter42").unwrap()).contains("hunter"));
    }

    #[test]
    fn common_passwords_are_rejected_in_any_case() {
        for common in ["123456", "qwerty", "QWERTY", "sunshine"] {
            assert_eq!(rules().check(common).unwrap_err(), weak([Weakness::Common]), "{common}");
        }
        for rare in ["qwertyy", "123456 ", "      "] {
            assert!(rules().check(rare).is_ok(), "{rare:?}");
        }
        assert!(PasswordRules { min_characters: 6, ..PasswordRules::default() }.check("123456").is_ok());
    }

    #[test]
    fn colons_separate_sets_and_can_be_escaped() {
        let sets = |text| RequiredCharacters::parse(text).0;
        assert_eq!(sets("abc:123"), ["abc", "123"]);
        assert_eq!(sets("abc:!\\:?:\\n:"), ["abc", "!:?", "\\n"]);
        assert_eq!(sets("abc\\"), ["abc\\"]);
        assert_eq!(sets("::"), Vec::<String>::new());
    }

    #[test]
    fn one_character_of_each_set_is_required() {
        let required = RequiredCharacters::parse("abc:123:é\\:");
        let rules = PasswordRules { required: required.clone(), ..rules() };
        for good in ["a1:zzzz", "zzzzé2c"] {
            assert!(rules.check(good).is_ok(), "{good}");
        }
        for missing in ["a1zzzz", "a:zzzz", "1:zzzz", "A1:ZZZ"] {
            let refusal = rules.check(missing).unwrap_err();
            assert_eq!(refusal, weak([Weakness::Missing(required.clone())]), "{missing}");
        }
    }

    #[test]
    fn all_broken_rules_are_reported_together() {
        let required = RequiredCharacters::parse("abc:123");
        let common = CommonPasswords::parse("zzz");
        let refusal = PasswordRules { min_characters: 6, required, common }.check("zzz").unwrap_err();
        let message = "Password should be at least 6 characters. \
                       Password should contain at least one character of each: abc, 123. \
                       Password is known to be weak and easy to guess, please choose a different one.";
        assert_eq!(refusal.to_string(), message);
        let PasswordError::Weak(broken) = refusal else { panic!("{refusal}") };
        assert_eq!(
            broken.iter().map(Weakness::reason).collect::<Vec<_>>(),
            ["length", "characters", "pwned"]
        );
    }
}
