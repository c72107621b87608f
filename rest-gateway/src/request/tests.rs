//! Tests of the query string parser and its error messages.

use super::scanner::{Parsed, Scanner, read};
use super::{field, filters, order, select};

fn problem<T: std::fmt::Debug>(text: &str, parser: impl Fn(&mut Scanner) -> Parsed<T>) -> (usize, String) {
    let error = read("text", text, parser).unwrap_err();
    let column = error.message.rsplit(' ').next().unwrap().trim_end_matches(')');
    (column.parse().unwrap(), error.details.as_str().unwrap().to_owned())
}

#[test]
fn errors_state_what_was_expected_and_where() {
    let next = r#"expecting digit, "->", "::", ".", "," or end of input"#;
    assert_eq!(problem("data->>-78xy", select::items).1, format!("unexpected 'x' {next}"));
    assert_eq!(
        problem("id.descc", order::terms),
        (8, "unexpected 'c' expecting delimiter (.), \",\" or end of input".into())
    );
    assert_eq!(
        problem("id.nulsfist", order::terms),
        (4, "unexpected \"n\" expecting \"asc\", \"desc\", \"nullsfirst\" or \"nullslast\"".into())
    );
    assert_eq!(
        problem("or(id.eq.1,not.xor(id.eq.2))", filters::logic_tree),
        (16, "unexpected \"x\" expecting logic operator (and, or)".into())
    );
    assert_eq!(problem("or)(", filters::logic_tree), (3, "unexpected \")\" expecting \"(\"".into()));
    assert_eq!(
        problem("is().value", filters::condition),
        (3, "unexpected \"(\" expecting operator (eq, gt, ...)".into())
    );
    assert_eq!(
        problem(":", field::name),
        (1, "unexpected \":\" expecting field name (* or [a..z0..9_$])".into())
    );
}

#[test]
fn names_are_plain_dashed_or_quoted() {
    let name = |text| read("name", text, field::name);
    assert_eq!(name("identifier with spaces ").unwrap(), "identifier with spaces");
    assert_eq!(name("identifier-with-dashes").unwrap(), "identifier-with-dashes");
    assert_eq!(name(r#"" \"quoted\" ""#).unwrap(), " \"quoted\" ");
    assert_eq!(name("data->x").unwrap(), "data");
}

#[test]
fn a_failed_attempt_consumes_nothing() {
    let parsed = read("text", "abd", |s| {
        s.first_of(&[&|s| s.attempt(|s| s.string("abc")).map(|()| "abc"), &|s| {
            s.string("abd").map(|()| "abd")
        }])
    });
    assert_eq!(parsed.unwrap(), "abd");
    let parsed = read("text", "abd", |s| s.first_of(&[&|s| s.string("abc"), &|s| s.string("abd")]));
    assert_eq!(parsed.unwrap_err().details, "unexpected \"d\" expecting \"abc\"");
}
