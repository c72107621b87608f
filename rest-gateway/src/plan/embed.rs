//! The items of `select`: columns, and embedded resources with their relation, join conditions and columns.

use std::sync::Arc;

use super::types::{ColumnRef, EmbedSelect, FilterPlan, JoinCondition, Link, ReadPlan, SelectColumn, Spread};
use super::{Context, columns, schema_error};
use crate::error_body::{ErrorBody, Rejection};
use crate::request::filters::Operation;
use crate::request::select::{EmbedItem, FieldItem, SelectItem};
use crate::schema_cache::relations::{Cardinality, Kind, Relation};
use crate::schema_cache::tables::QualifiedName;

/// Adds the columns and embedded resources of `select` to a read.
pub fn add_items(
    context: &Context<'_, '_>,
    node: &mut ReadPlan,
    items: &[SelectItem],
) -> Result<(), Rejection> {
    for item in items {
        match item {
            SelectItem::Field(field) => node.select.push(select_column(context, &node.table, field)),
            SelectItem::Embed(item) => {
                let child = child(context, node, item)?;
                node.children.push(child);
            }
        }
    }
    Ok(())
}

fn select_column(context: &Context<'_, '_>, table: &QualifiedName, item: &FieldItem) -> SelectColumn {
    SelectColumn {
        column: columns::output(context.cache, table, &item.field),
        aggregate: item.aggregate,
        aggregate_cast: item.aggregate_cast.clone(),
        cast: item.cast.clone(),
        alias: item.alias.clone(),
    }
}

/// Plans the read for an embedded item of `select`.
fn child(context: &Context<'_, '_>, parent: &ReadPlan, item: &EmbedItem) -> Result<ReadPlan, Rejection> {
    let depth = parent.depth + 1;
    let relation = find(context, &parent.table.name, &item.name, item.hint.as_deref())?;
    let mut node = ReadPlan::new(relation.foreign.clone(), depth);
    let is_junction = matches!(relation.kind, Kind::ManyToMany(_));
    if !is_junction {
        node.alias = Some(format!("{}_{depth}", relation.foreign.name));
    }
    let shown = item.alias.as_deref().unwrap_or(&item.name);
    let spread = item.spread.then(|| match relation.is_to_one() {
        true => Spread::ToOne,
        false => Spread::ToMany { order_columns: Vec::new(), order: Vec::new() },
    });
    node.link = Some(Link {
        name: item.name.clone(),
        alias: item.alias.clone(),
        join: item.join,
        parent: reference(parent),
        conditions: conditions(&relation, parent, &node),
        aggregate_alias: format!("{}_{shown}_{depth}", relation.table.name),
        spread,
        relation,
    });
    add_items(context, &mut node, &item.items)?;
    Ok(node)
}

/// The name or alias that a query uses for the rows of a read.
pub fn reference(node: &ReadPlan) -> QualifiedName {
    match &node.alias {
        Some(alias) => QualifiedName::new("", alias),
        None => node.from.clone(),
    }
}

fn conditions(relation: &Relation, parent: &ReadPlan, node: &ReadPlan) -> Vec<JoinCondition> {
    let (outer, inner) = (reference(parent), reference(node));
    let join =
        |left: &QualifiedName, left_column: &str, right: &QualifiedName, right_column: &str| JoinCondition {
            left: (left.clone(), left_column.to_owned()),
            right: (right.clone(), right_column.to_owned()),
        };
    match &relation.kind {
        Kind::Computed { .. } => Vec::new(),
        Kind::ManyToMany(junction) => {
            let foreign = junction.foreign_columns.iter();
            let own = junction.columns.iter();
            foreign
                .map(|(column, through)| join(&junction.table, through, &inner, column))
                .chain(own.map(|(column, through)| join(&junction.table, through, &outer, column)))
                .collect()
        }
        Kind::Direct { columns, .. } => {
            columns.iter().map(|(column, foreign)| join(&inner, foreign, &outer, column)).collect()
        }
    }
}

/// Finds the relation between an origin and a target. The target is a table, a foreign key or a column. A hint
/// resolves ambiguities.
fn find(
    context: &Context<'_, '_>,
    origin: &str,
    target: &str,
    hint: Option<&str>,
) -> Result<Arc<Relation>, Rejection> {
    let schema = &context.request.schema;
    let mut found: Vec<Arc<Relation>> = context
        .cache
        .relations_of(schema, origin)
        .iter()
        .filter(|relation| matches_target(relation, target, hint))
        .cloned()
        .collect();
    match found.len() {
        0 => Err(schema_error::no_relation(context.cache, schema, origin, target, hint)),
        1 => Ok(found.remove(0)),
        _ => Err(schema_error::ambiguous_relation(origin, target, &found)),
    }
}

fn matches_target(relation: &Relation, target: &str, hint: Option<&str>) -> bool {
    let is_table = target == relation.foreign.name;
    let single = match relation.key() {
        Some((_, columns)) if columns.len() == 1 => columns.first(),
        _ => None,
    };
    let column_is = |name: &str| single.is_some_and(|(own, _)| own == name);
    let foreign_column_is = |name: &str| single.is_some_and(|(_, foreign)| foreign == name);
    let constraint_is = |name: &str| relation.key().is_some_and(|(constraint, _)| constraint == name);
    match (&relation.kind, hint) {
        (Kind::Computed { function, .. }, _) => target == function.name,
        // For a self-reference the table name means the to-many side and the column name the to-one side.
        (Kind::Direct { cardinality: Cardinality::OneToMany, .. }, None) if relation.is_self => is_table,
        (Kind::Direct { cardinality: Cardinality::ManyToOne, .. }, None) if relation.is_self => {
            column_is(target)
        }
        (Kind::Direct { cardinality: Cardinality::OneToMany, .. }, Some(hint)) if relation.is_self => {
            is_table && foreign_column_is(hint)
        }
        _ if relation.is_self => false,
        (_, None) => is_table || !relation.foreign_is_view && (constraint_is(target) || column_is(target)),
        (Kind::ManyToMany(junction), Some(hint)) => is_table && junction.table.name == hint,
        (_, Some(hint)) => is_table && (constraint_is(hint) || column_is(hint) || foreign_column_is(hint)),
    }
}

/// A filter, order or limit names a resource that `select` does not embed.
pub fn not_embedded(resource: &str) -> Rejection {
    let message = format!("'{resource}' is not an embedded resource in this request");
    ErrorBody::bad_request("PGRST108", message)
        .hint(format!("Verify that '{resource}' is included in the 'select' query parameter."))
}

/// `order=clients(name)` requires an embedded to-one resource.
pub fn relate_orders(node: &mut ReadPlan) -> Result<(), Rejection> {
    for term in &mut node.order {
        let Some(relation) = &term.relation else { continue };
        let links = node.children.iter().filter_map(|child| child.link.as_ref());
        let Some(link) = links.into_iter().find(|link| link.shown_name() == relation) else {
            return Err(not_embedded(relation));
        };
        if !link.relation.is_to_one() {
            let (origin, target) = (&node.table.name, link.shown_name());
            let message = format!("A related order on '{target}' is not possible");
            return Err(ErrorBody::bad_request("PGRST118", message).details(format!(
                "'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship"
            )));
        }
        term.relation = Some(link.aggregate_alias.clone());
    }
    node.children.iter_mut().try_for_each(relate_orders)
}

/// `clients=is.null` tests whether an embedded resource exists, if one has that name.
pub fn add_null_filters(node: &mut ReadPlan) {
    let links: Vec<(&str, &str)> = node
        .children
        .iter()
        .filter_map(|child| child.link.as_ref())
        .map(|link| (link.shown_name(), link.aggregate_alias.as_str()))
        .collect();
    if !links.is_empty() {
        for filter in &mut node.filters {
            replace_null_filter(filter, &links);
        }
    }
    node.children.iter_mut().for_each(add_null_filters);
}

fn replace_null_filter(filter: &mut FilterPlan, links: &[(&str, &str)]) {
    match filter {
        FilterPlan::Group { members, .. } => {
            for member in members {
                replace_null_filter(member, links);
            }
        }
        FilterPlan::Column { column, condition } if column.path.is_empty() => {
            let link = links.iter().find(|(name, _)| *name == column.name);
            if let (Some((_, alias)), Operation::Is("NULL")) = (link, &condition.operation) {
                *filter =
                    FilterPlan::Embed { aggregate_alias: (*alias).to_owned(), negated: condition.negated };
            }
        }
        FilterPlan::Column { .. } | FilterPlan::Embed { .. } | FilterPlan::Missing(_) => {}
    }
}

/// Adds the columns that each child contributes to its parent.
pub fn add_selects(node: &mut ReadPlan) {
    node.children.iter_mut().for_each(add_selects);
    node.embeds = node.children.iter().filter_map(select).collect();
}

fn select(child: &ReadPlan) -> Option<EmbedSelect> {
    let link = child.link.as_ref()?;
    let aggregate_alias = link.aggregate_alias.clone();
    if link.spread.is_some() {
        return Some(EmbedSelect::Spread { aggregate_alias, columns: spread_columns(child) });
    }
    Some(EmbedSelect::Json {
        aggregate_alias,
        name: link.shown_name().to_owned(),
        array: !link.relation.is_to_one(),
        empty: is_empty(child),
    })
}

/// `clients()` is embedded only for filtering and does not appear in the result.
fn is_empty(node: &ReadPlan) -> bool {
    node.select.is_empty() && node.children.iter().all(is_empty)
}

fn spread_columns(node: &ReadPlan) -> Vec<SelectColumn> {
    let column = |name: &str| SelectColumn::plain(ColumnRef::unknown(name, Vec::new()), None);
    let own = node.select.iter().map(|select| column(select.alias.as_deref().unwrap_or(&select.column.name)));
    let embedded = node.embeds.iter().flat_map(|embed| match embed {
        EmbedSelect::Json { empty: true, .. } => Vec::new(),
        EmbedSelect::Json { name, .. } => vec![column(name)],
        EmbedSelect::Spread { columns, .. } => columns.clone(),
    });
    own.chain(embedded).collect()
}
