//! Validates bucket names.

use super::object_path::allowed_character;

const MAX_CHARACTERS: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BucketName(String);

impl BucketName {
    /// `None` when the name is empty, too long, surrounded by whitespace, a dot segment, or has a disallowed
    /// character.
    pub fn parse(text: &str) -> Option<Self> {
        let sound = !text.is_empty()
            && text.len() <= MAX_CHARACTERS
            && text.trim() == text
            && !matches!(text, "." | "..")
            && text.chars().all(|character| character != '/' && allowed_character(character));
        sound.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_names_are_kept() {
        for name in ["images", "my bucket", "a.b-c_d", "x"] {
            assert_eq!(BucketName::parse(name).unwrap().as_str(), name);
        }
    }

    #[test]
    fn misleading_names_are_rejected() {
        let long = "x".repeat(101);
        for name in ["", " ", " a", "a ", "a/b", "..", ".", "a\\b", "é", "a%2fb", "a\0", &long] {
            assert_eq!(BucketName::parse(name), None, "{name:?}");
        }
    }
}
