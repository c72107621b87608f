//! `/factors`: the caller's second factors, with GoTrue's API.

pub mod challenge;
pub mod enroll;
pub mod recovery_codes;
pub mod unenroll;
pub mod verify;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::caller::SignedIn;
use crate::error::{AuthError, Result};
use crate::service::Shared;
use crate::store::factors::{self, FactorRow};
use crate::store::sessions::SessionRow;

const TOTP: &str = "totp";
const RECOVERY_CODE: &str = "recovery_code";
const AAL2: &str = "aal2";
const MAX_NAME_CHARACTERS: usize = 100;
/// How long after its second step a session may change second factors. A session that is stolen later can't.
const RECENT_STEP: TimeDelta = TimeDelta::minutes(15);

/// `{id}` in the path.
pub struct FactorId(Uuid);

impl FromRequestParts<Shared> for FactorId {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self> {
        factor_id(parts, "id").await.map(Self)
    }
}

/// The factor's id in the path.
pub async fn factor_id(parts: &mut Parts, parameter: &str) -> Result<Uuid> {
    let wrong = || AuthError::not_found("validation_failed", "factor_id must be an UUID");
    let named = parts.extract::<RawPathParams>().await.map_err(|_| wrong())?;
    let id = named.iter().find_map(|(name, text)| (name == parameter).then_some(text));
    id.and_then(|text| Uuid::parse_str(text).ok()).ok_or_else(wrong)
}

impl FactorId {
    async fn of(&self, connection: &mut PgConnection, caller: &SignedIn) -> Result<FactorRow> {
        factors::find(connection, caller.user.id, self.0).await?.ok_or_else(not_found)
    }
}

pub fn not_found() -> AuthError {
    AuthError::not_found("mfa_factor_not_found", "Factor not found")
}

/// The caller's session. Tokens without one can't have second factors.
fn session_of(caller: &SignedIn) -> Result<&SessionRow> {
    caller.session.as_ref().ok_or_else(no_session)
}

fn no_session() -> AuthError {
    AuthError::forbidden("session_not_found", "Session from session_id claim in JWT does not exist")
}

/// Whether the session has recently passed the second step.
fn stepped_up_recently(session: &SessionRow, now: DateTime<Utc>) -> bool {
    let methods = session.amr.as_array().map(Vec::as_slice).unwrap_or_default();
    let newest = methods
        .iter()
        .filter(|method| [TOTP, RECOVERY_CODE].iter().any(|step| method["method"] == *step))
        .filter_map(|method| method["timestamp"].as_i64())
        .max();
    session.aal == AAL2 && newest.is_some_and(|at| at > (now - RECENT_STEP).timestamp())
}

/// A session's methods after one more was used: one entry per method, newest first.
fn with_method(amr: &Value, method: &str, now: DateTime<Utc>) -> Value {
    let earlier = amr.as_array().map(Vec::as_slice).unwrap_or_default();
    let earlier = earlier.iter().filter(|entry| entry["method"] != method).cloned();
    let newest = json!({ "method": method, "timestamp": now.timestamp() });
    std::iter::once(newest).chain(earlier).collect()
}

/// `None` for an empty name.
pub fn friendly_name(text: Option<String>) -> Result<Option<String>> {
    let name = text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    match &name {
        Some(name) if name.chars().count() > MAX_NAME_CHARACTERS => {
            let most = format!("friendly_name cannot be longer than {MAX_NAME_CHARACTERS} characters");
            Err(AuthError::validation(most))
        }
        Some(name) if name.contains('\0') => {
            Err(AuthError::validation("friendly_name can't hold a NUL character"))
        }
        _ => Ok(name),
    }
}

pub fn name_conflict(name: &str) -> AuthError {
    let message = format!("A factor with the friendly name {name:?} for this user already exists");
    AuthError::unprocessable("mfa_factor_name_conflict", message)
}
