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

/// A statement begins a line. What functions and strings contain is indented.
pub(crate) fn created_by(sql: &str) -> BTreeSet<Object> {
    let creates = sql.match_indices("create ");
    let statements = creates.filter(|(begin, _)| *begin == 0 || sql[..*begin].ends_with('\n'));
    statements.filter_map(|(begin, create)| created(&sql[begin + create.len()..])).collect()
}

fn created(rest: &str) -> Option<Object> {
    let rest = rest.strip_prefix("or replace ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    let kind = Kind::from_keyword(keyword)?;
    let (name, rest) = match rest.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?,
        None => rest.split_at(rest.find(|end: char| end.is_whitespace() || end == '(').unwrap_or(rest.len())),
    };
    // A step's own helper.
    if name.starts_with("pg_temp.") {
        return None;
    }
    let on = match kind {
        Kind::Function | Kind::View => "",
        Kind::Trigger | Kind::Policy => rest.split_whitespace().skip_while(|word| *word != "on").nth(1)?,
    };
    Some(Object { kind, name: name.into(), on: on.into() })
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
            names("create function pg_temp.f() as $$ select 1 $$;\ncreate view a.b as select 1"),
            ["view a.b"]
        );
    }
}
