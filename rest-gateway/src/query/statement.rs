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
const UNKNOWN: &str = "null::bigint";
const ROWS: &str = "pg_catalog.count(_postgrest_t)";

/// Returns `None` for plans without a statement.
pub fn build(plan: &Plan<'_>, request: &Request, max_rows: Option<i64>) -> Option<Sql> {
    let (read, handler) = match plan {
        Plan::Read { read, handler, .. }
        | Plan::Mutate { read, handler, .. }
        | Plan::Call { read, handler, .. } => (read, handler),
        Plan::Inspect | Plan::Info { .. } => return None,
    };
    let mut sql = explain(plan);
    sql.push("WITH pgrst_source AS (");
    let (mut mutation, mut called) = (None, None);
    match plan {
        Plan::Mutate { mutation: change, .. } => {
            mutate::statement(&mut sql, change);
            mutation = Some(change);
        }
        Plan::Call { call, routine, .. } => {
            call::statement(&mut sql, call);
            called = Some(*routine);
        }
        _ => {
            sql.push(" ");
            read::select(&mut sql, read);
            sql.push(" ");
        }
    }
    sql.push(")");
    // One row above the maximum is enough to know that the estimate is needed.
    let limit = match (plan, request.preferences.count) {
        (Plan::Read { .. }, Some(Count::Estimated)) => max_rows.map(|rows| rows.saturating_add(1)),
        _ => None,
    };
    let total = if mutation.is_some() { UNKNOWN } else { total(&mut sql, read, request, limit) };
    let rows = if called.is_some_and(Routine::returns_single) { "1::bigint" } else { ROWS };
    sql.push(" SELECT ").push(total).push(" AS total_result_set, ").push(rows).push(" AS page_total, ");
    if let Some(mutation) = mutation {
        location(&mut sql, mutation, request);
    }
    body(&mut sql, handler, called);
    sql.push(" AS body").push(GUCS).push(inserted(mutation)).push(" AS response_inserted FROM (");
    match plan {
        Plan::Read { .. } => _ = sql.push(" SELECT * FROM pgrst_source "),
        Plan::Mutate { .. } if *handler == Handler::None => _ = sql.push("SELECT * FROM pgrst_source"),
        _ => read::select(&mut sql, read),
    }
    sql.push(") _postgrest_t");
    Some(sql)
}

fn explain(plan: &Plan<'_>) -> Sql {
    let mut sql = Sql::default();
    if let Some(MediaType::Plan(media)) = plan.media() {
        sql.push("EXPLAIN (FORMAT ").push(if media.json { "JSON" } else { "TEXT" });
        for option in &media.options {
            sql.push(", ").push(option);
        }
        sql.push(") ");
    }
    sql
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

/// Adds the count query if the client wants a count and the range may leave out rows. Returns the expression for
/// the total.
fn total(sql: &mut Sql, plan: &ReadPlan, request: &Request, limit: Option<i64>) -> &'static str {
    if !request.preferences.counts_rows() {
        return UNKNOWN;
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

/// Whether an upsert created rows.
fn inserted(mutation: Option<&MutatePlan>) -> &'static str {
    let conflict = mutation.and_then(MutatePlan::insert).and_then(Insert::on_conflict);
    let upserts = conflict.is_some_and(|conflict| conflict.resolution == Resolution::MergeDuplicates);
    if upserts { "nullif(current_setting('pgrst.inserted', true), '')::int" } else { "null::int" }
}

/// Names and values of the primary key, if they are wanted and exactly one row was inserted.
fn location(sql: &mut Sql, mutation: &MutatePlan, request: &Request) {
    let is_wanted = request.preferences.representation == Some(Representation::HeadersOnly);
    let Some(Insert { primary_key, .. }) = mutation.insert().filter(|_| is_wanted) else {
        sql.push(NO_LOCATION).push(" AS header, ");
        return;
    };
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
    sql.push(")), ").push(NO_LOCATION).push(") ELSE ").push(NO_LOCATION).push(" END AS header, ");
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
