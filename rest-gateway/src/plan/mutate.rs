//! Inserts, updates, upserts and deletes.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use bytes::Bytes;

use super::payload::{self, PayloadColumn};
use super::types::{FilterPlan, ReadPlan};
use super::{Context, columns, name_of, schema_error};
use crate::error_body::{ErrorBody, Rejection};
use crate::request::Action;
use crate::request::filters::{Condition, Filter, LogicTree, Operation};
use crate::request::preferences::{Missing, Representation, Resolution};
use crate::schema_cache::relations::Kind;
use crate::schema_cache::tables::{QualifiedName, Table};

#[derive(Debug)]
pub struct MutatePlan {
    pub table: QualifiedName,
    pub change: Change,
    /// The columns with values from the body.
    pub columns: Vec<PayloadColumn>,
    pub body: Bytes,
    /// Select the rows to change. The row of a PUT must match them.
    pub filters: Vec<FilterPlan>,
    pub returning: Vec<String>,
    /// Whether columns that an object omits get their defaults instead of null.
    pub use_defaults: bool,
}

#[derive(Debug)]
pub enum Change {
    Insert(Insert),
    Update,
    Delete,
}

#[derive(Debug)]
pub struct Insert {
    pub conflict: Option<Conflict>,
    /// The view's trigger resolves conflicts, according to a transaction setting.
    pub by_trigger: bool,
    /// The columns for the `Location` header.
    pub primary_key: Vec<String>,
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

pub fn plan(context: &Context<'_, '_>, table: &Table, read: &ReadPlan) -> Result<MutatePlan, Rejection> {
    let preferences = &context.request.preferences;
    let returning = match preferences.representation {
        None | Some(Representation::Minimal) => Vec::new(),
        Some(_) => needed_columns(read, &table.primary_key),
    };
    let action = context.request.action;
    if action == Action::Upsert {
        check_put(context, table)?;
    }
    let columns = if action == Action::Delete { Vec::new() } else { payload::columns(context, table)? };
    let insert = |conflict, primary_key| {
        Change::Insert(Insert { conflict, by_trigger: table.inserts_by_trigger, primary_key })
    };
    let change = match action {
        Action::Create => insert(conflict(context, table)?, table.primary_key.clone()),
        // A PUT inserts the row, or replaces the one with the same key.
        Action::Upsert => {
            let key = table.primary_key.clone();
            let conflict = Conflict { resolution: Resolution::MergeDuplicates, columns: key };
            insert(Some(conflict), Vec::new())
        }
        Action::Update => Change::Update,
        _ => Change::Delete,
    };
    let name = name_of(table);
    let mut filters = if action == Action::Create { Vec::new() } else { filters(context, &name) };
    let statement = match change {
        Change::Insert(_) => None,
        // An update that sets nothing changes no row.
        Change::Update => (!columns.is_empty()).then_some("UPDATE"),
        Change::Delete => Some("DELETE"),
    };
    // Like the extension pg-safeupdate, this prevents changing a whole table by accident.
    if filters.is_empty() && context.config.database.require_filter {
        filters.extend(statement.map(FilterPlan::Missing));
    }
    Ok(MutatePlan {
        table: name,
        change,
        columns,
        body: payload::body(context),
        filters,
        returning,
        use_defaults: action != Action::Upsert && preferences.missing == Some(Missing::Default),
    })
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

impl MutatePlan {
    /// Returns the name of the statement that needs a filter but has none.
    pub fn missing_filter(&self) -> Option<&'static str> {
        self.filters.iter().find_map(|filter| match filter {
            FilterPlan::Missing(statement) => Some(*statement),
            _ => None,
        })
    }

    pub fn insert(&self) -> Option<&Insert> {
        match &self.change {
            Change::Insert(insert) => Some(insert),
            Change::Update | Change::Delete => None,
        }
    }
}

fn filters(context: &Context<'_, '_>, table: &QualifiedName) -> Vec<FilterPlan> {
    let query = &context.request.query;
    let trees = query.filters.iter().filter(|(path, _)| path.is_empty());
    trees.map(|(_, tree)| columns::filter(context.cache, table, tree)).collect()
}

/// A PUT must identify the row by `eq` filters on exactly its primary key columns.
fn check_put(context: &Context<'_, '_>, table: &Table) -> Result<(), Rejection> {
    let query = &context.request.query;
    let key: BTreeSet<String> = table.primary_key.iter().cloned().collect();
    let is_equal = |tree: &LogicTree| {
        matches!(tree, LogicTree::Filter(Filter { condition: Condition { negated: false, operation }, .. })
            if matches!(operation, Operation::Quantified { symbol: "=", quantifier: None, .. }))
    };
    let only_equal = query.filters.iter().all(|(_, tree)| is_equal(tree));
    if key.is_empty() || query.filter_names != key || !only_equal {
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
