//! PGRST2xx: a name in the request is missing from the schema cache or ambiguous.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::hints;
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use crate::request::Request;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::relations::{Cardinality, ColumnPairs, Kind, Relation};
use crate::schema_cache::routines::Routine;

pub fn no_table(cache: &SchemaCache, schema: &str, name: &str) -> Rejection {
    let message = format!("Could not find the table '{schema}.{name}' in the schema cache");
    ErrorBody::new(StatusCode::NOT_FOUND, "PGRST205", message).hint(hints::table(cache, schema, name))
}

pub fn no_column(table: &str, column: &str) -> Rejection {
    let message = format!("Could not find the '{column}' column of '{table}' in the schema cache");
    ErrorBody::bad_request("PGRST204", message)
}

pub fn no_relation(
    cache: &SchemaCache,
    schema: &str,
    parent: &str,
    child: &str,
    hint: Option<&str>,
) -> Rejection {
    let using = hint.map(|hint| format!("' using the hint '{hint}")).unwrap_or_default();
    let names = format!("'{parent}' and '{child}'");
    ErrorBody::bad_request(
        "PGRST200",
        format!("Could not find a relationship between {names} in the schema cache"),
    )
    .details(format!(
        "Searched for a foreign key relationship between '{parent}' and '{child}{using}' in the schema '{schema}', \
         but no matches were found."
    ))
    .hint(hints::relation(cache, schema, parent, child))
}

pub fn ambiguous_relation(parent: &str, child: &str, relations: &[Arc<Relation>]) -> Rejection {
    let names = format!("'{parent}' and '{child}'");
    let choices: Vec<String> = relations.iter().map(|relation| choice(relation)).collect();
    ErrorBody::new(
        StatusCode::MULTIPLE_CHOICES,
        "PGRST201",
        format!("Could not embed because more than one relationship was found for {names}"),
    )
    .details(relations.iter().map(|relation| described(relation)).collect::<Vec<Value>>())
    .hint(format!(
        "Try changing '{child}' to one of the following: {}. Find the desired relationship in the 'details' key.",
        choices.join(", ")
    ))
}

pub fn ambiguous_routine(candidates: &[&Routine]) -> Rejection {
    let shown = candidates.iter().map(|routine| {
        let parameters: Vec<String> =
            routine.parameters.iter().map(|p| format!("{} => {}", p.name, p.kind)).collect();
        format!("{}.{}({})", routine.schema, routine.name, parameters.join(", "))
    });
    let shown = shown.collect::<Vec<_>>().join(", ");
    let message = format!("Could not choose the best candidate function between: {shown}");
    ErrorBody::new(StatusCode::MULTIPLE_CHOICES, "PGRST203", message).hint(
        "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
    )
}

pub fn no_routine(cache: &SchemaCache, request: &Request, arguments: &BTreeSet<String>) -> Rejection {
    let function = format!("{}.{}", request.schema, request.resource);
    let listed = arguments.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let body_type = match request.content {
        MediaType::PlainText => Some("text"),
        MediaType::Xml => Some("xml"),
        MediaType::OctetStream => Some("bytea"),
        _ => None,
    };
    let body_type = body_type.filter(|_| request.is_post());
    let without = " without parameters".to_owned();
    let (signature, mut searched) = match (body_type, arguments.len()) {
        (Some(kind), _) => (String::new(), format!(" with a single unnamed {kind} parameter")),
        (None, 0) => (without.clone(), without),
        (None, 1) => (format!("({listed})"), format!(" with parameter {listed}")),
        (None, _) => (format!("({listed})"), format!(" with parameters {listed}")),
    };
    if request.is_post() && request.content == MediaType::Json {
        searched.push_str(" or with a single unnamed json/jsonb parameter");
    }
    let hint = match body_type {
        Some(_) => None,
        None => hints::routine(cache, &request.schema, &request.resource, arguments),
    };
    let message = format!("Could not find the function {function}{signature} in the schema cache");
    ErrorBody::new(StatusCode::NOT_FOUND, "PGRST202", message)
        .details(format!(
            "Searched for the function {function}{searched}, but no matches were found in the schema cache."
        ))
        .hint(hint)
}

fn described(relation: &Relation) -> Value {
    let (table, foreign) = (&relation.table.name, &relation.foreign.name);
    let key = |constraint: &str, columns: &ColumnPairs| {
        format!(
            "{constraint} using {table}({}) and {foreign}({})",
            listed(columns.iter().map(|(own, _)| own)),
            listed(columns.iter().map(|(_, other)| other)),
        )
    };
    let (cardinality, relationship) = match &relation.kind {
        Kind::Direct { cardinality, constraint, columns, .. } => {
            let cardinality = match cardinality {
                Cardinality::OneToMany => "one-to-many",
                Cardinality::ManyToOne => "many-to-one",
                Cardinality::OneToOne => "one-to-one",
            };
            (cardinality, key(constraint, columns))
        }
        Kind::ManyToMany(junction) => (
            "many-to-many",
            format!(
                "{} using {}({}) and {}({})",
                junction.table.name,
                junction.constraint,
                listed(junction.columns.iter().map(|(_, column)| column)),
                junction.foreign_constraint,
                listed(junction.foreign_columns.iter().map(|(_, column)| column)),
            ),
        ),
        Kind::Computed { .. } => return json!({}),
    };
    json!({
        "cardinality": cardinality,
        "embedding": format!("{table} with {foreign}"),
        "relationship": relationship,
    })
}

fn choice(relation: &Relation) -> String {
    let by = match &relation.kind {
        Kind::ManyToMany(junction) => &junction.table.name,
        Kind::Direct { constraint, .. } => constraint,
        Kind::Computed { .. } => return String::new(),
    };
    format!("'{}!{by}'", relation.foreign.name)
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}
