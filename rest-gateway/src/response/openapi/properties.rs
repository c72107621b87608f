//! Maps PostgreSQL types to Swagger types.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::schema_cache::relations::{Kind, Relation};
use crate::schema_cache::tables::{Column, Table};

/// The Swagger type; `None` for JSON, which can be anything.
pub fn swagger_type(data_type: &str) -> Option<&'static str> {
    match data_type {
        "boolean" => Some("boolean"),
        "smallint" | "integer" | "bigint" => Some("integer"),
        "numeric" | "real" | "double precision" => Some("number"),
        "json" | "jsonb" => None,
        array if array.ends_with("[]") => Some("array"),
        _ => Some("string"),
    }
}

/// The PostgreSQL type name, except for integers, which have a Swagger format.
pub fn format(data_type: &str) -> &str {
    match data_type {
        "smallint" | "integer" => "int32",
        "bigint" => "int64",
        other => other,
    }
}

pub fn of_type(data_type: &str) -> Value {
    let mut property = json!({ "format": format(data_type) });
    let kind = swagger_type(data_type);
    if let Some(kind) = kind {
        property["type"] = json!(kind);
    }
    if kind == Some("array") {
        property["items"] = match swagger_type(data_type.trim_end_matches("[]")) {
            Some(element) => json!({ "type": element }),
            None => json!({}),
        };
    }
    property
}

pub fn of_column(table: &Table, column: &Column, relations: &[Arc<Relation>]) -> Value {
    let mut property = of_type(&column.data_type);
    if !column.labels.is_empty() {
        property["enum"] = json!(column.labels);
    }
    if let Some(length) = column.max_length {
        property["maxLength"] = json!(length);
    }
    if let Some(default) = column.default.as_deref().and_then(|text| default(&column.data_type, text)) {
        property["default"] = default;
    }
    let is_key = table.primary_key.contains(&column.name);
    if let Some(description) = description(column, is_key, referenced(column, relations)) {
        property["description"] = json!(description);
    }
    property
}

fn description(column: &Column, is_key: bool, referenced: Option<(&str, &str)>) -> Option<String> {
    let comment = column.description.as_deref();
    let mut notes = Vec::new();
    if is_key {
        notes.push("This is a Primary Key.<pk/>".to_owned());
    }
    if let Some((table, column)) = referenced {
        notes.push(format!(
            "This is a Foreign Key to `{table}.{column}`.<fk table='{table}' column='{column}'/>"
        ));
    }
    if notes.is_empty() {
        return comment.map(str::to_owned);
    }
    let before = comment.map(|comment| format!("{comment}\n\n")).unwrap_or_default();
    Some(format!("{before}Note:\n{}", notes.join("\n")))
}

/// The table and column that a single-column foreign key refers to. Tables take precedence over views.
fn referenced<'a>(column: &Column, relations: &'a [Arc<Relation>]) -> Option<(&'a str, &'a str)> {
    relations
        .iter()
        .filter_map(|relation| {
            let Kind::Direct { columns, is_parent: false, .. } = &relation.kind else { return None };
            match columns.as_slice() {
                [(here, there)] if *here == column.name => {
                    Some((relation.foreign_is_view, (relation.foreign.name.as_str(), there.as_str())))
                }
                _ => None,
            }
        })
        .min_by_key(|&(is_view, _)| is_view)
        .map(|(_, target)| target)
}

/// Expressions such as `now()` are listed only for text types, because they would not match other types.
fn default(data_type: &str, expression: &str) -> Option<Value> {
    if swagger_type(data_type) != Some("string") {
        return serde_json::from_str(expression).ok();
    }
    let literal = expression
        .strip_suffix(data_type)
        .and_then(|rest| rest.strip_suffix("::"))
        .and_then(|quoted| quoted.strip_prefix('\'')?.strip_suffix('\''));
    Some(match literal {
        Some(literal) => json!(literal.replace("''", "'")),
        None => json!(expression),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_match_the_column_type() {
        for (data_type, expression, expected) in [
            ("text", "'it''s'::text", Some(json!("it's"))),
            ("character varying", "'a'::character varying", Some(json!("a"))),
            ("date", "'1900-01-01'::date", Some(json!("1900-01-01"))),
            ("timestamp with time zone", "now()", Some(json!("now()"))),
            ("boolean", "false", Some(json!(false))),
            ("numeric", "42.2", Some(json!(42.2))),
            ("bigint", "nextval('ids'::regclass)", None),
            ("jsonb", "'{}'::jsonb", None),
        ] {
            assert_eq!(default(data_type, expression), expected, "{data_type} default {expression}");
        }
    }

    #[test]
    fn types_map_to_swagger_types() {
        for (data_type, expected) in [
            ("smallint", json!({ "type": "integer", "format": "int32" })),
            ("bigint", json!({ "type": "integer", "format": "int64" })),
            ("uuid", json!({ "type": "string", "format": "uuid" })),
            ("jsonb", json!({ "format": "jsonb" })),
            ("integer[]", json!({ "type": "array", "format": "integer[]", "items": { "type": "integer" } })),
            ("jsonb[]", json!({ "type": "array", "format": "jsonb[]", "items": {} })),
        ] {
            assert_eq!(of_type(data_type), expected, "{data_type}");
        }
    }
}
