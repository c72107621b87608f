//! Which functions, views, triggers and policies an SQL file creates, read from its `create` statements. A test
//! compares the result with the catalog of a migrated database.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Function,
    View,
    Trigger,
    Policy,
}

impl Kind {
    pub(crate) fn from_keyword(keyword: &str) -> Option<Self> {
        match keyword {
            "function" => Some(Self::Function),
            "view" => Some(Self::View),
            "trigger" => Some(Self::Trigger),
            "policy" => Some(Self::Policy),
            _ => None,
        }
    }

    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::View => "view",
            Self::Trigger => "trigger",
            Self::Policy => "policy",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Object {
    pub kind: Kind,
    /// The name with its schema; for functions, without parameters.
    pub name: String,
    /// The table or view of a trigger or policy. Empty for the others.
    pub on: String,
}

impl Object {
    /// The table or view that a statement about this object locks.
    pub(crate) fn relation(&self) -> Option<&str> {
        match self.kind {
            Kind::Function => None,
            Kind::View => Some(&self.name),
            Kind::Trigger | Kind::Policy => Some(&self.on),
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind.keyword(), self.name)?;
        if self.on.is_empty() { Ok(()) } else { write!(f, " on {}", self.on) }
    }
}

pub(crate) fn created_by(sql: &str) -> BTreeSet<Object> {
    statements(sql).iter().filter_map(|statement| created(statement)).collect()
}

fn created(statement: &str) -> Option<Object> {
    let rest = statement.trim().strip_prefix("create ")?;
    let rest = rest.strip_prefix("or replace ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    let kind = Kind::from_keyword(keyword)?;
    let (name, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => rest.split_at(rest.find([' ', '(']).unwrap_or(rest.len())),
    };
    // A step's own helper.
    if name.starts_with("pg_temp.") {
        return None;
    }
    let on = match kind {
        Kind::Function | Kind::View => "",
        Kind::Trigger | Kind::Policy => rest.split_once(" on ")?.1.split(' ').next()?,
    };
    Some(Object { kind, name: name.into(), on: on.into() })
}

/// The statements without comments, strings and function bodies, and with single spaces.
fn statements(sql: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    let mut rest = sql;
    while let Some(next) = rest.chars().next() {
        let skipped = skip(rest);
        if skipped > 0 {
            rest = &rest[skipped..];
            continue;
        }
        if next == '"' {
            // A name may contain quotes and semicolons.
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            if let Some(statement) = statements.last_mut() {
                statement.push_str(&rest[..end]);
            }
            rest = &rest[end..];
            continue;
        }
        rest = &rest[next.len_utf8()..];
        match (next, statements.last_mut()) {
            (';', _) => statements.push(String::new()),
            (_, Some(statement)) if next.is_whitespace() => {
                if !statement.ends_with(' ') {
                    statement.push(' ');
                }
            }
            (_, Some(statement)) => statement.push(next),
            (_, None) => (),
        }
    }
    statements
}

/// The length of the comment, string or dollar-quoted body at the beginning of `sql`; 0 when there is none.
fn skip(sql: &str) -> usize {
    let until = |opening: &str, closing: &str| {
        let inside = &sql[opening.len()..];
        inside.find(closing).map_or(sql.len(), |end| opening.len() + end + closing.len())
    };
    if sql.starts_with("--") {
        // The line break is kept, because it separates words.
        return sql.find('\n').unwrap_or(sql.len());
    }
    if sql.starts_with('\'') {
        return until("'", "'");
    }
    if sql.starts_with("$$") {
        return until("$$", "$$");
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sql: &str) -> Vec<String> {
        created_by(sql).iter().map(ToString::to_string).collect()
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
                "view public.v",
                "trigger t on app.x",
                "policy people read; admins the staff's on app.x"
            ]
        );
    }

    #[test]
    fn the_helpers_of_a_step_are_not_objects() {
        assert_eq!(
            names("create function pg_temp.f() as $$ select 1 $$; create view a.b as select 1"),
            ["view a.b"]
        );
    }

    #[test]
    fn an_unfinished_string_or_body_ends_with_the_file() {
        assert_eq!(names("create view a.b as select 'x"), ["view a.b"]);
        assert_eq!(names("create function a.f() as $$ select 1"), ["function a.f"]);
    }
}
