//! Which functions, views, triggers and policies an SQL file creates, read from its `create` statements: `function app.f`,
//! `policy admins delete on app.gigs`. A test compares the result with the catalog of a migrated database.

use std::collections::BTreeSet;

const KINDS: [&str; 4] = ["function", "view", "trigger", "policy"];

/// The table or view that a statement about this object locks.
pub(crate) fn relation(object: &str) -> Option<&str> {
    match object.split_once(' ')? {
        ("function", _) => None,
        ("view", name) => Some(name),
        (_, name) => name.rsplit(" on ").next(),
    }
}

/// A statement begins a line. What functions and strings contain is indented.
pub(crate) fn created_by(sql: &str) -> BTreeSet<String> {
    let creates = sql.match_indices("create ");
    let statements = creates.filter(|(begin, _)| *begin == 0 || sql[..*begin].ends_with('\n'));
    statements.filter_map(|(begin, create)| created(&sql[begin + create.len()..])).collect()
}

fn created(rest: &str) -> Option<String> {
    let rest = rest.strip_prefix("or replace ").unwrap_or(rest);
    let (kind, rest) = rest.split_once(' ')?;
    let (name, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => rest.split_at(rest.find(|end: char| end.is_whitespace() || end == '(').unwrap_or(rest.len())),
    };
    // `pg_temp` has a step's own helpers.
    if !KINDS.contains(&kind) || name.starts_with("pg_temp.") {
        return None;
    }
    if matches!(kind, "function" | "view") {
        return Some(format!("{kind} {name}"));
    }
    let on = rest.split_whitespace().skip_while(|word| *word != "on").nth(1)?;
    Some(format!("{kind} {name} on {on}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<String> {
        created_by(sql).into_iter().collect()
    }

    #[test]
    fn statements_name_what_they_create() {
        let sql = "-- create view public.comment as\n\
            create or replace function app.f(a text default ';', b int) returns text\nlanguage sql as $$ create view x as select 1; $$;\n\
            create view public.v with (security_invoker = true) as select 1;\n\
            create or replace trigger t\n  after update of a, b on app.x for each row execute function app.f();\n\
            create policy \"people read; admins the staff's\" on app.x for select to anon using (true);\n\
            create index i on app.x (a); create table app.x (a text);";
        assert_eq!(
            names(sql),
            [
                "function app.f",
                "policy people read; admins the staff's on app.x",
                "trigger t on app.x",
                "view public.v"
            ]
        );
    }

    #[test]
    fn the_helpers_of_a_step_are_not_objects() {
        assert_eq!(
            names("create function pg_temp.f() as $$ select 1 $$;\ncreate view a.b as select 1"),
            ["view a.b"]
        );
    }
}
