//! Aggregates and ordering in spread resources.

use super::types::{ColumnRef, EmbedSelect, OrderPlan, ReadPlan, SelectColumn, Spread};
use crate::error_body::{ErrorBody, Rejection};

/// Checks that aggregates are allowed, and prepares the aggregates and the order of spread resources.
pub fn resolve(root: &mut ReadPlan, enabled: bool) -> Result<(), Rejection> {
    if !enabled && uses_aggregates(root) {
        return Err(ErrorBody::bad_request("PGRST123", "Use of aggregate functions is not allowed"));
    }
    hoist(root);
    collect_orders(root)
}

fn uses_aggregates(node: &ReadPlan) -> bool {
    node.select.iter().any(|column| column.aggregate.is_some()) || node.children.iter().any(uses_aggregates)
}

/// An aggregate that moves to a parent, with the resource and the column that it applies to.
struct Hoisted {
    aggregate_alias: String,
    column: String,
    aggregate: &'static str,
    cast: Option<String>,
    alias: Option<String>,
}

/// In a spread to-one resource an aggregate would only see one row, so it moves up to the nearest ancestor
/// that is not spread.
fn hoist(node: &mut ReadPlan) -> Vec<Hoisted> {
    let from_children: Vec<Hoisted> = node.children.iter_mut().flat_map(hoist).collect();
    let spread_alias = node
        .link
        .as_ref()
        .and_then(|link| matches!(link.spread, Some(Spread::ToOne)).then(|| link.aggregate_alias.clone()));
    let Some(alias) = spread_alias else {
        add_hoisted(&mut node.embeds, from_children);
        return Vec::new();
    };
    let mut hoisted: Vec<Hoisted> = node
        .select
        .iter_mut()
        .filter_map(|column| {
            let aggregate = column.aggregate.take()?;
            Some(Hoisted {
                aggregate_alias: alias.clone(),
                column: column.alias.clone().unwrap_or_else(|| column.column.name.clone()),
                aggregate,
                cast: column.aggregate_cast.take(),
                alias: column.alias.clone(),
            })
        })
        .collect();
    hoisted.extend(from_children.into_iter().map(|one| Hoisted { aggregate_alias: alias.clone(), ..one }));
    hoisted
}

fn add_hoisted(embeds: &mut [EmbedSelect], hoisted: Vec<Hoisted>) {
    for one in hoisted {
        for embed in embeds.iter_mut() {
            if let EmbedSelect::Spread { aggregate_alias, columns } = embed
                && *aggregate_alias == one.aggregate_alias
                && let Some(column) = columns
                    .iter_mut()
                    .find(|column| column.column.name == one.column && column.aggregate.is_none())
            {
                column.aggregate = Some(one.aggregate);
                column.aggregate_cast.clone_from(&one.cast);
                column.alias.clone_from(&one.alias);
            }
        }
    }
}

/// Rows of a to-many spread are ordered inside `json_agg`, which needs the order columns selected under
/// their own names.
fn collect_orders(node: &mut ReadPlan) -> Result<(), Rejection> {
    if let Some(link) = &mut node.link
        && matches!(link.spread, Some(Spread::ToMany { .. }))
    {
        let in_embeds = node.embeds.iter().any(|embed| match embed {
            EmbedSelect::Spread { columns, .. } => columns.iter().any(|column| column.aggregate.is_some()),
            EmbedSelect::Json { .. } => false,
        });
        if in_embeds || node.select.iter().any(|column| column.aggregate.is_some()) {
            let details = "Aggregates are not implemented for one-to-many or many-to-many spreads.";
            return Err(ErrorBody::bad_request("PGRST127", "Feature not implemented").details(details));
        }
        let mut order_columns = Vec::new();
        let mut order = Vec::new();
        for (index, term) in std::mem::take(&mut node.order).into_iter().enumerate() {
            let name = format!("{}_{}_{}", link.aggregate_alias, term.column.name, index + 1);
            order.push(OrderPlan {
                relation: None,
                column: ColumnRef::unknown(&name, Vec::new()),
                direction: term.direction,
                nulls: term.nulls,
            });
            order_columns.push((term.relation, SelectColumn::plain(term.column, Some(name))));
        }
        link.spread = Some(Spread::ToMany { order_columns, order });
    }
    node.children.iter_mut().try_for_each(collect_orders)
}
