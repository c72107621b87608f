//! Inserts, updates, upserts and deletes.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use bytes::Bytes;

use super::payload::{self, PayloadColumn};
use super::types::{FilterPlan, ReadPlan};
use super::{Context, columns, name_of, schema_error};
use crate::error_body::{ErrorBody, Rejection};
use crate::request::Action;
use crate::request::filters::Operation;
use crate::request::preferences::{Missing, Representation, Resolution};
use crate::schema_cache::relations::Kind;
use crate::schema_cache::tables::{QualifiedName, Table};

#[derive(Debug)]
pub enum MutatePlan {
    Insert(Insert),
    Update(Update),
    Delete { table: QualifiedName, filters: Vec<FilterPlan>, returning: Vec<String> },
}

#[derive(Debug)]
pub struct Insert {
    pub table: QualifiedName,
    pub columns: Vec<PayloadColumn>,
    pub body: Bytes,
    pub conflict: Option<Conflict>,
    /// The view's trigger resolves conflicts, according to a transaction setting.
    pub by_trigger: bool,
    /// Filters that the row of a PUT must match.
    pub put_filters: Vec<FilterPlan>,
    pub returning: Vec<String>,
    /// The columns for the `Location` header.
    pub primary_key: Vec<String>,
    pub use_defaults: bool,
}

impl Insert {
    /// The conflict that PostgreSQL's `ON CONFLICT` handles.
    pub fn on_conflict(&self) -> Option<&Conflict> {
        self.conflict.as_ref().filter(|_| !self.by_trigger)
    }
}

#[derive(Debug)]
pub struct Conflict {
    pub resolution: Resolution,
    pub columns: Vec<String>,
}

#[derive(Debug)]
pub struct Update {
    pub table: QualifiedName,
    pub columns: Vec<PayloadColumn>,
    pub body: Bytes,
    pub filters: Vec<FilterPlan>,
    pub returning: Vec<String>,
    pub use_defaults: bool,
}

pub fn plan(context: &Context<'_, '_>, table: &Table, read: &ReadPlan) -> Result<MutatePlan, Rejection> {
    let returning = match context.request.preferences.representation {
        None | Some(Representation::Minimal) => Vec::new(),
        Some(_) => needed_columns(read, &table.primary_key),
    };
    match context.request.action {
        Action::Create => insert(context, table, returning).map(MutatePlan::Insert),
        Action::Upsert => put(context, table, returning).map(MutatePlan::Insert),
        Action::Update => update(context, table, returning).map(MutatePlan::Update),
        _ => Ok(delete(context, table, returning)),
    }
}

fn insert(context: &Context<'_, '_>, table: &Table, returning: Vec<String>) -> Result<Insert, Rejection> {
    Ok(Insert {
        columns: payload::columns(context, table)?,
        body: payload::body(context),
        conflict: conflict(context, table)?,
        by_trigger: table.inserts_by_trigger,
        put_filters: Vec::new(),
        returning,
        primary_key: table.primary_key.clone(),
        use_defaults: uses_defaults(context),
        table: name_of(table),
    })
}

/// A PUT inserts the row, or replaces the one with the same key.
fn put(context: &Context<'_, '_>, table: &Table, returning: Vec<String>) -> Result<Insert, Rejection> {
    check_put(context, table)?;
    let name = name_of(table);
    Ok(Insert {
        columns: payload::columns(context, table)?,
        body: payload::body(context),
        conflict: Some(Conflict {
            resolution: Resolution::MergeDuplicates,
            columns: table.primary_key.clone(),
        }),
        by_trigger: table.inserts_by_trigger,
        put_filters: filters(context, &name),
        returning,
        primary_key: Vec::new(),
        use_defaults: false,
        table: name,
    })
}

fn update(context: &Context<'_, '_>, table: &Table, returning: Vec<String>) -> Result<Update, Rejection> {
    let name = name_of(table);
    let columns = payload::columns(context, table)?;
    let mut filters = filters(context, &name);
    // An update that sets nothing changes no row.
    if !columns.is_empty() {
        require_filter(context, &mut filters, "UPDATE");
    }
    Ok(Update {
        columns,
        body: payload::body(context),
        filters,
        returning,
        use_defaults: uses_defaults(context),
        table: name,
    })
}

fn delete(context: &Context<'_, '_>, table: &Table, returning: Vec<String>) -> MutatePlan {
    let name = name_of(table);
    let mut filters = filters(context, &name);
    require_filter(context, &mut filters, "DELETE");
    MutatePlan::Delete { filters, returning, table: name }
}

/// Whether columns that an object omits get their defaults instead of null.
fn uses_defaults(context: &Context<'_, '_>) -> bool {
    context.request.preferences.missing == Some(Missing::Default)
}

fn conflict(context: &Context<'_, '_>, table: &Table) -> Result<Option<Conflict>, Rejection> {
    let request = context.request;
    let Some(resolution) = request.preferences.resolution else { return Ok(None) };
    let columns = request.query.on_conflict.as_ref().unwrap_or(&table.primary_key);
    // Without a trigger PostgreSQL reports unknown columns itself.
    if table.inserts_by_trigger
        && let Some(unknown) = columns.iter().find(|name| table.column(name).is_none())
    {
        return Err(schema_error::no_column(&table.name, unknown));
    }
    Ok(Some(Conflict { resolution, columns: columns.clone() }))
}

/// Like the extension pg-safeupdate, this prevents changing a whole table by accident.
fn require_filter(context: &Context<'_, '_>, filters: &mut Vec<FilterPlan>, statement: &'static str) {
    if filters.is_empty() && context.config.database.require_filter {
        filters.push(FilterPlan::Missing(statement));
    }
}

impl MutatePlan {
    /// Returns the name of the statement that needs a filter but has none.
    pub fn missing_filter(&self) -> Option<&'static str> {
        let filters = match self {
            Self::Insert(_) => return None,
            Self::Update(update) => &update.filters,
            Self::Delete { filters, .. } => filters,
        };
        filters.iter().find_map(|filter| match filter {
            FilterPlan::Missing(statement) => Some(*statement),
            _ => None,
        })
    }
}

fn filters(context: &Context<'_, '_>, table: &QualifiedName) -> Vec<FilterPlan> {
    let query = &context.request.query;
    let own = query.filters.iter().filter(|(path, _)| path.is_empty());
    let trees = query.logic.iter().filter(|(path, _)| path.is_empty());
    own.map(|(_, filter)| columns::filter(context.cache, table, filter))
        .chain(trees.map(|(_, tree)| columns::logic(context.cache, table, tree)))
        .collect()
}

/// A PUT must identify the row by `eq` filters on exactly its primary key columns.
fn check_put(context: &Context<'_, '_>, table: &Table) -> Result<(), Rejection> {
    let query = &context.request.query;
    let key: BTreeSet<String> = table.primary_key.iter().cloned().collect();
    let only_equal = query.filters.iter().filter(|(path, _)| path.is_empty()).all(|(_, filter)| {
        !filter.condition.negated
            && matches!(
                &filter.condition.operation,
                Operation::Quantified { symbol: "=", quantifier: None, .. }
            )
    });
    if !query.logic.is_empty() || key.is_empty() || query.filter_names != key || !only_equal {
        let message = "Filters must include all and only primary key columns with 'eq' operators";
        return Err(ErrorBody::new(StatusCode::METHOD_NOT_ALLOWED, "PGRST105", message));
    }
    Ok(())
}

/// The columns that a mutation or function must return for the selected columns and the embedded resources.
/// Returns `*` if they are unknown.
pub fn needed_columns(read: &ReadPlan, primary_key: &[String]) -> Vec<String> {
    let all = || vec!["*".to_owned()];
    if read.select.iter().any(|column| column.column.name == "*") {
        return all();
    }
    let mut needed: BTreeSet<&str> = read.select.iter().map(|column| column.column.name.as_str()).collect();
    for child in &read.children {
        let Some(link) = &child.link else { continue };
        match &link.relation.kind {
            // The function may use any column of the row.
            Kind::Computed { .. } => return all(),
            Kind::ManyToMany(junction) => needed.extend(junction.columns.iter().map(|(own, _)| own.as_str())),
            Kind::Direct { columns, .. } => needed.extend(columns.iter().map(|(own, _)| own.as_str())),
        }
    }
    needed.extend(primary_key.iter().map(String::as_str));
    needed.into_iter().map(str::to_owned).collect()
}
