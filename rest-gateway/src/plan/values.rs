//! Whether the best way to find the rows depends on the values asked for. A prepared statement soon gets
//! one plan for all values, in which a pattern is any pattern and a limit any number: right for the row of
//! a key, a walk through the whole table for a rare word.

use super::Plan;
use super::call::{Arguments, CallPlan};
use super::mutate::MutatePlan;
use super::types::{FilterPlan, ReadPlan};
use crate::request::filters::Operation;
use crate::request::range::RowRange;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::routines::Routine;

pub fn matter(plan: &Plan<'_>, cache: &SchemaCache, max_rows: Option<i64>) -> bool {
    let usual = RowRange::ALL.restricted(max_rows);
    match plan {
        Plan::Read { read, .. } => !is_keyed(read, cache, usual),
        Plan::Mutate { read, mutation, .. } => {
            !is_keyed_change(mutation, cache)
                || read.children.iter().any(|child| !is_keyed(child, cache, RowRange::ALL))
        }
        Plan::Call { read, call, routine, .. } => {
            may_become_part(call, routine) || !is_keyed(read, cache, usual)
        }
        Plan::Inspect | Plan::Info { .. } => false,
    }
}

/// The same rows are found in the same way whatever the values: by the primary key, or by at most one
/// value that a column has to equal. An order or a limit might be served by walking an index instead,
/// which pays for common values alone.
fn is_keyed(node: &ReadPlan, cache: &SchemaCache, usual: RowRange) -> bool {
    let primary_key = cache.table_named(&node.table).map(|table| table.primary_key.as_slice());
    let by_key = names_key(&node.filters, primary_key.unwrap_or_default());
    let by_value = has_one_value(&node.filters) && node.order.is_empty() && node.range == usual;
    (by_key || by_value) && node.children.iter().all(|child| is_keyed(child, cache, usual))
}

/// The primary key is given: one row at most.
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

/// PostgreSQL puts the query of such a function in place of its call, with the arguments as values.
fn may_become_part(call: &CallPlan, routine: &Routine) -> bool {
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

/// The column that has to be equal to the value. (What lies inside JSON is found by keys that are values too.)
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
