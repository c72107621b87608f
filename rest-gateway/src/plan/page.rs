//! Decides whether a page's rows are selected before other resources are embedded in them.

use super::types::{EmbedSelect, FilterPlan, OrderPlan, ReadPlan, SelectColumn};
use crate::request::Request;
use crate::request::select::{Join, SelectItem};
use crate::schema_cache::relations::Kind;
use crate::schema_cache::tables::Table;

/// Whether a read of a table needs an alias, because its page may become a subquery. The alias is the table's name, so that
/// PostgreSQL's error messages stay the same.
pub fn may_come_first(request: &Request) -> bool {
    request.query.select.iter().any(|item| matches!(item, SelectItem::Embed(_)))
        && request.query.order.iter().any(|(path, _)| path.is_empty())
}

/// Whether the root may be sorted and limited in a subquery, and joined afterwards. PostgreSQL would otherwise join all rows
/// that it sorts. The page is the same: an outer join removes no rows, so the first rows of the result come
/// from the first rows of the table. This is not possible if a filter or the order needs an embedded
/// resource, or if the select list or the order calls a function with the table's row, because rows of a
/// subquery have no named type.
pub fn comes_first(root: &ReadPlan, table: Option<&Table>) -> bool {
    let Some(table) = table else { return false };
    let is_plain = |column: &SelectColumn| {
        column.aggregate.is_none() && (column.is_star() || table.column(&column.column.name).is_some())
    };
    let is_own = |term: &OrderPlan| term.relation.is_none() && table.column(&term.column.name).is_some();
    root.range.first == 0
        && root.range.limit().is_some()
        && !root.order.is_empty()
        && root.order.iter().all(is_own)
        && root.select.iter().all(is_plain)
        && root.embeds.iter().all(|embed| matches!(embed, EmbedSelect::Json { .. }))
        && root.children.iter().all(is_optional)
        && !root.filters.iter().any(needs_embed)
}

fn is_optional(child: &ReadPlan) -> bool {
    child.link.as_ref().is_some_and(|link| {
        link.join != Some(Join::Inner) && !matches!(link.relation.kind, Kind::Computed { .. })
    })
}

fn needs_embed(filter: &FilterPlan) -> bool {
    match filter {
        FilterPlan::Embed { .. } => true,
        FilterPlan::Group { members, .. } => members.iter().any(needs_embed),
        FilterPlan::Column { .. } | FilterPlan::Missing(_) => false,
    }
}
