use super::*;

fn left(text: &str) -> Vec<String> {
    without_each_term(text).into_iter().map(|weakened| weakened.text).collect()
}

#[test]
fn every_term_is_removed_once() {
    assert_eq!(left("a OR (b = 1) OR c"), ["(b = 1) OR c", "a OR c", "a OR (b = 1)"]);
    assert_eq!(left("approved"), Vec::<String>::new());
    assert_eq!(without_each_term("a and not b")[1].without, "not b");
}

#[test]
fn nested_terms_are_removed_too() {
    assert_eq!(left("(x AND (y OR z))"), ["(x AND (z))", "(x AND (y))", "((y OR z))", "(x)"]);
}

#[test]
fn a_lone_condition_becomes_true() {
    assert_eq!(
        left("(EXISTS ( SELECT FROM t WHERE (t.id = u.id)))"),
        ["(EXISTS ( SELECT FROM t WHERE true))"]
    );
}

#[test]
fn words_that_are_not_connectives_are_ignored() {
    assert_eq!(left("a between 1 and 2"), Vec::<String>::new());
    assert_eq!(left("a between 1 and 2 and b"), ["b", "a between 1 and 2"]);
    assert_eq!(left("a = 'x and y' or \"or\" = 1"), ["\"or\" = 1", "a = 'x and y'"]);
    assert_eq!(left("new.a is distinct from old.a and b"), ["b", "new.a is distinct from old.a"]);
    assert_eq!(left("-- this and that\na"), Vec::<String>::new());
    assert_eq!(left("select $$a and b$$"), Vec::<String>::new());
}

#[test]
fn and_is_removed_with_its_term() {
    assert_eq!(left("a or b and c"), ["b and c", "a or c", "a or b"]);
}

#[test]
fn conditions_end_at_keywords() {
    assert_eq!(
        left("if a and b then x := 1; end if"),
        ["if b then x := 1; end if", "if a then x := 1; end if"]
    );
    assert_eq!(
        left("select 1 from t where a and b limit 1"),
        ["select 1 from t where b limit 1", "select 1 from t where a limit 1"]
    );
}

#[test]
fn whole_statements_are_replaced() {
    let body =
        "begin if x then raise exception 'a; b' using errcode = '1'; end if; perform f(1); return new; end";
    let texts: Vec<_> = without_each_statement(body, &["raise", "perform"])
        .into_iter()
        .map(|weakened| weakened.text)
        .collect();
    assert_eq!(
        texts,
        [
            "begin if x then null; end if; perform f(1); return new; end",
            "begin if x then raise exception 'a; b' using errcode = '1'; end if; null; return new; end",
        ]
    );
}
