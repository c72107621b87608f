//! Imports the schema `public` of a project under another name, if Serasi has tables with the same names.

use std::fmt::Write;

use anyhow::ensure;

use super::classify::{Action, Form};
use super::schemas::{Origin, Place};
use super::tokens::{Kind, Name, Reader, Token, quoted};

const PUBLIC: &str = "public";
/// PostgreSQL's limit for names, in bytes.
const LONGEST: usize = 63;
/// How many levels of nested function bodies are renamed. Functions that create functions need two.
const DEPTH: u8 = 8;

/// The new name of `public`.
#[derive(Clone, Debug)]
pub struct Rename(String);

impl Rename {
    /// # Errors
    /// When the name would need quotes, or is the name of a schema of the platform or of Serasi.
    pub fn to(name: &str) -> anyhow::Result<Self> {
        let mut letters = name.bytes();
        let is_plain = letters.next().is_some_and(|first| first.is_ascii_lowercase())
            && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_')
            && name.len() <= LONGEST;
        ensure!(
            is_plain,
            "--schema takes a name of lower-case letters, digits and underscores, not {name:?}"
        );
        ensure!(
            name != PUBLIC && Origin::Supabase.place(name) == Place::Own,
            "--schema can't be {name}: choose another name"
        );
        Ok(Self(name.to_owned()))
    }

    pub fn name(&self) -> &str {
        &self.0
    }

    pub fn of(&self, name: Name) -> Name {
        if name.schema == PUBLIC { Name { schema: self.0.clone(), ..name } } else { name }
    }

    /// Renames `public` in a statement and its action, but not in the values of rows.
    pub fn apply(&self, sql: &str, action: Action) -> (String, Action) {
        match action {
            Action::Rows(mut rows) => {
                let name = self.statement(&sql[..rows.rest]);
                let values = &sql[rows.rest..];
                rows.rest = name.len();
                rows.table = self.of(rows.table);
                let values =
                    if matches!(rows.form, Form::Insert(_)) { values } else { &self.statement(values) };
                (format!("{name}{values}"), Action::Rows(rows))
            }
            Action::Run { creates } => {
                (self.statement(sql), Action::Run { creates: creates.map(|name| self.of(name)) })
            }
            Action::Secure(name) => (self.statement(sql), Action::Secure(self.of(name))),
            Action::Force(name) => (self.statement(sql), Action::Force(self.of(name))),
            Action::OnOurTable { kind, name, table, function } => {
                let function = function.map(|name| self.of(name));
                (self.statement(sql), Action::OnOurTable { kind, name, table, function })
            }
            action => (self.statement(sql), action),
        }
    }

    /// Renames qualifiers (`public.x`), including those in function bodies, and names of relations in strings
    /// (`'public.x'::regclass`, `setval('public.x', …)`, `search_path to 'public'`).
    fn statement(&self, sql: &str) -> String {
        self.nested(sql, DEPTH)
    }

    fn nested(&self, sql: &str, depth: u8) -> String {
        let sets_sequence = sql.contains("setval");
        let mut reader = Reader::new(sql);
        let (mut renamed, mut copied) = (String::with_capacity(sql.len()), 0);
        let mut in_path = false;
        let mut before: Option<Token<'_>> = None;
        while let Some(token) = reader.token() {
            let ends_path = ["as", "language", "begin", "security", ";"].iter().any(|word| token.is(word));
            in_path = token.is("search_path") || in_path && !ends_path;
            let mut ahead = reader.clone();
            let qualifies = is_public(token)
                && (ahead.words(".") || in_path)
                && !before.is_some_and(|before| before.is("."));
            let new = match token.kind {
                Kind::Word | Kind::Quoted if qualifies => Some(quoted(&self.0)),
                Kind::Text if token.text.starts_with('$') => self.body(token.text, depth),
                Kind::Text if in_path && token.text == "'public'" => Some(format!("'{}'", self.0)),
                Kind::Text
                    if ahead.words(": : regclass")
                        || before.is_some_and(|before| before.is("(")) && sets_sequence =>
                {
                    self.relation(token.text)
                }
                _ => None,
            };
            if let Some(new) = new {
                let _ = write!(renamed, "{}{new}", &sql[copied..token.start]);
                copied = token.end();
            }
            before = Some(token);
        }
        renamed.push_str(&sql[copied..]);
        renamed
    }

    /// Renames within a dollar-quoted string. Takes and returns it with its quotes.
    fn body(&self, text: &str, depth: u8) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let tag = text[1..].find('$')? + 2;
        let (tag, rest) = text.split_at(tag);
        let inside = rest.strip_suffix(tag)?;
        Some(format!("{tag}{}{tag}", self.nested(inside, depth)))
    }

    /// Renames a relation in a string. Takes and returns it with its quotes.
    fn relation(&self, text: &str) -> Option<String> {
        let inside = text.strip_prefix('\'')?.strip_suffix('\'')?;
        let rest = inside.strip_prefix("public.").or_else(|| inside.strip_prefix("\"public\"."))?;
        Some(format!("'{}.{rest}'", self.0))
    }
}

fn is_public(token: Token<'_>) -> bool {
    match token.kind {
        Kind::Text => token.text == "'public'",
        _ => token.name().is_some_and(|name| name == PUBLIC),
    }
}

#[cfg(test)]
mod tests {
    use super::super::classify::classify;
    use super::*;

    #[test]
    fn names_are_replaced_and_values_are_not() {
        let rename = Rename::to("shop").unwrap();
        for (before, after) in [
            (
                "CREATE TABLE public.a (id bigint DEFAULT nextval('public.a_seq'::regclass), b public.mood DEFAULT 'public'::public.mood)",
                "CREATE TABLE \"shop\".a (id bigint DEFAULT nextval('shop.a_seq'::regclass), b \"shop\".mood DEFAULT 'public'::\"shop\".mood)",
            ),
            (
                "SELECT pg_catalog.setval('\"public\".\"A_seq\"', 3, true)",
                "SELECT pg_catalog.setval('shop.\"A_seq\"', 3, true)",
            ),
            (
                "CREATE FUNCTION public.f() RETURNS text LANGUAGE sql SET search_path TO 'public', 'extensions' AS $$ select \"public\".x from public.t where public = 'public.t' $$",
                "CREATE FUNCTION \"shop\".f() RETURNS text LANGUAGE sql SET search_path TO 'shop', 'extensions' AS $$ select \"shop\".x from \"shop\".t where public = 'public.t' $$",
            ),
            (
                "INSERT INTO public.a (public) VALUES ('public.a')",
                "INSERT INTO \"shop\".a (public) VALUES ('public.a')",
            ),
            ("COPY public.a (public) FROM stdin", "COPY \"shop\".a (public) FROM stdin"),
            (
                "REVOKE ALL ON FUNCTION public.f() FROM PUBLIC",
                "REVOKE ALL ON FUNCTION \"shop\".f() FROM PUBLIC",
            ),
            (
                "CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $$ -- don't\n select a from public.t /* it's $b$ */ $$",
                "CREATE FUNCTION \"shop\".f() RETURNS text LANGUAGE sql AS $$ -- don't\n select a from \"shop\".t /* it's $b$ */ $$",
            ),
            ("GRANT SELECT ON TABLE auth.public TO anon", "GRANT SELECT ON TABLE auth.public TO anon"),
        ] {
            assert_eq!(rename.apply(before, classify(before, Origin::Supabase)).0, after);
        }
        for wrong in ["public", "app", "auth", "Shop", "a b", "", "pg_x", "1a"] {
            assert!(Rename::to(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nested_bodies_are_renamed_up_to_a_limit() {
        let rename = Rename::to("shop").unwrap();
        let nested = |levels: u32| {
            let tags: Vec<String> = (0..levels).map(|level| format!("$a{level}$")).collect();
            let closing: String = tags.iter().rev().map(String::as_str).collect();
            format!("{} public.a {closing}", tags.concat())
        };
        assert!(rename.statement(&nested(3)).contains(" \"shop\".a "));
        let deep = nested(50_000);
        assert_eq!(rename.statement(&deep), deep);
    }
}
