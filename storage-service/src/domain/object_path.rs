//! Object keys. They never reach a file system, because blobs are named by version. Keys that traverse
//! directories or hide would still mislead policies, proxies and people, so they are rejected here.

const MAX_BYTES: usize = 1024;
const MAX_SEGMENT_BYTES: usize = 255;

/// Marks an empty folder. Always empty, and exempt from the MIME type check.
const FOLDER_MARKER: &str = ".emptyFolderPlaceholder";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectPath(String);

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidPath {
    #[error("Invalid key: {0}")]
    Refused(String),
    #[error("Invalid key: {0} contains dot path segment")]
    DotSegment(String),
}

pub(super) fn allowed_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_/!-.*'() &$@=;:+,?".contains(character)
}

impl ObjectPath {
    /// Expects the key after one round of percent-decoding. It is never decoded again.
    ///
    /// # Errors
    /// Fails when the key is empty, too long, starts or ends with `/`, has a `.` or `..` segment, or a
    /// character outside the allowed set.
    pub fn parse(key: &str) -> Result<Self, InvalidPath> {
        let refused = || InvalidPath::Refused(shown(key));
        if key.is_empty() || key.len() > MAX_BYTES || !key.chars().all(allowed_character) {
            return Err(refused());
        }
        if key.starts_with('/') || key.ends_with('/') {
            return Err(refused());
        }
        if key.split('/').any(|segment| matches!(segment, "." | "..")) {
            return Err(InvalidPath::DotSegment(shown(key)));
        }
        if key.split('/').any(|segment| segment.len() > MAX_SEGMENT_BYTES) {
            return Err(refused());
        }
        Ok(Self(key.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_folder_marker(&self) -> bool {
        self.0.rsplit('/').next() == Some(FOLDER_MARKER)
    }

    /// `a//b` is a distinct key in generic buckets; image buckets reject it.
    pub fn has_empty_segment(&self) -> bool {
        self.0.split('/').any(str::is_empty)
    }
}

/// The key for an error message: without control characters and truncated.
fn shown(key: &str) -> String {
    key.chars()
        .take(200)
        .map(|character| if character.is_control() { '\u{fffd}' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ordinary_keys_are_kept_as_they_are() {
        for key in
            ["a.png", "9b2f/cover-1.jpg", "a b/(1) & c!.png", "file..name.jpg", ".../x", "a//b", "a?b=c"]
        {
            assert_eq!(ObjectPath::parse(key).unwrap().as_str(), key);
        }
    }

    #[test]
    fn dot_segments_have_their_own_error() {
        for key in ["../x", "a/../../x", "a/./b", ".", "..", "a/.."] {
            let error = ObjectPath::parse(key).unwrap_err();
            assert!(error.to_string().ends_with("contains dot path segment"), "{key}: {error}");
        }
    }

    #[test]
    fn disallowed_characters_and_shapes_are_rejected() {
        let (long, wide) = ("a/".repeat(512) + "b", "x".repeat(256));
        for key in [
            "",
            "/etc/passwd",
            "a/",
            "....//",
            "C:\\x",
            "\\\\host\\share",
            "..\\x",
            "%2e%2e",
            "é.png",
            "a#b",
            "a~b",
            "a\0b",
            "a\r\nb",
            "a\u{7f}",
            "a\u{202e}b",
            &long,
            &wide,
        ] {
            assert!(matches!(ObjectPath::parse(key), Err(InvalidPath::Refused(_))), "{key:?}");
        }
    }

    #[test]
    fn the_folder_marker_is_recognized_by_its_last_segment() {
        assert!(ObjectPath::parse("a/.emptyFolderPlaceholder").unwrap().is_folder_marker());
        assert!(!ObjectPath::parse("a.emptyFolderPlaceholder").unwrap().is_folder_marker());
    }

    proptest! {
        #[test]
        fn accepted_keys_never_traverse_directories(key in "[a-z./\\\\%2 ]{0,40}") {
            if let Ok(path) = ObjectPath::parse(&key) {
                let climbs = path.as_str().split('/').any(|segment| segment == ".." || segment == ".");
                prop_assert!(!climbs && !path.as_str().contains('\\') && !path.as_str().contains('%'));
            }
        }
    }
}
