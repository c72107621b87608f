//! Mutants that no test can distinguish from the original, with the reason. The report lists entries that a test kills
//! after all, or that no mutant has, so that the list stays short.

/// Names of mutants; `*` matches anything.
const EQUIVALENT: &[(&str, &str)] = &[
    (
        "constraint collaborations_reason_required on app.collaborations: without (state <> 'cancelled'*",
        "Only a cancelled collaboration has a value in cancelled_by. Without one the check is null.",
    ),
    (
        "constraint vendors_type_max_50 on app.vendors: dropped",
        "All types that vendors_type_known allows are shorter.",
    ),
    (
        "function app.review_as_guest(*): without perform app.refuse_if(app.complete_side(*",
        "app.prepare_review() refuses the review with the same message.",
    ),
    (
        "function app.prepare_review(): without perform app.refuse_if(not exists (select from app.profiles*",
        "It applies if the account is deleted at the same time; `db/tests/it/reviews.rs` runs two transactions.",
    ),
];

pub fn reason(name: &str) -> Option<&'static str> {
    EQUIVALENT.iter().find(|(pattern, _)| matches(pattern, name)).map(|(_, reason)| *reason)
}

pub fn patterns() -> impl Iterator<Item = &'static str> {
    EQUIVALENT.iter().map(|(pattern, _)| *pattern)
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
    fn stars_match_anything() {
        assert!(matches("policy * on app.gigs: *", "policy \"mine\" on app.gigs: dropped"));
        assert!(matches("*gigs*", "app.gigs"));
        assert!(matches("a", "a"));
        assert!(!matches("a", "ab"));
        assert!(!matches("a*b", "abc"));
        assert!(!matches("ab*ba", "aba"));
    }
}
