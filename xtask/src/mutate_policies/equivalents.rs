//! Mutants that change nothing anybody could notice, with the reason. One of them that a test kills after
//! all, or that no longer exists, is reported: the list stays as short as it can be.

/// Name (`*` stands for anything), and why no test can tell it from the original.
pub(super) const EQUIVALENT: [(&str, &str); 0] = [];

pub(super) fn reason(name: &str) -> Option<&'static str> {
    EQUIVALENT.iter().find(|(pattern, _)| matches(pattern, name)).map(|(_, reason)| *reason)
}

pub(super) fn matches(pattern: &str, name: &str) -> bool {
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
    fn stars_stand_for_anything() {
        assert!(matches("policy * on app.gigs: *", "policy \"mine\" on app.gigs: dropped"));
        assert!(matches("*gigs*", "app.gigs"));
        assert!(matches("a", "a"));
        assert!(!matches("a", "ab"));
        assert!(!matches("a*b", "abc"));
        assert!(!matches("ab*ba", "aba"));
    }

    #[test]
    fn every_reason_is_given() {
        assert!(EQUIVALENT.iter().all(|(_, reason)| reason.len() > 30));
    }
}
