//! Looks up columns: JSON columns, full-text documents, and domains with their own representations.

use super::types::{ColumnRef, FilterPlan};
use crate::request::field::Field;
use crate::request::filters::{Filter, LogicTree, Operation};
use crate::schema_cache::SchemaCache;
use crate::schema_cache::tables::{Column, QualifiedName, Table};

/// A column in the result.
pub fn output(cache: &SchemaCache, table: &QualifiedName, field: &Field) -> ColumnRef {
    let mut column = resolve(cache, table, field);
    if let Some(known) = cache.table_named(table).and_then(|table| table.column(&field.name)) {
        column.transform = transform_to_json(cache, known);
    }
    column
}

pub fn transform_to_json(cache: &SchemaCache, column: &Column) -> Option<String> {
    representation(cache, &column.nominal_type, "json")
}

pub fn representation(cache: &SchemaCache, from: &str, to: &str) -> Option<String> {
    if cache.representations.is_empty() {
        return None;
    }
    cache.representations.get(&(from.to_owned(), to.to_owned())).cloned()
}

/// Whether a column has a domain representation, so that `*` has to be expanded.
pub fn has_representation(cache: &SchemaCache, table: &Table) -> bool {
    !cache.representations.is_empty()
        && table.columns.iter().any(|column| transform_to_json(cache, column).is_some())
}

pub fn resolve(cache: &SchemaCache, table: &QualifiedName, field: &Field) -> ColumnRef {
    let mut column = ColumnRef::unknown(&field.name, field.path.clone());
    if let Some(known) = cache.table_named(table).and_then(|table| table.column(&field.name)) {
        column.to_json = !matches!(known.base_type.as_deref(), Some("json" | "jsonb"));
    }
    column
}

fn condition(cache: &SchemaCache, table: &QualifiedName, filter: &Filter) -> FilterPlan {
    let mut column = resolve(cache, table, &filter.field);
    if let Some(known) = cache.table_named(table).and_then(|table| table.column(&filter.field.name)) {
        column.transform = representation(cache, "text", &known.nominal_type);
        if let Operation::FullText { language, .. } = &filter.condition.operation
            && known.base_type.as_deref() != Some("tsvector")
        {
            column.to_document = Some(language.clone());
        }
    }
    FilterPlan::Column { column, condition: filter.condition.clone() }
}

pub fn filter(cache: &SchemaCache, table: &QualifiedName, tree: &LogicTree) -> FilterPlan {
    match tree {
        LogicTree::Filter(one) => condition(cache, table, one),
        LogicTree::Group { negated, operator, members } => FilterPlan::Group {
            negated: *negated,
            operator: *operator,
            members: members.iter().map(|member| filter(cache, table, member)).collect(),
        },
    }
}
