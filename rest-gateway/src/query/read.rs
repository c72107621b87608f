//! Writes the query of a read plan. Each embedded resource is a lateral join.

use super::filter;
use super::fragment::Sql;
use crate::plan::embed::reference;
use crate::plan::types::{EmbedSelect, Link, OrderPlan, ReadPlan, SelectColumn, Spread};
use crate::request::range::RowRange;
use crate::request::select::Join;
use crate::schema_cache::relations::Kind;
use crate::schema_cache::tables::QualifiedName;

pub fn select(sql: &mut Sql, node: &ReadPlan) {
    let table = reference(node);
    sql.push("SELECT ");
    columns(sql, node, &table);
    if node.page_first {
        page(sql, node, &table);
    } else {
        from(sql, node);
    }
    for (embed, child) in node.embeds.iter().zip(&node.children) {
        join(sql, embed, child);
    }
    if !node.page_first {
        conditions(sql, node, &table);
    }
    group_by(sql, node, &table);
    filter::order(sql, &table, &node.order);
    if !is_at_most_one_row(node) {
        limit(sql, node.range);
    }
}

/// The rows of the page as a subquery.
fn page(sql: &mut Sql, node: &ReadPlan, table: &QualifiedName) {
    sql.push(" FROM (SELECT ").column(table, "*");
    from(sql, node);
    conditions(sql, node, table);
    filter::order(sql, table, &node.order);
    limit(sql, node.range);
    sql.push(" ) AS ").ident(&table.name);
}

/// Whether the read is an inner-joined to-one parent. Its limit would have no effect, but would keep the planner from
/// starting with the few parents that a filter selects.
fn is_at_most_one_row(node: &ReadPlan) -> bool {
    let required = node.link.as_ref().filter(|link| link.join == Some(Join::Inner));
    required.is_some_and(|link| {
        matches!(link.relation.kind, Kind::Direct { .. })
            && link.relation.is_to_one()
            && node.range.first == 0
            && node.range.limit().is_none_or(|limit| limit > 1)
    })
}

fn columns(sql: &mut Sql, node: &ReadPlan, table: &QualifiedName) {
    let mut first = true;
    let mut comma = |sql: &mut Sql| {
        if !std::mem::take(&mut first) {
            sql.push(", ");
        }
    };
    if node.select.is_empty() && node.children.is_empty() {
        comma(sql);
        sql.column(table, "*");
    }
    for column in &node.select {
        comma(sql);
        select_column(sql, table, column);
    }
    if let Some(Spread::ToMany { order_columns, .. }) =
        node.link.as_ref().and_then(|link| link.spread.as_ref())
    {
        for (embedded, column) in order_columns {
            comma(sql);
            match embedded {
                Some(alias) => select_column(sql, &QualifiedName::new("", alias), column),
                None => select_column(sql, table, column),
            }
        }
    }
    for embed in &node.embeds {
        match embed {
            EmbedSelect::Json { empty: true, .. } => {}
            EmbedSelect::Json { aggregate_alias, name, array: false, .. } => {
                comma(sql);
                sql.push("row_to_json(").ident(aggregate_alias).push(".*)::jsonb AS ").ident(name);
            }
            EmbedSelect::Json { aggregate_alias, name, array: true, .. } => {
                comma(sql);
                sql.push("COALESCE( ").ident(aggregate_alias).push(".").ident(aggregate_alias);
                sql.push(", '[]') AS ").ident(name);
            }
            EmbedSelect::Spread { aggregate_alias, columns } => {
                let rows = QualifiedName::new("", aggregate_alias);
                for column in columns {
                    comma(sql);
                    select_column(sql, &rows, column);
                }
            }
        }
    }
}

fn select_column(sql: &mut Sql, table: &QualifiedName, column: &SelectColumn) {
    aggregated(sql, column.aggregate, column.aggregate_cast.as_deref(), |sql| {
        cast(sql, column.cast.as_deref(), |sql| filter::result_column(sql, table, &column.column));
    });
    if let Some(alias) = &column.alias {
        sql.push(" AS ").ident(alias);
    }
}

fn aggregated(
    sql: &mut Sql,
    aggregate: Option<&'static str>,
    cast_to: Option<&str>,
    write: impl FnOnce(&mut Sql),
) {
    match aggregate {
        None => write(sql),
        Some(aggregate) => cast(sql, cast_to, |sql| {
            sql.push(aggregate).push("(");
            write(sql);
            sql.push(")");
        }),
    }
}

/// The type name is not quoted, because names such as `int` would not resolve. This is safe: the parser accepts only
/// letters, digits, spaces, `_` and `$`.
fn cast(sql: &mut Sql, to: Option<&str>, write: impl FnOnce(&mut Sql)) {
    let Some(to) = to else { return write(sql) };
    sql.push("CAST( ");
    write(sql);
    sql.push(" AS ").push(to).push(" )");
}

pub fn from(sql: &mut Sql, node: &ReadPlan) {
    sql.push(" FROM ");
    match node.link.as_ref().map(|link| (link, &link.relation.kind)) {
        // Cast the row to its table, so that PostgreSQL finds the right overload for rows from a CTE.
        Some((link, Kind::Computed { function, .. })) => {
            sql.name(function).push("(");
            sql.ident(&link.parent.name).push("::").name(&link.relation.table).push(")");
        }
        _ => {
            sql.name(&node.from);
        }
    }
    if let Some(alias) = &node.alias {
        sql.push(" AS ").ident(alias);
    }
    if let Some((_, Kind::ManyToMany(junction))) = node.link.as_ref().map(|link| (link, &link.relation.kind))
    {
        sql.push(", ").name(&junction.table);
    }
}

fn join(sql: &mut Sql, embed: &EmbedSelect, child: &ReadPlan) {
    let Some(link) = &child.link else { return };
    let inner = link.join == Some(Join::Inner);
    let alias = &link.aggregate_alias;
    sql.push(if inner { " INNER JOIN LATERAL ( " } else { " LEFT JOIN LATERAL ( " });
    let collected = match (embed, &link.spread) {
        (EmbedSelect::Json { array, .. }, _) => *array,
        (EmbedSelect::Spread { .. }, Some(Spread::ToMany { .. })) => true,
        (EmbedSelect::Spread { .. }, _) => false,
    };
    if collected {
        sql.push("SELECT json_agg(").ident(alias).push(")::jsonb AS ").ident(alias);
        if let (EmbedSelect::Spread { columns, .. }, Some(Spread::ToMany { order, .. })) =
            (embed, &link.spread)
        {
            for column in columns {
                sql.push(", ");
                collected_column(sql, link, column, order);
            }
        }
        sql.push(" FROM (");
        select(sql, child);
        sql.push(" ) AS ").ident(alias);
    } else {
        select(sql, child);
    }
    sql.push(" ) AS ").ident(alias).push(" ON ");
    if collected && inner {
        sql.ident(alias).push(".").ident(alias).push(" IS NOT NULL");
    } else {
        sql.push("TRUE");
    }
}

fn collected_column(sql: &mut Sql, link: &Link, column: &SelectColumn, order: &[OrderPlan]) {
    let rows = QualifiedName::new("", &link.aggregate_alias);
    sql.push("COALESCE(json_agg(").column(&rows, &column.column.name);
    filter::order(sql, &rows, order);
    sql.push("),'[]')::jsonb AS ").ident(column.alias.as_deref().unwrap_or(&column.column.name));
}

fn conditions(sql: &mut Sql, node: &ReadPlan, table: &QualifiedName) {
    let joined = node.link.as_ref().map(|link| link.conditions.as_slice()).unwrap_or_default();
    if node.filters.is_empty() && joined.is_empty() {
        return;
    }
    sql.push(" WHERE ").separated(&node.filters, " AND ", |sql, one| filter::filter(sql, table, one));
    if !node.filters.is_empty() && !joined.is_empty() {
        sql.push(" AND ");
    }
    sql.separated(joined, " AND ", filter::join_condition);
}

/// If any column is aggregated, groups by all other columns.
fn group_by(sql: &mut Sql, node: &ReadPlan, table: &QualifiedName) {
    let spread_aggregates = node.embeds.iter().any(|embed| match embed {
        EmbedSelect::Spread { columns, .. } => columns.iter().any(|column| column.aggregate.is_some()),
        EmbedSelect::Json { .. } => false,
    });
    if !spread_aggregates && node.select.iter().all(|column| column.aggregate.is_none()) {
        return;
    }
    let mut separator = " GROUP BY ";
    let mut next = |sql: &mut Sql| {
        sql.push(std::mem::replace(&mut separator, ", "));
    };
    for column in node.select.iter().filter(|column| column.aggregate.is_none()) {
        next(sql);
        match &column.alias {
            Some(alias) => {
                sql.ident(alias);
            }
            None => filter::column(sql, table, &column.column),
        }
    }
    for embed in &node.embeds {
        match embed {
            EmbedSelect::Json { empty: true, .. } => {}
            EmbedSelect::Json { name, .. } => {
                next(sql);
                sql.ident(name);
            }
            EmbedSelect::Spread { aggregate_alias, columns } => {
                for column in columns.iter().filter(|column| column.aggregate.is_none()) {
                    next(sql);
                    let name = column.alias.as_deref().unwrap_or(&column.column.name);
                    sql.column(&QualifiedName::new("", aggregate_alias), name);
                }
            }
        }
    }
}

/// The limit is part of the text, so that a generic plan can use it. Few different limits occur.
fn limit(sql: &mut Sql, range: RowRange) {
    if let Some(limit) = range.limit() {
        sql.push(" LIMIT ").push(&limit.to_string());
    }
    if range.first != 0 {
        sql.push(" OFFSET ").value(range.first.to_string());
    }
}
