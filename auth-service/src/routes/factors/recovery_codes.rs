//! `/factors/recovery-codes`: the API of auth-js's `mfa.recoveryCodes`.
//!
//! Supabase lists the codes as a factor. Here they belong to the account's apps and end with the last one, and
//! `user.factors` doesn't list them, because auth-js before 2.119 fails on factors of an unknown type.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::verify::{count_attempt, open_session, wrong_code};
use super::{RECOVERY_CODE, no_session, session_of, stepped_up_recently};
use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::domain::recovery_code::{self, CODES};
use crate::error::{AuthError, Result};
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::shape::session::Session;
use crate::sign_in;
use crate::store::{factors, second_steps, sessions, users};

#[derive(Serialize)]
pub struct Status {
    id: Uuid,
    #[serde(rename = "type")]
    kind: &'static str,
    total: usize,
    remaining: i64,
    created_at: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
pub struct Codes {
    id: Uuid,
    #[serde(rename = "type")]
    kind: &'static str,
    total: usize,
    codes: Vec<String>,
}

#[derive(Deserialize)]
pub struct Proof {
    #[serde(default)]
    code: String,
}

/// Without codes, the response has zeros instead of Supabase's 404, so that the account page needs no failing
/// request.
pub async fn get(State(service): State<Shared>, caller: SignedIn) -> Result<Json<Status>> {
    let mut connection = service.pool.acquire().await?;
    let (remaining, created_at) = second_steps::recovery_codes(&mut connection, caller.user.id).await?;
    Ok(Json(Status {
        id: recovery_code::set_id(caller.user.id),
        kind: RECOVERY_CODE,
        total: if created_at.is_some() { CODES } else { 0 },
        remaining,
        created_at,
    }))
}

/// `POST /factors/recovery-codes` and `/factors/recovery-codes/regenerate`: ten new codes, which are shown only
/// in this response. Earlier codes stop working.
pub async fn post(State(service): State<Shared>, caller: SignedIn) -> Result<Json<Codes>> {
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    // Locked, so that of two concurrent requests, the codes of the later one are valid.
    let user = users::lock(&mut transaction, caller.user.id).await?;
    if !user.is_some_and(|user| user.has_factor()) || !stepped_up_recently(session_of(&caller)?, now) {
        return Err(AuthError::forbidden("insufficient_aal", "AAL2 required to create recovery codes"));
    }
    let codes: Vec<_> = (0..CODES).map(|_| recovery_code::random()).collect();
    let hashes: Vec<_> = codes.iter().map(|code| recovery_code::hash(caller.user.id, code)).collect();
    second_steps::replace_recovery_codes(&mut transaction, caller.user.id, &hashes, now).await?;
    transaction.commit().await?;
    SecurityEvent::RecoveryCodesReplaced.of_account(caller.user.id, &caller.client);
    Ok(Json(Codes { id: recovery_code::set_id(caller.user.id), kind: RECOVERY_CODE, total: CODES, codes }))
}

/// `POST /factors/recovery-codes/verify`: the second step of a sign-in without a challenge. Attempts count like
/// those of the app.
pub async fn verify(
    State(service): State<Shared>,
    caller: SignedIn,
    JsonBody(body): JsonBody<Proof>,
) -> Result<Session> {
    let now = service.now();
    let from = session_of(&caller)?.id;
    if !body.code.contains(|letter: char| letter.is_ascii_alphanumeric()) {
        return Err(AuthError::validation("Code needs to be non-empty"));
    }
    let mut transaction = service.pool.begin().await?;
    // Comes first, because it serializes the account's attempts.
    count_attempt(&mut transaction, &caller, now).await?;
    // A concurrent verification may have replaced it.
    let from = sessions::by_id(&mut transaction, from).await?.ok_or_else(no_session)?;
    let Some(app) = use_code(&mut transaction, caller.user.id, &body.code).await? else {
        transaction.commit().await?;
        return Err(wrong_code(&caller, "Invalid recovery code entered"));
    };
    second_steps::forget_attempts(&mut transaction, caller.user.id).await?;
    let session = open_session(&service, &mut transaction, &caller, &from, app, RECOVERY_CODE, now).await?;
    transaction.commit().await?;
    sign_in::record(&session, RECOVERY_CODE, &caller.client);
    Ok(session)
}

/// The app that the code replaces. `None` if the code is wrong or used, or the account has no verified app.
async fn use_code(connection: &mut PgConnection, user_id: Uuid, code: &str) -> Result<Option<Uuid>> {
    let Some(app) = factors::oldest_verified(connection, user_id).await? else { return Ok(None) };
    let hash = recovery_code::hash(user_id, code);
    let is_right = second_steps::use_recovery_code(connection, user_id, &hash).await?;
    Ok(is_right.then_some(app))
}

pub async fn delete(State(service): State<Shared>, caller: SignedIn) -> Result<Json<Value>> {
    if !stepped_up_recently(session_of(&caller)?, service.now()) {
        return Err(AuthError::forbidden("insufficient_aal", "AAL2 required to delete recovery codes"));
    }
    let mut transaction = service.pool.begin().await?;
    if !second_steps::delete_recovery_codes(&mut transaction, caller.user.id).await? {
        let message = "The user has not enrolled recovery codes";
        return Err(AuthError::not_found("mfa_factor_not_found", message));
    }
    transaction.commit().await?;
    SecurityEvent::RecoveryCodesRemoved.of_account(caller.user.id, &caller.client);
    Ok(Json(json!({ "id": recovery_code::set_id(caller.user.id) })))
}
