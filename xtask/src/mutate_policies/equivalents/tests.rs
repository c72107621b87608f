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

#[test]
fn every_entry_has_a_reason() {
    assert!(EQUIVALENT.iter().all(|(_, reason)| reason.len() > 30));
}
