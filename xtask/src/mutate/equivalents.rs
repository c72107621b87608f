//! Mutants that no test can distinguish from the original: the table in docs/policy-mutation.md. The report lists rows that a
//! test kills after all, or that no mutant has, so that the table stays short.

const PAGE: &str = include_str!("../../../docs/policy-mutation.md");

/// The rows `| `name` | reason |`; `*` in a name matches anything.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |")?.split_once("` | "))
}

pub fn reason(name: &str) -> Option<&'static str> {
    rows().find(|(pattern, _)| matches(pattern, name)).map(|(_, reason)| reason)
}

pub fn patterns() -> impl Iterator<Item = &'static str> {
    rows().map(|(pattern, _)| pattern)
}

pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_lists_equivalents_with_reasons() {
        assert!(rows().count() > 2);
        assert!(reason("constraint vendors_type_max_50 on app.vendors: dropped").is_some());
        assert!(reason("policy mine on app.gigs: dropped").is_none());
    }

    #[test]
    fn stars_match_anything() {
        assert!(matches("policy * on app.gigs: *", "policy \"mine\" on app.gigs: dropped"));
        assert!(matches("*gigs*", "app.gigs"));
        assert!(matches("a", "a"));
        assert!(!matches("a", "ab"));
        assert!(!matches("a*b", "abc"));
        assert!(!matches("ab*ba", "aba"));
    }
}
