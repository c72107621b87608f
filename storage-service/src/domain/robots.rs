//! `X-Robots-Tag`: what search engines may do with an object. Only known directives are accepted.

const FLAGS: &str =
    "all none noindex nofollow noarchive nosnippet indexifembedded notranslate noimageindex nocache";
const WITH_VALUE: [&str; 4] = ["unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"];

/// Directives separated by commas, each optionally prefixed with a search engine and a colon.
pub fn is_valid(text: &str) -> bool {
    // A date after `unavailable_after:` may contain a comma, so the part after it belongs to the date.
    let mut dated = false;
    text.split(',').all(|part| {
        let part = part.trim().to_ascii_lowercase();
        let known = is_directive(&part)
            || part
                .split_once(':')
                .is_some_and(|(engine, rest)| is_engine(engine.trim()) && is_directive(rest.trim()));
        let continues = dated && !part.is_empty();
        dated = part.contains("unavailable_after");
        known || continues
    })
}

fn is_directive(part: &str) -> bool {
    match part.split_once(':') {
        Some((name, value)) => WITH_VALUE.contains(&name.trim()) && !value.trim().is_empty(),
        None => FLAGS.split(' ').any(|flag| flag == part),
    }
}

fn is_engine(name: &str) -> bool {
    !name.is_empty()
        && !WITH_VALUE.contains(&name)
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn known_directives_are_valid() {
        for text in [
            "all",
            "noindex, NOFOLLOW",
            "googlebot: noindex",
            "max-snippet: 20, max-image-preview:large",
            "unavailable_after: 25 Jun 2030 15:00:00 PST",
            "unavailable_after: Wed, 25 Jun 2030 15:00:00 GMT",
        ] {
            assert!(is_valid(text), "{text}");
        }
    }

    #[test]
    fn other_text_is_invalid() {
        for text in ["", "index please", "noindex,", "x", "max-snippet:", "<script>", "a b: noindex"] {
            assert!(!is_valid(text), "{text}");
        }
    }
}
