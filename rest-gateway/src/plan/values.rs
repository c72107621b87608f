//! Decides whether a statement needs a custom plan. PostgreSQL soon switches a prepared statement to one
//! generic plan, which can't see patterns or limits. That is fine for a lookup by key, but means a full
//! scan for a rare search word.

use super::Plan;
use super::call::{Arguments, CallPlan};
use super::mutate::MutatePlan;
use super::types::{ColumnRef, FilterPlan, ReadPlan};
use crate::request::filters::Operation;
use crate::request::range::RowRange;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::routines::Routine;

pub fn needs_custom_plan(plan: &Plan<'_>, cache: &SchemaCache, max_rows: Option<i64>) -> bool {
    let usual = RowRange::ALL.restricted(max_rows);
    match plan {
        Plan::Read { read, .. } => !is_keyed(read, cache, usual) && has_values(read),
        Plan::Mutate { read, mutation, .. } => {
            !is_keyed_change(mutation, cache)
                || read.children.iter().any(|child| !is_keyed(child, cache, RowRange::ALL))
        }
        Plan::Call { read, call, routine, .. } => {
            may_be_inlined(call, routine) || !is_keyed(read, cache, usual)
        }
        Plan::Inspect | Plan::Info { .. } => false,
    }
}

/// The plan does not depend on the values: the lookup is by primary key, or by at most one equality filter.
/// With an order or a limit the planner might walk an index instead, which only pays off for common values.
fn is_keyed(node: &ReadPlan, cache: &SchemaCache, usual: RowRange) -> bool {
    let primary_key = cache.table_named(&node.table).map(|table| table.primary_key.as_slice());
    let by_key = names_key(&node.filters, primary_key.unwrap_or_default());
    let by_value = has_one_value(&node.filters) && node.order.is_empty() && node.range == usual;
    (by_key || by_value) && node.children.iter().all(|child| is_keyed(child, cache, usual))
}

/// Whether the statement has parameters. Without them every plan is the same.
fn has_values(node: &ReadPlan) -> bool {
    let is_plain = |column: &ColumnRef| {
        column.path.is_empty() && column.to_document.as_ref().is_none_or(Option::is_none)
    };
    node.range.first != 0
        || !node.filters.iter().all(has_no_value)
        || !node.select.iter().all(|selected| is_plain(&selected.column))
        || !node.order.iter().all(|term| is_plain(&term.column))
        || node.children.iter().any(has_values)
}

/// The filters give the whole primary key, so there is at most one row.
pub fn by_key(node: &ReadPlan, cache: &SchemaCache) -> bool {
    cache.table_named(&node.table).is_some_and(|table| names_key(&node.filters, &table.primary_key))
}

fn is_keyed_change(mutation: &MutatePlan, cache: &SchemaCache) -> bool {
    let (table, filters) = match mutation {
        MutatePlan::Insert(_) => return true,
        MutatePlan::Update(update) => (&update.table, &update.filters),
        MutatePlan::Delete { table, filters, .. } => (table, filters),
    };
    let primary_key = cache.table_named(table).map(|table| table.primary_key.as_slice());
    names_key(filters, primary_key.unwrap_or_default()) || has_one_value(filters)
}

/// PostgreSQL inlines such a function's query, with the arguments as values.
fn may_be_inlined(call: &CallPlan, routine: &Routine) -> bool {
    !routine.returns_single() && !routine.is_volatile() && !matches!(call.arguments, Arguments::None)
}

fn names_key(filters: &[FilterPlan], primary_key: &[String]) -> bool {
    let is_given = |key: &String| filters.iter().any(|filter| equalled(filter) == Some(key.as_str()));
    !primary_key.is_empty() && primary_key.iter().all(is_given)
}

fn has_one_value(filters: &[FilterPlan]) -> bool {
    filters.iter().filter(|filter| !has_no_value(filter)).count() <= 1
        && filters.iter().all(|filter| has_no_value(filter) || equalled(filter).is_some())
}

/// The column of an equality filter. JSON paths don't count, because their keys are parameters too.
fn equalled(filter: &FilterPlan) -> Option<&str> {
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
