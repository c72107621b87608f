//! Inserts, updates and deletes. The body goes to PostgreSQL as one JSON parameter.

use bytes::Bytes;

use super::filter;
use super::fragment::{Param, Sql};
use crate::plan::mutate::{Change, Conflict, Insert, MutatePlan};
use crate::plan::payload::PayloadColumn;
use crate::request::preferences::Resolution;
use crate::schema_cache::tables::QualifiedName;

const BODY: &str = "pgrst_body";

/// Increments a counter for every inserted row and decrements it for conflicting ones, so that an upsert
/// can tell whether it created rows.
const COUNT_UP: &str = "set_config('pgrst.inserted', \
    (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) + 1)::text, true) <> '0'";
const COUNT_DOWN: &str = "set_config('pgrst.inserted', \
    (coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0) - 1)::text, true) <> '-1'";

pub fn statement(sql: &mut Sql, plan: &MutatePlan) {
    match &plan.change {
        Change::Insert(options) => insert(sql, plan, options),
        Change::Update => update(sql, plan),
        Change::Delete => {
            sql.push("DELETE FROM ").name(&plan.table);
            conditions(sql, plan);
            returned(sql, plan);
        }
    }
}

fn insert(sql: &mut Sql, plan: &MutatePlan, options: &Insert) {
    sql.push("INSERT INTO ").name(&plan.table);
    if !plan.columns.is_empty() {
        sql.push("(")
            .separated(&plan.columns, ", ", |sql, column| {
                sql.ident(&column.name);
            })
            .push(")");
    }
    sql.push(" SELECT ").separated(&plan.columns, ", ", |sql, column| {
        sql.ident(BODY).push(".").ident(&column.name);
    });
    payload(sql, plan);
    let conflict = options.on_conflict();
    let merges = conflict.is_some_and(|conflict| conflict.resolution == Resolution::MergeDuplicates);
    let mut separator = " WHERE ";
    let mut next = |sql: &mut Sql| {
        sql.push(std::mem::replace(&mut separator, " AND "));
    };
    if merges {
        next(sql);
        sql.push(COUNT_UP);
    }
    let body = QualifiedName::new("", BODY);
    for one in &plan.filters {
        next(sql);
        filter::filter(sql, &body, one);
    }
    if let Some(conflict) = conflict.filter(|conflict| !conflict.columns.is_empty()) {
        on_conflict(sql, plan, conflict);
    }
    returned(sql, plan);
}

fn on_conflict(sql: &mut Sql, plan: &MutatePlan, conflict: &Conflict) {
    sql.push(" ON CONFLICT(").separated(&conflict.columns, ", ", |sql, name| {
        sql.ident(name);
    });
    if conflict.resolution == Resolution::IgnoreDuplicates || plan.columns.is_empty() {
        sql.push(") DO NOTHING");
        return;
    }
    sql.push(") DO UPDATE SET ").separated(&plan.columns, ", ", |sql, column| {
        sql.ident(&column.name).push(" = EXCLUDED.").ident(&column.name);
    });
    sql.push(" WHERE ").push(COUNT_DOWN);
}

fn update(sql: &mut Sql, plan: &MutatePlan) {
    if plan.columns.is_empty() {
        // Nothing to set. Select the columns without touching any row.
        let table = QualifiedName::new("", &plan.table.name);
        sql.push("SELECT ");
        if plan.returning.is_empty() {
            sql.push("NULL");
        }
        sql.separated(&plan.returning, ", ", |sql, name| {
            sql.column(&table, name);
        });
        sql.push(" FROM ").name(&plan.table).push(" WHERE false");
        return;
    }
    sql.push("UPDATE ").name(&plan.table).push(" SET ").separated(&plan.columns, ", ", |sql, column| {
        sql.ident(&column.name).push(" = ").ident(BODY).push(".").ident(&column.name);
    });
    payload(sql, plan);
    conditions(sql, plan);
    returned(sql, plan);
}

fn payload(sql: &mut Sql, plan: &MutatePlan) {
    from_body(sql, &plan.body, &plan.columns, plan.use_defaults, "");
}

fn conditions(sql: &mut Sql, plan: &MutatePlan) {
    if !plan.filters.is_empty() {
        let write = |sql: &mut Sql, one| filter::filter(sql, &plan.table, one);
        sql.push(" WHERE ").separated(&plan.filters, " AND ", write);
    }
}

fn returned(sql: &mut Sql, plan: &MutatePlan) {
    sql.push(" RETURNING ");
    if plan.returning.is_empty() {
        // Only the row count is needed.
        sql.push("1");
    }
    sql.separated(&plan.returning, ", ", |sql, name| {
        sql.column(&plan.table, name);
    });
}

/// Writes `FROM …` with the body's objects as rows named `pgrst_body`. Only the first character decides
/// between an object and an array; PostgreSQL validates the body.
pub fn from_body(sql: &mut Sql, body: &Bytes, columns: &[PayloadColumn], use_defaults: bool, limit: &str) {
    let is_object = body.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{');
    let json = if use_defaults { "jsonb" } else { "json" };
    sql.push(" FROM (SELECT ").param(Param::Json(body.clone())).push("::").push(json);
    sql.push(" AS json_data) pgrst_payload, ");
    if use_defaults {
        defaults(sql, columns, is_object);
    }
    let source = if use_defaults { "pgrst_json_defs.val" } else { "pgrst_payload.json_data" };
    sql.push("LATERAL (SELECT ").separated(columns, ", ", |sql, column| match &column.transform {
        Some(function) => {
            sql.push(function).push("(").ident(&column.name).push(") AS ").ident(&column.name);
        }
        None => {
            sql.ident(&column.name);
        }
    });
    sql.push(" FROM ");
    if columns.is_empty() {
        if is_object {
            sql.push("(values(1)) _ ");
        } else {
            sql.push(json).push("_array_elements(").push(source).push(") _ ");
        }
    } else {
        sql.push(json)
            .push(if is_object { "_to_record(" } else { "_to_recordset(" })
            .push(source)
            .push(") AS _(");
        sql.separated(columns, ", ", |sql, column| {
            sql.ident(&column.name).push(" ").push(&column.kind);
        });
        sql.push(") ").push(limit);
    }
    sql.push(") pgrst_body");
}

/// Adds the column defaults for missing properties.
fn defaults(sql: &mut Sql, columns: &[PayloadColumn], is_object: bool) {
    let object = |sql: &mut Sql| {
        let with_default = columns.iter().filter_map(|column| Some((&column.name, column.default.as_ref()?)));
        sql.push("jsonb_build_object(");
        sql.separated(with_default, ", ", |sql, (name, default)| {
            sql.literal(name).push(", ").push(default);
        });
        sql.push(")");
    };
    if is_object {
        sql.push("LATERAL (SELECT ");
        object(sql);
        sql.push(" || pgrst_payload.json_data AS val) pgrst_json_defs, ");
    } else {
        sql.push("LATERAL (SELECT jsonb_agg(");
        object(sql);
        sql.push(
            " || elem) AS val FROM jsonb_array_elements(pgrst_payload.json_data) elem) pgrst_json_defs, ",
        );
    }
}
