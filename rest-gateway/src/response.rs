//! Builds HTTP responses from query results.

pub mod body;
pub mod budget;
pub mod cors;
pub mod gucs;
pub mod headers;
pub mod openapi;
pub mod timing;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::config::Config;
use crate::error_body::Rejection;
use crate::execute::Outcome;
use crate::media::MediaType;
use crate::plan::Plan;
use crate::request::preferences::{Count, Representation, Resolution};
use crate::request::{Action, Request, range};
use body::ResponseBuilder;

/// # Errors
/// When a function set invalid response headers or an invalid status.
pub fn build(
    plan: &Plan<'_>,
    request: &Request,
    query: &str,
    outcome: Outcome,
    config: &Config,
) -> Result<Response, Rejection> {
    let gucs = gucs::Gucs::read(&outcome)?;
    let response = match plan {
        Plan::Info { allow } => return Ok(info(allow)),
        Plan::Inspect => return Ok(StatusCode::NO_CONTENT.into_response()),
        _ if matches!(plan.media(), Some(MediaType::Plan(_))) => {
            ResponseBuilder::new(StatusCode::OK).content_type(plan.media(), request).body(outcome.body)
        }
        Plan::Read { media, .. } => read(media, request, query, outcome, config),
        Plan::Mutate { media, mutation, .. } => match request.action {
            Action::Create => {
                created(media, headers::has_conflict_target(mutation, request), request, outcome)
            }
            Action::Upsert => upserted(media, request, outcome),
            _ => changed(media, request, outcome),
        },
        Plan::Call { media, routine, .. } => called(media, routine.returns_void(), request, outcome, config),
    };
    let mut response = gucs.apply(response).into_response(request.is_head());
    let warning = plan.read().and_then(headers::legacy_names_warning);
    if let Some(warning) = warning.and_then(|warning| HeaderValue::from_str(&warning).ok()) {
        response.headers_mut().append(header::WARNING, warning);
    }
    Ok(response)
}

fn info(allow: &str) -> Response {
    let mut response = StatusCode::OK.into_response();
    if let Ok(allow) = HeaderValue::from_str(allow) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    response.headers_mut().insert(header::VARY, body::vary());
    *response.body_mut() = Body::empty();
    response
}

/// The total number of rows, according to the count preference.
fn total(request: &Request, outcome: &Outcome, max_rows: Option<i64>) -> Option<i64> {
    match request.preferences.count {
        Some(Count::Planned) if request.action == Action::Read => outcome.planned_total,
        // As in PostgREST, a count within the maximum is exact, and there is none without a maximum.
        Some(Count::Estimated) if request.action == Action::Read => match outcome.total {
            Some(total) if max_rows.is_none_or(|max| total > max) => {
                outcome.planned_total.map(|planned| planned.max(total))
            }
            Some(total) => Some(total),
            None => outcome.planned_total,
        },
        _ => outcome.total,
    }
}

fn read(
    media: &MediaType,
    request: &Request,
    query: &str,
    outcome: Outcome,
    config: &Config,
) -> ResponseBuilder {
    let total = total(request, &outcome, config.database.max_rows);
    let response = ranged(request, outcome.rows, total)
        .header("content-location", headers::content_location(request, query))
        .content_type(Some(media), request)
        .preferences(headers::applied(request));
    with_rows(response, request, total, outcome, config)
}

/// Status and `Content-Range` from the requested, returned and total rows.
fn ranged(request: &Request, rows: i64, total: Option<i64>) -> ResponseBuilder {
    let first = request.range.first;
    let last = first + rows - 1;
    let status = match total {
        Some(total) if first > total => StatusCode::RANGE_NOT_SATISFIABLE,
        Some(total) if rows < total => StatusCode::PARTIAL_CONTENT,
        _ => StatusCode::OK,
    };
    ResponseBuilder::new(status).header("content-range", headers::content_range(first, last, total))
}

fn with_rows(
    response: ResponseBuilder,
    request: &Request,
    total: Option<i64>,
    outcome: Outcome,
    config: &Config,
) -> ResponseBuilder {
    if response.status != StatusCode::RANGE_NOT_SATISFIABLE {
        return response.body(outcome.body);
    }
    let (first, total) = (request.range.first, total.unwrap_or_default());
    let details = format!("An offset of {first} was requested, but there are only {total} rows.");
    response.body(range::unsatisfiable(&details).body(config.error_verbosity))
}

fn created(
    media: &MediaType,
    has_conflict_target: bool,
    request: &Request,
    outcome: Outcome,
) -> ResponseBuilder {
    let preferences = &request.preferences;
    let merges = preferences.resolution == Some(Resolution::MergeDuplicates);
    // For trigger views only the rows that the trigger returned are known.
    let inserted_nothing = merges && outcome.inserted.map_or(outcome.rows, i64::from) <= 0;
    let mut response =
        ResponseBuilder::new(if inserted_nothing { StatusCode::OK } else { StatusCode::CREATED })
            .header("content-range", headers::content_range(1, 0, counted(request, &outcome)))
            .preferences(headers::applied_to_insert(request, has_conflict_target));
    if !outcome.location.is_empty() {
        response = response.header("location", headers::location(request, &outcome.location));
    }
    with_representation(response, media, request, outcome)
}

fn upserted(media: &MediaType, request: &Request, outcome: Outcome) -> ResponseBuilder {
    let status = match request.preferences.representation {
        Some(Representation::Full) if outcome.inserted.unwrap_or_default() > 0 => StatusCode::CREATED,
        Some(Representation::Full) => StatusCode::OK,
        _ => StatusCode::NO_CONTENT,
    };
    let response = ResponseBuilder::new(status).preferences(headers::applied(request));
    with_representation(response, media, request, outcome)
}

/// Updates and deletes.
fn changed(media: &MediaType, request: &Request, outcome: Outcome) -> ResponseBuilder {
    let full = request.preferences.representation == Some(Representation::Full);
    let last = if request.action == Action::Update { outcome.rows - 1 } else { -1 };
    let response = ResponseBuilder::new(if full { StatusCode::OK } else { StatusCode::NO_CONTENT })
        .header("content-range", headers::content_range(0, last, counted(request, &outcome)))
        .preferences(headers::applied(request));
    with_representation(response, media, request, outcome)
}

fn counted(request: &Request, outcome: &Outcome) -> Option<i64> {
    request.preferences.counts_rows().then_some(outcome.rows)
}

fn with_representation(
    response: ResponseBuilder,
    media: &MediaType,
    request: &Request,
    outcome: Outcome,
) -> ResponseBuilder {
    if request.preferences.representation == Some(Representation::Full) {
        response.content_type(Some(media), request).body(outcome.body)
    } else {
        response
    }
}

fn called(
    media: &MediaType,
    returns_void: bool,
    request: &Request,
    outcome: Outcome,
    config: &Config,
) -> ResponseBuilder {
    let mut response = ranged(request, outcome.rows, outcome.total).preferences(headers::applied(request));
    if returns_void {
        response.status = StatusCode::NO_CONTENT;
        return response;
    }
    let response = response.content_type(Some(media), request);
    with_rows(response, request, outcome.total, outcome, config)
}
