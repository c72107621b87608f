//! Counts rows without the limit: the conditions of a read without its columns.

use super::filter;
use super::fragment::Sql;
use super::read::from;
use crate::plan::embed::reference;
use crate::plan::types::{FilterPlan, ReadPlan};
use crate::request::select::Join;
use crate::schema_cache::tables::QualifiedName;

pub fn rows(sql: &mut Sql, node: &ReadPlan) {
    let table = reference(node);
    // Two spaces as in PostgREST, for those who search the log.
    sql.push("SELECT 1 ");
    from(sql, node);
    let mut separator = " WHERE ";
    let mut next = |sql: &mut Sql| {
        sql.push(std::mem::replace(&mut separator, " AND "));
    };
    for one in &node.filters {
        next(sql);
        condition(sql, node, &table, one);
    }
    for one in node.link.iter().flat_map(|link| &link.conditions) {
        next(sql);
        filter::join_condition(sql, one);
    }
    for child in node.children.iter().filter(|child| is_inner(child)) {
        next(sql);
        exists(sql, child);
    }
}

fn is_inner(child: &ReadPlan) -> bool {
    child.link.as_ref().is_some_and(|link| link.join == Some(Join::Inner))
}

fn exists(sql: &mut Sql, child: &ReadPlan) {
    sql.push("EXISTS (");
    rows(sql, child);
    sql.push(")");
}

/// A condition on an embedded resource becomes an EXISTS test, because nothing is joined here.
fn condition(sql: &mut Sql, node: &ReadPlan, table: &QualifiedName, plan: &FilterPlan) {
    match plan {
        FilterPlan::Missing(_) => {
            sql.push("false");
        }
        FilterPlan::Embed { aggregate_alias, negated } => {
            let child = node.children.iter().find(|child| {
                child.link.as_ref().is_some_and(|link| link.aggregate_alias == *aggregate_alias)
            });
            sql.push(if *negated { "" } else { "NOT " });
            match child {
                Some(child) => exists(sql, child),
                None => {
                    sql.push("TRUE");
                }
            }
        }
        FilterPlan::Group { negated, operator, members } => {
            filter::group(sql, *negated, *operator, members, |sql, member| {
                condition(sql, node, table, member);
            });
        }
        FilterPlan::Column { .. } => filter::filter(sql, table, plan),
    }
}
