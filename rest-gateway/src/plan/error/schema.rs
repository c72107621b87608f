//! PGRST2xx: a name in the request is missing from the schema cache or ambiguous.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::hints;
use crate::error_body::ErrorBody;
use crate::media::MediaType;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::relations::{ColumnPairs, Kind, Relation};
use crate::schema_cache::routines::Routine;

#[derive(Debug)]
pub enum SchemaError {
    NoRelation {
        parent: String,
        child: String,
        hint: Option<String>,
        schema: String,
        suggestion: Option<String>,
    },
    AmbiguousRelation {
        parent: String,
        child: String,
        relations: Vec<Arc<Relation>>,
    },
    NoRoutine(Box<MissingRoutine>),
    AmbiguousRoutine(Vec<String>),
    NoColumn {
        table: String,
        column: String,
    },
    NoTable {
        schema: String,
        name: String,
        suggestion: Option<String>,
    },
}

#[derive(Debug)]
pub struct MissingRoutine {
    pub schema: String,
    pub name: String,
    pub arguments: BTreeSet<String>,
    pub content: MediaType,
    pub posted: bool,
    pub suggestion: Option<String>,
}

impl SchemaError {
    pub fn no_table(cache: &SchemaCache, schema: &str, name: &str) -> Self {
        let suggestion = hints::table(cache, schema, name);
        Self::NoTable { schema: schema.to_owned(), name: name.to_owned(), suggestion }
    }

    pub fn no_relation(
        cache: &SchemaCache,
        schema: &str,
        parent: &str,
        child: &str,
        hint: Option<&str>,
    ) -> Self {
        Self::NoRelation {
            parent: parent.to_owned(),
            child: child.to_owned(),
            hint: hint.map(str::to_owned),
            schema: schema.to_owned(),
            suggestion: hints::relation(cache, schema, parent, child),
        }
    }

    pub fn ambiguous_routine(candidates: &[&Routine]) -> Self {
        let shown = candidates.iter().map(|routine| {
            let parameters: Vec<String> =
                routine.parameters.iter().map(|p| format!("{} => {}", p.name, p.kind)).collect();
            format!("{}.{}({})", routine.schema, routine.name, parameters.join(", "))
        });
        Self::AmbiguousRoutine(shown.collect())
    }

    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::NoRelation { parent, child, hint, schema, suggestion } => {
                let using = hint.as_ref().map(|hint| format!("' using the hint '{hint}")).unwrap_or_default();
                ErrorBody::new(
                    S::BAD_REQUEST,
                    "PGRST200",
                    format!("Could not find a relationship between '{parent}' and '{child}' in the schema cache"),
                )
                .details(format!(
                    "Searched for a foreign key relationship between '{parent}' and '{child}{using}' in the schema '{schema}', but no matches were found."
                ))
                .hint(suggestion.clone())
            }
            Self::AmbiguousRelation { parent, child, relations } => ErrorBody::new(
                S::MULTIPLE_CHOICES,
                "PGRST201",
                format!("Could not embed because more than one relationship was found for '{parent}' and '{child}'"),
            )
            .details(relations.iter().map(|relation| described(relation)).collect::<Vec<Value>>())
            .hint(format!(
                "Try changing '{child}' to one of the following: {}. Find the desired relationship in the 'details' key.",
                relations.iter().map(|relation| choice(relation)).collect::<Vec<_>>().join(", ")
            )),
            Self::NoRoutine(missing) => missing.error_body(),
            Self::AmbiguousRoutine(candidates) => ErrorBody::new(
                S::MULTIPLE_CHOICES,
                "PGRST203",
                format!("Could not choose the best candidate function between: {}", candidates.join(", ")),
            )
            .hint("Try renaming the parameters or the function itself in the database so function overloading can be resolved"),
            Self::NoColumn { table, column } => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST204",
                format!("Could not find the '{column}' column of '{table}' in the schema cache"),
            ),
            Self::NoTable { schema, name, suggestion } => ErrorBody::new(
                S::NOT_FOUND,
                "PGRST205",
                format!("Could not find the table '{schema}.{name}' in the schema cache"),
            )
            .hint(suggestion.clone()),
        }
    }
}

impl MissingRoutine {
    fn error_body(&self) -> ErrorBody {
        let function = format!("{}.{}", self.schema, self.name);
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let listed = arguments.join(", ");
        let body_only = self.posted
            && matches!(self.content, MediaType::PlainText | MediaType::Xml | MediaType::OctetStream);
        let signature = match (body_only, arguments.len()) {
            (true, _) => String::new(),
            (false, 0) => " without parameters".to_owned(),
            (false, _) => format!("({listed})"),
        };
        let searched = match arguments.len() {
            0 => " without parameters".to_owned(),
            1 => format!(" with parameter {listed}"),
            _ => format!(" with parameters {listed}"),
        };
        let searched = match (self.posted, &self.content) {
            (true, MediaType::PlainText) => " with a single unnamed text parameter".to_owned(),
            (true, MediaType::Xml) => " with a single unnamed xml parameter".to_owned(),
            (true, MediaType::OctetStream) => " with a single unnamed bytea parameter".to_owned(),
            (true, MediaType::Json) => format!("{searched} or with a single unnamed json/jsonb parameter"),
            _ => searched,
        };
        let hint = if body_only { None } else { self.suggestion.clone() };
        ErrorBody::new(
            StatusCode::NOT_FOUND,
            "PGRST202",
            format!("Could not find the function {function}{signature} in the schema cache"),
        )
        .details(format!(
            "Searched for the function {function}{searched}, but no matches were found in the schema cache."
        ))
        .hint(hint)
    }
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
        Kind::OneToMany { constraint, columns } => ("one-to-many", key(constraint, columns)),
        Kind::ManyToOne { constraint, columns } => ("many-to-one", key(constraint, columns)),
        Kind::OneToOne { constraint, columns, .. } => ("one-to-one", key(constraint, columns)),
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
        Kind::OneToMany { constraint, .. }
        | Kind::ManyToOne { constraint, .. }
        | Kind::OneToOne { constraint, .. } => constraint,
        Kind::Computed { .. } => return String::new(),
    };
    format!("'{}!{by}'", relation.foreign.name)
}

fn listed<'a>(names: impl Iterator<Item = &'a String>) -> String {
    names.map(String::as_str).collect::<Vec<_>>().join(", ")
}
