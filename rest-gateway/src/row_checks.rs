//! Checks of the number of rows: a single object, `PUT`, `max-affected`, and changes that require a filter.

use crate::execute::Outcome;
use crate::execute::error::CheckError;
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
pub fn check(plan: &Plan<'_>, request: &Request, outcome: &Outcome) -> Result<(), CheckError> {
    let rows = outcome.rows;
    if let Some(statement) = missing_filter(plan) {
        return Err(CheckError::MissingFilter(statement));
    }
    if request.action == Action::Upsert {
        return if rows == 1 { Ok(()) } else { Err(CheckError::PutMismatch) };
    }
    if matches!(plan.media(), Some(MediaType::Singular { .. })) && rows != 1 {
        return Err(CheckError::NotSingular { rows });
    }
    let limited = matches!(request.action, Action::Update | Action::Delete | Action::Call);
    match request.preferences.max_affected {
        Some(most) if limited && request.preferences.is_strict() && rows > most => {
            Err(CheckError::TooManyAffected { rows })
        }
        _ => Ok(()),
    }
}

fn missing_filter(plan: &Plan<'_>) -> Option<&'static str> {
    let Plan::Mutate { mutation, .. } = plan else { return None };
    mutation.missing_filter()
}
