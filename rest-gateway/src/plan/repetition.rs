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
    let selected = Selected::count(root, cache);
    if let Some((name, count)) = selected.most_copied().filter(|(_, count)| *count > MAX_COPIES) {
        let details = format!("the column {name} is selected {count} times; {MAX_COPIES} times are allowed");
        return Err(too_many(&details));
    }
    if let Some((name, count)) = selected.most_divided().filter(|(_, count)| *count > MAX_PARTS) {
        let details = format!("{count} parts of the column {name} are selected; {MAX_PARTS} are allowed");
        return Err(too_many(&details));
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
    Selected::count(root, cache).most_copied().map_or(0, |(_, count)| count)
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

/// How often a request selects each column, in all resources together.
#[derive(Default)]
struct Selected<'p> {
    whole: HashMap<(&'p QualifiedName, &'p str), usize>,
    parts: HashMap<(&'p QualifiedName, &'p str), usize>,
    /// `*`, which contains every column.
    stars: HashMap<&'p QualifiedName, usize>,
}

/// Fields that are no columns. PostgreSQL can apply functions such as `to_json` to the whole row.
const COMPUTED: &str = "";

impl<'p> Selected<'p> {
    fn count(root: &'p ReadPlan, cache: &SchemaCache) -> Self {
        let mut selected = Self::default();
        selected.add(root, cache);
        selected
    }

    fn add(&mut self, node: &'p ReadPlan, cache: &SchemaCache) {
        let table = cache.table_named(&node.table);
        let is_column =
            |name: &str| table.is_none_or(|table| table.columns.iter().any(|column| *column.name == *name));
        for selected in &node.select {
            let ColumnRef { name, path, full_row, .. } = &selected.column;
            let name = if is_column(name) { name.as_str() } else { COMPUTED };
            let count = if selected.is_star() || *full_row {
                self.stars.entry(&node.table).or_default()
            } else if path.is_empty() {
                self.whole.entry((&node.table, name)).or_default()
            } else {
                self.parts.entry((&node.table, name)).or_default()
            };
            *count += 1;
        }
        node.children.iter().for_each(|child| self.add(child, cache));
    }

    fn most_copied(&self) -> Option<(&str, usize)> {
        let stars = |table: &QualifiedName| self.stars.get(table).copied().unwrap_or_default();
        let columns = self.whole.iter().map(|((table, name), count)| (shown(name), count + stars(table)));
        columns.chain(self.stars.values().map(|count| ("*", *count))).max_by_key(|(_, count)| *count)
    }

    fn most_divided(&self) -> Option<(&str, usize)> {
        self.parts.iter().map(|((_, name), count)| (shown(name), *count)).max_by_key(|(_, count)| *count)
    }
}

fn shown<'n>(name: &&'n str) -> &'n str {
    if *name == COMPUTED { "(computed)" } else { name }
}
