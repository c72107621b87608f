//! The columns `folder_key` and `sort_key` of `storage.objects` (db/backend/06_storage.sql), which sort
//! case-insensitively.

/// A separator that sorts below all characters of a key.
const LOW: char = '\x01';

/// The folder of a key, up to and including its last slash, and the rest of the key.
pub(super) fn split(key: &str) -> (&str, &str) {
    key.split_at(key.rfind('/').map_or(0, |slash| slash + 1))
}

/// The key of a folder that ends with a slash, or of the root.
pub(super) fn folder_key(folder: &str) -> String {
    let parts = folder.split_terminator('/');
    parts.map(|part| format!("{}{LOW}{part}/", part.to_ascii_lowercase())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_sort_without_regard_to_case() {
        assert_eq!(folder_key(""), "");
        assert_eq!(folder_key("Ab/c/"), "ab\x01Ab/c\x01c/");
        assert_eq!(folder_key("a//"), "a\x01a/\x01/");
        let mut keys = ["b/", "ab/", "B/", "a/c/", "a/"].map(folder_key);
        keys.sort();
        assert_eq!(keys, ["a/", "a/c/", "ab/", "B/", "b/"].map(folder_key));
    }

    #[test]
    fn a_key_is_split_after_its_last_slash() {
        assert_eq!(split("a/b/c"), ("a/b/", "c"));
        assert_eq!((split("c"), split("a/"), split("")), (("", "c"), ("a/", ""), ("", "")));
    }
}
