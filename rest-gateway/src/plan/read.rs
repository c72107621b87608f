//! Builds the read plan from `select` and the related parameters.

use super::types::{ColumnRef, OrderPlan, ReadPlan, SelectColumn};
use super::{Context, aggregates, columns, embed, page, repetition};
use crate::error_body::Rejection;
use crate::request::Action;
use crate::request::field::{Field, JsonOperand};
use crate::request::order::OrderTerm;
use crate::request::query_string::EmbedPath;
use crate::request::range::RowRange;
use crate::schema_cache::tables::QualifiedName;

/// The CTE with the rows of a mutation or function.
pub const SOURCE: &str = "pgrst_source";

/// Plans a read of the table or, with `from_source`, of the rows that a mutation or function returned.
pub fn plan(
    context: &Context<'_, '_>,
    table: &QualifiedName,
    from_source: bool,
) -> Result<ReadPlan, Rejection> {
    let request = context.request;
    let mut root = ReadPlan::new(table.clone(), 0);
    if from_source {
        root.from = QualifiedName::new("", SOURCE);
    }
    let mutates = matches!(request.action, Action::Create | Action::Update | Action::Upsert | Action::Delete);
    if from_source || page::may_come_first(request) {
        root.alias = Some(table.name.clone());
    }
    embed::add_items(context, &mut root, &request.query.select)?;
    repetition::check(&root, context.cache)?;

    add_filters(context, &mut root, mutates)?;
    for (path, terms) in &request.query.order {
        let node = node_at(context, &mut root, path)?;
        node.order = terms.iter().map(|term| order(context, &node.table, term)).collect();
    }
    if !mutates {
        for (path, range) in request.query.ranges.iter().filter(|(path, _)| !path.is_empty()) {
            node_at(context, &mut root, path)?.range = *range;
        }
        root.range = request.range;
    }
    expand_stars(context, &mut root, false);
    add_aliases(&mut root);
    embed::relate_orders(&mut root)?;
    embed::add_null_filters(&mut root);
    embed::add_selects(&mut root);
    aggregates::resolve(&mut root, context.config.database.aggregates_enabled)?;
    if !mutates {
        limit_rows(&mut root, context.config.database.max_rows);
    }
    root.page_first =
        !from_source && root.alias.is_some() && page::comes_first(&root, context.cache.table_named(table));
    Ok(root)
}

/// Finds the node for a parameter's path.
fn node_at<'t>(
    context: &Context<'_, '_>,
    root: &'t mut ReadPlan,
    path: &EmbedPath,
) -> Result<&'t mut ReadPlan, Rejection> {
    let mut node = root;
    for name in path {
        let shown = |child: &ReadPlan| child.link.as_ref().is_some_and(|link| link.shown_name() == name);
        let named = |child: &ReadPlan| child.link.as_ref().is_some_and(|link| link.name == *name);
        let by_name = !node.children.iter().any(shown);
        let found = node.children.iter_mut().find(|child| if by_name { named(child) } else { shown(child) });
        node = found.ok_or_else(|| embed::not_embedded(name))?;
        if by_name {
            let alias = node.link.as_ref().and_then(|link| link.alias.clone());
            if let Some(alias) = alias.filter(|_| !context.config.legacy_target_names) {
                return Err(embed::not_embedded(name)
                    .details("Target names are not allowed in filters if they have an alias")
                    .hint(format!("Change '{name}' to '{alias}' in filters, orders or limits.")));
            }
            node.called_by_name = true;
        }
    }
    Ok(node)
}

/// The names of resources that parameters used instead of the alias, with the aliases.
pub fn called_by_name(node: &ReadPlan) -> Vec<(&str, &str)> {
    let own = node.link.as_ref().filter(|_| node.called_by_name);
    let own = own.and_then(|link| Some((link.name.as_str(), link.alias.as_deref()?)));
    own.into_iter().chain(node.children.iter().flat_map(called_by_name)).collect()
}

/// A mutation applies the filters of its own table itself, so only those of embedded resources are added.
fn add_filters(context: &Context<'_, '_>, root: &mut ReadPlan, mutates: bool) -> Result<(), Rejection> {
    let query = &context.request.query;
    for (path, tree) in query.filters.iter().filter(|(path, _)| !(mutates && path.is_empty())) {
        let node = node_at(context, root, path)?;
        node.filters.push(columns::filter(context.cache, &node.table, tree));
    }
    Ok(())
}

fn order(context: &Context<'_, '_>, table: &QualifiedName, term: &OrderTerm) -> OrderPlan {
    let column = match &term.relation {
        Some(_) => ColumnRef::unknown(&term.field.name, term.field.path.clone()),
        None => columns::resolve(context.cache, table, &term.field),
    };
    OrderPlan { relation: term.relation.clone(), column, direction: term.direction, nulls: term.nulls }
}

/// Expands `*` where columns have a representation, are grouped or are collected into arrays.
fn expand_stars(context: &Context<'_, '_>, node: &mut ReadPlan, parent_is_grouped: bool) {
    let spread = node.link.as_ref().and_then(|link| link.spread.as_ref());
    let is_spread = spread.is_some();
    let collected = matches!(spread, Some(super::types::Spread::ToMany { .. }));
    let grouped =
        parent_is_grouped || collected || node.select.iter().any(|column| column.aggregate.is_some());
    if let Some(table) = context.cache.table_named(&node.table)
        && (grouped || columns::has_representation(context.cache, table))
    {
        let selected = std::mem::take(&mut node.select);
        for mut column in selected {
            match (column.is_star(), column.aggregate) {
                (true, None) => node.select.extend(table.columns.iter().map(|known| {
                    let field = Field { name: known.name.clone(), path: Vec::new() };
                    let column_ref = columns::output(context.cache, &node.table, &field);
                    SelectColumn { column: column_ref, ..column.clone() }
                })),
                (true, Some(_)) if is_spread => {
                    column.column.full_row = true;
                    node.select.push(column);
                }
                _ => node.select.push(column),
            }
        }
    }
    for child in &mut node.children {
        expand_stars(context, child, grouped);
    }
}

/// Adds default aliases: the last key for JSON paths, the column name for represented columns, and the function name
/// for aggregates in spread resources.
fn add_aliases(node: &mut ReadPlan) {
    let is_spread = node.link.as_ref().is_some_and(|link| link.spread.is_some());
    for column in node.select.iter_mut().filter(|column| column.alias.is_none()) {
        column.alias = match column.aggregate {
            Some(aggregate) => is_spread.then(|| aggregate.to_ascii_lowercase()),
            None => last_key(&column.column)
                .or_else(|| column.column.transform.as_ref().map(|_| column.column.name.clone())),
        };
    }
    node.children.iter_mut().for_each(add_aliases);
}

fn last_key(column: &ColumnRef) -> Option<String> {
    column.path.last()?;
    let key = column.path.iter().rev().find_map(|step| match &step.operand {
        JsonOperand::Key(key) => Some(key),
        JsonOperand::Index(_) => None,
    });
    Some(key.unwrap_or(&column.name).clone())
}

fn limit_rows(node: &mut ReadPlan, max_rows: Option<i64>) {
    node.range = if node.range.is_limit_zero() { RowRange::NONE } else { node.range.restricted(max_rows) };
    for child in &mut node.children {
        limit_rows(child, max_rows);
    }
}
