//! Builds SQL text with its parameters.

use std::fmt::Write as _;

use bytes::Bytes;

use crate::schema_cache::tables::QualifiedName;

#[derive(Debug, Default, Clone)]
pub struct Sql {
    pub text: String,
    pub params: Vec<Param>,
}

/// A value whose type PostgreSQL infers from its position in the statement.
#[derive(Debug, Clone)]
pub enum Param {
    Text(String),
    Json(Bytes),
    /// Raw bytes for `bytea`.
    Binary(Bytes),
}

impl Param {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Json(bytes) | Self::Binary(bytes) => bytes,
        }
    }
}

impl Sql {
    pub fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a placeholder for a value.
    pub fn value(&mut self, value: impl Into<String>) -> &mut Self {
        self.param(Param::Text(value.into()))
    }

    pub fn param(&mut self, param: Param) -> &mut Self {
        self.params.push(param);
        // Writing to a string can't fail.
        let _ = write!(self.text, "${}", self.params.len());
        self
    }

    pub fn ident(&mut self, name: &str) -> &mut Self {
        push_ident(&mut self.text, name);
        self
    }

    /// Adds a name, qualified with its schema if it has one.
    pub fn name(&mut self, name: &QualifiedName) -> &mut Self {
        if !name.schema.is_empty() {
            self.ident(&name.schema).push(".");
        }
        self.ident(&name.name)
    }

    pub fn column(&mut self, table: &QualifiedName, column: &str) -> &mut Self {
        self.name(table).push(".");
        if column == "*" { self.push("*") } else { self.ident(column) }
    }

    /// Adds a text literal. Use it only for constants and names from the catalog.
    pub fn literal(&mut self, text: &str) -> &mut Self {
        if !text.contains(['\'', '\\']) {
            return self.push("'").push(text).push("'");
        }
        let escaped = text.replace('\'', "''");
        if escaped.contains('\\') {
            self.push("E'").push(&escaped.replace('\\', "\\\\")).push("'")
        } else {
            self.push("'").push(&escaped).push("'")
        }
    }

    pub fn separated<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        separator: &str,
        mut write: impl FnMut(&mut Self, T),
    ) -> &mut Self {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.push(separator);
            }
            write(self, item);
        }
        self
    }
}

fn push_ident(text: &mut String, name: &str) {
    text.push('"');
    for letter in name.chars().take_while(|letter| *letter != '\0') {
        if letter == '"' {
            text.push('"');
        }
        text.push(letter);
    }
    text.push('"');
}

pub fn quoted(name: &str) -> String {
    let mut text = String::with_capacity(name.len() + 2);
    push_ident(&mut text, name);
    text
}

/// Writes an array in PostgreSQL's text format.
pub fn array_literal<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::from("{");
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push('"');
        for letter in value.chars().take_while(|letter| *letter != '\0') {
            if matches!(letter, '"' | '\\') {
                text.push('\\');
            }
            text.push(letter);
        }
        text.push('"');
    }
    text.push('}');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_arrays_are_escaped() {
        assert_eq!(quoted("a\"; drop table x; --\0hidden"), "\"a\"\"; drop table x; --\"");
        assert_eq!(array_literal(["a\"b", "c\\d", "{,}"]), r#"{"a\"b","c\\d","{,}"}"#);
    }

    #[test]
    fn values_become_numbered_parameters() {
        let mut sql = Sql::default();
        sql.push("select ").value("a").push(", ").value("b");
        assert_eq!(sql.text, "select $1, $2");
        assert_eq!(sql.params.len(), 2);
    }
}
