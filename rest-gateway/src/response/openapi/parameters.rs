//! Shared parameters of operations, and function arguments.

use serde_json::{Map, Value, json};

use super::properties::{self, swagger_type};
use crate::schema_cache::routines::{Parameter, Routine};
use crate::schema_cache::tables::Table;

/// Parameters common to all tables, plus each table's filters and body.
pub fn shared(tables: &[&Table]) -> Map<String, Value> {
    let mut all = Map::new();
    let mut put = |name: &str, parameter: Value| {
        all.insert(name.to_owned(), parameter);
    };
    let returns = ["return=representation", "return=minimal", "return=none"];
    let resolutions = ["resolution=ignore-duplicates", "resolution=merge-duplicates"];
    put("preferParams", preference(&[]));
    put("preferReturn", preference(&returns));
    put("preferCount", preference(&["count=none"]));
    put("preferPost", preference(&[&returns[..], &resolutions[..]].concat()));
    put("select", text("query", "select", "Filtering Columns"));
    put("on_conflict", text("query", "on_conflict", "On Conflict"));
    put("order", text("query", "order", "Ordering"));
    put("offset", text("query", "offset", "Limiting and Pagination"));
    put("limit", text("query", "limit", "Limiting and Pagination"));
    put("range", text("header", "Range", "Limiting and Pagination"));
    let mut unit = text("header", "Range-Unit", "Limiting and Pagination");
    unit["default"] = json!("items");
    put("rangeUnit", unit);
    for table in tables {
        put(&format!("body.{}", table.name), body(table));
        for column in &table.columns {
            let mut filter =
                json!({ "name": column.name, "in": "query", "required": false, "type": "string" });
            if let Some(description) = &column.description {
                filter["description"] = json!(description);
            }
            put(&format!("rowFilter.{}.{}", table.name, column.name), filter);
        }
    }
    all
}

pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/parameters/{name}") })
}

/// A function argument in the query string.
pub fn argument(routine: &Routine, parameter: &Parameter) -> Value {
    let data_type = data_type(routine, parameter);
    let mut argument = json!({ "name": parameter.name, "in": "query", "required": parameter.required });
    if parameter.variadic {
        argument["type"] = json!("array");
        argument["collectionFormat"] = json!("multi");
        let element = data_type.trim_end_matches("[]");
        argument["items"] = json!({ "format": properties::format(element) });
        if let Some(kind) = swagger_type(element) {
            argument["items"]["type"] = json!(kind);
        }
        return argument;
    }
    // Arrays and JSON are strings here, in PostgreSQL's text format.
    argument["type"] = json!(swagger_type(data_type).filter(|kind| *kind != "array").unwrap_or("string"));
    argument["format"] = json!(properties::format(data_type));
    argument
}

/// Omits the schema from types in the function's own schema.
pub fn data_type<'a>(routine: &Routine, parameter: &'a Parameter) -> &'a str {
    let own = parameter.kind.strip_prefix(&routine.schema).and_then(|rest| rest.strip_prefix('.'));
    own.unwrap_or(&parameter.kind)
}

fn text(location: &str, name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "in": location, "required": false, "type": "string" })
}

fn preference(choices: &[&str]) -> Value {
    let mut parameter = text("header", "Prefer", "Preference");
    if !choices.is_empty() {
        parameter["enum"] = json!(choices);
    }
    parameter
}

fn body(table: &Table) -> Value {
    json!({
        "name": table.name,
        "description": table.name,
        "in": "body",
        "required": false,
        "schema": { "$ref": format!("#/definitions/{}", table.name) },
    })
}
