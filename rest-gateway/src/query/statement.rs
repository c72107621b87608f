//! Builds the single statement of a request. It returns the body, the row counts, and the response headers
//! and status that functions set.

use super::fragment::Sql;
use super::{call, count, mutate, read};
use crate::media::MediaType;
use crate::plan::Plan;
use crate::plan::mutate::{Insert, MutatePlan};
use crate::plan::types::ReadPlan;
use crate::request::Request;
use crate::request::preferences::{Count, Representation, Resolution};
use crate::request::range::RowRange;
use crate::schema_cache::media_handlers::Handler;
use crate::schema_cache::routines::Routine;

const GUCS: &str = ", nullif(current_setting('response.headers', true), '') AS response_headers, \
    nullif(current_setting('response.status', true), '') AS response_status, ";
const NO_LOCATION: &str = "array[]::text[]";
const ROWS: &str = "pg_catalog.count(_postgrest_t)";

/// Returns `None` for plans without a statement.
pub fn build(plan: &Plan<'_>, request: &Request, max_rows: Option<i64>) -> Option<Sql> {
    let mut sql = Sql::default();
    if let Some(MediaType::Plan(media)) = plan.media() {
        sql.push("EXPLAIN (FORMAT ").push(if media.json { "JSON" } else { "TEXT" });
        for option in &media.options {
            sql.push(", ").push(option);
        }
        sql.push(") ");
    }
    match plan {
        Plan::Read { read, handler, .. } => read_statement(&mut sql, read, handler, request, max_rows),
        Plan::Mutate { read, mutation, handler, .. } => {
            mutate_statement(&mut sql, read, mutation, handler, request);
        }
        Plan::Call { read, call, routine, handler, .. } => {
            sql.push("WITH pgrst_source AS (");
            call::statement(&mut sql, call);
            sql.push(")");
            let total = total(&mut sql, read, request, None);
            sql.push(" SELECT ").push(total).push(" AS total_result_set, ");
            sql.push(if routine.returns_single() { "1::bigint" } else { ROWS });
            sql.push(" AS page_total, ");
            body(&mut sql, handler, Some(routine));
            sql.push(" AS body").push(GUCS).push("null::int AS response_inserted FROM (");
            read::select(&mut sql, read);
            sql.push(") _postgrest_t");
        }
        Plan::Inspect | Plan::Info { .. } => return None,
    }
    Some(sql)
}

/// The planner's estimate of the row count.
pub fn planned_count(plan: &Plan<'_>, request: &Request) -> Option<Sql> {
    let Plan::Read { read, media, .. } = plan else { return None };
    let is_requested = matches!(request.preferences.count, Some(Count::Planned | Count::Estimated));
    if !is_requested || matches!(media, MediaType::Plan(_)) {
        return None;
    }
    let mut sql = Sql::default();
    sql.push("EXPLAIN (FORMAT JSON) ");
    count::rows(&mut sql, read);
    Some(sql)
}

fn read_statement(
    sql: &mut Sql,
    plan: &ReadPlan,
    handler: &Handler,
    request: &Request,
    max_rows: Option<i64>,
) {
    sql.push("WITH pgrst_source AS ( ");
    read::select(sql, plan);
    sql.push(" )");
    // One row above the maximum is enough to know that the estimate is needed.
    let limit = match request.preferences.count {
        Some(Count::Estimated) => max_rows.map(|rows| rows.saturating_add(1)),
        _ => None,
    };
    let total = total(sql, plan, request, limit);
    sql.push(" SELECT ").push(total).push(" AS total_result_set, ").push(ROWS).push(" AS page_total, ");
    body(sql, handler, None);
    sql.push(" AS body")
        .push(GUCS)
        .push("null::int AS response_inserted FROM ( SELECT * FROM pgrst_source ) _postgrest_t");
}

/// Adds the count query if the client wants a count and the range may leave out rows. Returns the expression for
/// the total.
fn total(sql: &mut Sql, plan: &ReadPlan, request: &Request, limit: Option<i64>) -> &'static str {
    if !request.preferences.counts_rows() {
        return "null::bigint";
    }
    if plan.range == RowRange::ALL {
        return ROWS;
    }
    sql.push(", pgrst_source_count AS (");
    count::rows(sql, plan);
    if let Some(limit) = limit {
        sql.push(" LIMIT ").push(&limit.to_string());
    }
    sql.push(")");
    "(SELECT pg_catalog.count(*) FROM pgrst_source_count)"
}

fn mutate_statement(
    sql: &mut Sql,
    plan: &ReadPlan,
    mutation: &MutatePlan,
    handler: &Handler,
    request: &Request,
) {
    sql.push("WITH pgrst_source AS (");
    mutate::statement(sql, mutation);
    sql.push(") SELECT null::bigint AS total_result_set, ").push(ROWS).push(" AS page_total, ");
    match mutation.insert() {
        Some(insert) if request.preferences.representation == Some(Representation::HeadersOnly) => {
            location(sql, &insert.primary_key);
        }
        _ => {
            sql.push(NO_LOCATION);
        }
    }
    sql.push(" AS header, ");
    body(sql, handler, None);
    sql.push(" AS body").push(GUCS);
    let conflict = mutation.insert().and_then(Insert::on_conflict);
    let upserts = conflict.is_some_and(|conflict| conflict.resolution == Resolution::MergeDuplicates);
    sql.push(if upserts { "nullif(current_setting('pgrst.inserted', true), '')::int" } else { "null::int" });
    sql.push(" AS response_inserted FROM (");
    if *handler == Handler::None {
        sql.push("SELECT * FROM pgrst_source");
    } else {
        read::select(sql, plan);
    }
    sql.push(") _postgrest_t");
}

/// Names and values of the primary key, if exactly one row was inserted.
fn location(sql: &mut Sql, primary_key: &[String]) {
    sql.push("CASE WHEN pg_catalog.count(_postgrest_t) = 1 THEN coalesce((");
    sql.push("SELECT array_agg(pk.key || '=' || coalesce('eq.' || pk.value, 'is.null')) ");
    sql.push("FROM (SELECT row_to_json(_) AS row FROM pgrst_source AS _ LIMIT 1) data ");
    sql.push("CROSS JOIN json_each_text(data.row) AS pk WHERE pk.key IN (");
    if primary_key.is_empty() {
        sql.push("''");
    }
    sql.separated(primary_key, ", ", |sql, name| {
        sql.literal(name);
    });
    sql.push(")), ").push(NO_LOCATION).push(") ELSE ").push(NO_LOCATION).push(" END");
}

fn body(sql: &mut Sql, handler: &Handler, routine: Option<&Routine>) {
    let scalar = routine.is_some_and(|routine| routine.returns_scalar() || routine.returns_set_of_scalar());
    let rows = if scalar { "json_agg(_postgrest_t.pgrst_scalar)" } else { "json_agg(_postgrest_t)" };
    let single = routine.is_some_and(Routine::returns_single);
    match handler {
        Handler::None => sql.push("''::text"),
        Handler::Json => json(sql, rows, single, false),
        Handler::JsonStrippedArray => json(sql, rows, single, true),
        Handler::SingularJson { strip_nulls } => json(sql, rows, true, *strip_nulls),
        Handler::GeoJson => sql.push(
            "json_build_object('type', 'FeatureCollection', 'features', \
             coalesce(json_agg(ST_AsGeoJSON(_postgrest_t)::json), '[]'))",
        ),
        Handler::Csv => sql.push(
            "(SELECT coalesce(string_agg(a.k, ','), '') FROM (SELECT json_object_keys(r)::text as k FROM \
             (SELECT row_to_json(hh) as r from pgrst_source as hh limit 1) s) a) || E'\\n' || \
             coalesce(string_agg(substring(_postgrest_t::text, 2, length(_postgrest_t::text) - 2), E'\\n'), '')",
        ),
        Handler::Custom { function, target } => {
            sql.name(function).push("(_postgrest_t");
            match target {
                _ if routine.is_some_and(Routine::returns_scalar) => sql.push(".pgrst_scalar"),
                Some(target) => sql.push("::").name(target),
                None => sql,
            };
            sql.push(")")
        }
    };
}

fn json<'s>(sql: &'s mut Sql, rows: &str, single: bool, strip_nulls: bool) -> &'s mut Sql {
    sql.push("coalesce(");
    let aggregate = if single { format!("{rows}->0") } else { rows.to_owned() };
    if strip_nulls {
        sql.push("json_strip_nulls(").push(&aggregate).push(")");
    } else {
        sql.push(&aggregate);
    }
    sql.push(if single { ", 'null')" } else { ", '[]')" })
}
