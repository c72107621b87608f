//! Blob names.

use uuid::Uuid;

/// The name of one blob. Always generated, never derived from user input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version(Uuid);

impl Version {
    /// A new, unique version.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// `None` for text that is not a version.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::parse_str(text).ok().map(Self)
    }

    /// Like [`Version::parse`], but accepts only the spelling used for blob names.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::parse(name).filter(|version| version.to_string() == name)
    }

    pub fn first_byte(self) -> u8 {
        self.0.as_bytes()[0]
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}
