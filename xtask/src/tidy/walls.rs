//! The backend knows nothing of the marketplace that it carries.

const BACKEND: [&str; 6] = ["auth-service", "mail", "platform", "rest-gateway", "serasi", "storage-service"];
const WORDS: [&str; 7] = ["influencer", "agency", "agencies", "vendor", "gig", "enquiry", "enquiries"];

/// One line for each line of the backend's code, tests aside, that has one of the marketplace's words.
pub fn words_of_the_marketplace(file: &str, text: &str) -> Vec<String> {
    let Some((room, path)) = file.split_once("/src/") else { return Vec::new() };
    if !BACKEND.contains(&room) || path.ends_with("tests.rs") || path.contains("tests/") {
        return Vec::new();
    }
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let found = code.lines().enumerate().filter_map(|(number, line)| Some((number + 1, word(line)?)));
    found.map(|(line, word)| format!("{file}:{line}: `{word}` belongs to the marketplace")).collect()
}

/// In any case and in the plural, but not as the beginning of another word, such as `gigabytes`.
fn word(line: &str) -> Option<&'static str> {
    let line = line.to_lowercase();
    let mut words = line.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.find_map(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        WORDS.into_iter().find(|known| [word, singular].contains(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_marketplace_are_found_in_any_form() {
        let text = "/// Agencies\nlet gigs_of_vendor = 1;\nlet gigabytes = 2;\n#[cfg(test)]\nmod tests {\n// gigs\n}";
        let expected = [
            "mail/src/a.rs:1: `agencies` belongs to the marketplace",
            "mail/src/a.rs:2: `gig` belongs to the marketplace",
        ];
        assert_eq!(words_of_the_marketplace("mail/src/a.rs", text), expected);
        assert_eq!(words_of_the_marketplace("site/src/a.rs", text).len(), 0);
        assert_eq!(words_of_the_marketplace("mail/src/a/tests.rs", text).len(), 0);
        assert_eq!(words_of_the_marketplace("mail/tests/it/main.rs", text).len(), 0);
    }
}
