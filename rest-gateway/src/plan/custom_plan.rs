//! Decides whether a statement needs a custom plan. After a few executions PostgreSQL may switch a prepared
//! statement to a generic plan, which ignores the values. That is fine for a lookup by key, but means a full scan
//! for a rare search term.

use super::Plan;
use super::call::{Arguments, CallPlan};
use super::mutate::MutatePlan;
use super::types::{ColumnRef, FilterPlan, ReadPlan};
use crate::media::MediaType;
use crate::request::filters::Operation;
use crate::request::range::RowRange;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::routines::Routine;
use crate::schema_cache::tables::{QualifiedName, Table};

pub fn is_needed(plan: &Plan<'_>, cache: &SchemaCache, max_rows: Option<i64>) -> bool {
    let default_range = RowRange::ALL.restricted(max_rows);
    match plan {
        // EXPLAIN always plans for the values, and would list the setting.
        _ if matches!(plan.media(), Some(MediaType::Plan(_))) => false,
        Plan::Read { read, .. } => !is_lookup(read, cache, default_range) && has_parameters(read),
        Plan::Mutate { read, mutation, .. } => {
            !changes_by_key(mutation, cache)
                || read.children.iter().any(|child| !is_lookup(child, cache, RowRange::ALL))
        }
        Plan::Call { read, call, routine, .. } => {
            may_be_inlined(call, routine) || !is_lookup(read, cache, default_range)
        }
        Plan::Inspect | Plan::Info { .. } => false,
    }
}

/// Whether the same plan is good for all values: a lookup by primary key, or by at most one equality filter. With
/// an order or a limit the planner might scan an index in that order, which is fast only for common values.
fn is_lookup(node: &ReadPlan, cache: &SchemaCache, default_range: RowRange) -> bool {
    let by_key = reads_by_key(node, cache);
    let by_value =
        has_at_most_one_value(&node.filters) && node.order.is_empty() && node.range == default_range;
    (by_key || by_value) && node.children.iter().all(|child| is_lookup(child, cache, default_range))
}

/// Without parameters a custom plan is the same as the generic one.
fn has_parameters(node: &ReadPlan) -> bool {
    let is_plain = |column: &ColumnRef| {
        column.path.is_empty() && column.to_document.as_ref().is_none_or(Option::is_none)
    };
    node.range.first != 0
        || !node.filters.iter().all(has_no_value)
        || !node.select.iter().all(|selected| is_plain(&selected.column))
        || !node.order.iter().all(|term| is_plain(&term.column))
        || node.children.iter().any(has_parameters)
}

/// Whether the filters cover the primary key, so that there is at most one row.
pub fn reads_by_key(node: &ReadPlan, cache: &SchemaCache) -> bool {
    covers_key(cache, &node.table, &node.filters)
}

fn changes_by_key(mutation: &MutatePlan, cache: &SchemaCache) -> bool {
    mutation.insert().is_some()
        || covers_key(cache, &mutation.table, &mutation.filters)
        || has_at_most_one_value(&mutation.filters)
}

/// Whether PostgreSQL may inline the function's query, so that its plan depends on the arguments.
fn may_be_inlined(call: &CallPlan, routine: &Routine) -> bool {
    !routine.returns_single() && !routine.is_volatile() && !matches!(call.arguments, Arguments::None)
}

fn covers_key(cache: &SchemaCache, table: &QualifiedName, filters: &[FilterPlan]) -> bool {
    let Some(Table { primary_key, .. }) = cache.table_named(table) else { return false };
    let is_given = |key: &String| filters.iter().any(|filter| equality_column(filter) == Some(key.as_str()));
    !primary_key.is_empty() && primary_key.iter().all(is_given)
}

fn has_at_most_one_value(filters: &[FilterPlan]) -> bool {
    filters.iter().filter(|filter| !has_no_value(filter)).count() <= 1
        && filters.iter().all(|filter| has_no_value(filter) || equality_column(filter).is_some())
}

/// The column of an equality filter. JSON paths don't count, because their keys are parameters too.
fn equality_column(filter: &FilterPlan) -> Option<&str> {
    let FilterPlan::Column { column, condition } = filter else { return None };
    let equals = matches!(condition.operation, Operation::Quantified { symbol: "=", quantifier: None, .. });
    (equals && !condition.negated && column.path.is_empty()).then_some(column.name.as_str())
}

fn has_no_value(filter: &FilterPlan) -> bool {
    match filter {
        FilterPlan::Column { column, condition } => {
            matches!(condition.operation, Operation::Is(_)) && column.path.is_empty()
        }
        FilterPlan::Embed { .. } | FilterPlan::Missing(_) => true,
        FilterPlan::Group { .. } => false,
    }
}
