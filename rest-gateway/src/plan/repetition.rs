//! Limits how often a response can contain the same data. PostgreSQL builds the response in memory, so a short request that
//! selects a column a thousand times, or lists within rows that lists share, could use all of it.

use std::collections::HashMap;

use super::types::{ColumnRef, ReadPlan};
use crate::error_body::{ErrorBody, Rejection};
use crate::schema_cache::SchemaCache;
use crate::schema_cache::tables::QualifiedName;

/// How often a request may select a whole column.
const MAX_COPIES: usize = 32;
/// How often it may select parts of a JSON column.
const MAX_PARTS: usize = 256;
/// How many lists may repeat the rows of others on one path. Each one multiplies the size of the response.
const MAX_REPEATED_LISTS: usize = 1;

/// # Errors
/// When the request selects something too often.
pub fn check(root: &ReadPlan, cache: &SchemaCache) -> Result<(), Rejection> {
    for (Selected { name, is_part, .. }, count) in counts(root, cache) {
        let name = if name == COMPUTED { "(computed)" } else { name };
        if !is_part && count > MAX_COPIES {
            let times = format!("{count} times; {MAX_COPIES} times are allowed");
            return Err(too_many(&format!("the column {name} is selected {times}")));
        }
        if is_part && count > MAX_PARTS {
            let selected = format!("are selected; {MAX_PARTS} are allowed");
            return Err(too_many(&format!("{count} parts of the column {name} {selected}")));
        }
    }
    if repeated_lists(root) > MAX_REPEATED_LISTS {
        return Err(too_many("lists of lists are embedded in rows that several parents share"));
    }
    Ok(())
}

/// The response could be many times as large as the tables.
fn too_many(details: &str) -> Rejection {
    ErrorBody::bad_request("GATEWAY_TOO_MANY_COPIES", "The request selects the same data too often")
        .details(details)
        .hint("Split the request into several.")
}

/// How often the most frequently selected column is selected.
pub fn copies(root: &ReadPlan, cache: &SchemaCache) -> usize {
    let whole = counts(root, cache).into_iter().filter(|(selected, _)| !selected.is_part);
    whole.map(|(_, count)| count).max().unwrap_or_default()
}

/// The largest number of lists on one path that are embedded in rows that several parents share:
/// `books?select=*,authors(*,books(*))` returns all books of an author once for each book.
pub fn repeated_lists(root: &ReadPlan) -> usize {
    repeated_below(root, false)
}

fn repeated_below(node: &ReadPlan, is_shared: bool) -> usize {
    let below = node.children.iter().map(|child| {
        let Some(link) = &child.link else { return 0 };
        let is_list = !link.relation.is_to_one();
        let has_one_parent = link.relation.is_one_to_many();
        usize::from(is_list && is_shared) + repeated_below(child, is_shared || !has_one_parent)
    });
    below.max().unwrap_or_default()
}

/// A column, or parts of a JSON column.
#[derive(PartialEq, Eq, Hash)]
struct Selected<'p> {
    table: &'p QualifiedName,
    name: &'p str,
    is_part: bool,
}

/// Fields that are no columns. PostgreSQL can apply functions such as `to_json` to the whole row.
const COMPUTED: &str = "";

/// How often a request selects each column, in all resources together.
fn counts<'p>(root: &'p ReadPlan, cache: &'p SchemaCache) -> HashMap<Selected<'p>, usize> {
    let mut counts = HashMap::new();
    count(root, cache, &mut counts);
    counts
}

fn count<'p>(node: &'p ReadPlan, cache: &'p SchemaCache, counts: &mut HashMap<Selected<'p>, usize>) {
    let table = cache.table_named(&node.table);
    let mut add = |name: &'p str, is_part| {
        *counts.entry(Selected { table: &node.table, name, is_part }).or_default() += 1;
    };
    for selected in &node.select {
        let ColumnRef { name, path, full_row, .. } = &selected.column;
        match table {
            Some(table) if selected.is_star() || *full_row => {
                table.columns.iter().for_each(|column| add(&column.name, false));
            }
            Some(table) if table.column(name).is_none() => add(COMPUTED, !path.is_empty()),
            _ => add(name, !path.is_empty()),
        }
    }
    node.children.iter().for_each(|child| count(child, cache, counts));
}
