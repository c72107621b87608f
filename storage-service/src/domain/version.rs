//! Names of blobs.

use uuid::Uuid;

/// Names one blob. Made by us, never from a user's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Version(Uuid);

impl Version {
    /// One that nobody has.
    pub fn random() -> Self {
        Self(Uuid::new_v4())
    }

    /// `None` for text that is no version of ours.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::parse_str(text).ok().map(Self)
    }

    /// As [`Version::parse`], only in the spelling that blobs are named by.
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
