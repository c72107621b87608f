//! Checks of the number of rows: a single object, `PUT`, `max-affected`, and changes that require a filter.

use axum::http::StatusCode;

use crate::error_body::{ErrorBody, Rejection};
use crate::execute::Outcome;
use crate::media::MediaType;
use crate::plan::Plan;
use crate::request::{Action, Request};

/// Whether the number of rows decides if the request succeeds.
pub fn apply(plan: &Plan<'_>, request: &Request) -> bool {
    matches!(plan.media(), Some(MediaType::Singular { .. }))
        || missing_filter(plan).is_some()
        || request.action == Action::Upsert
        || request.preferences.is_strict() && request.preferences.max_affected.is_some()
}

/// # Errors
/// When the request does not allow the number of rows that the statement returned or changed.
pub fn check(plan: &Plan<'_>, request: &Request, outcome: &Outcome) -> Result<(), Rejection> {
    let rows = outcome.rows;
    if let Some(statement) = missing_filter(plan) {
        return Err(ErrorBody::bad_request("21000", format!("{statement} requires a WHERE clause")));
    }
    if request.action == Action::Upsert {
        let message = "Payload values do not match URL in primary key column(s)";
        return if rows == 1 { Ok(()) } else { Err(ErrorBody::bad_request("PGRST115", message)) };
    }
    if matches!(plan.media(), Some(MediaType::Singular { .. })) && rows != 1 {
        let message = "Cannot coerce the result to a single JSON object";
        return Err(ErrorBody::new(StatusCode::NOT_ACCEPTABLE, "PGRST116", message)
            .details(format!("The result contains {rows} rows")));
    }
    let limited = matches!(request.action, Action::Update | Action::Delete | Action::Call);
    match request.preferences.max_affected {
        Some(most) if limited && request.preferences.is_strict() && rows > most => {
            let message = "Query result exceeds max-affected preference constraint";
            Err(ErrorBody::bad_request("PGRST124", message).details(format!("The query affects {rows} rows")))
        }
        _ => Ok(()),
    }
}

fn missing_filter(plan: &Plan<'_>) -> Option<&'static str> {
    let Plan::Mutate { mutation, .. } = plan else { return None };
    mutation.missing_filter()
}
