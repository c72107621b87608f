//! `GET` and `POST /factors/recovery-codes`: the number of codes left, and ten new codes, which are shown
//! only in this response.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;

use super::{session_of, stepped_up_recently};
use crate::caller::SignedIn;
use crate::domain::recovery_code::{self, CODES};
use crate::error::{AuthError, Result};
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::store::{second_steps, users};

#[derive(Serialize)]
pub struct Left {
    left: i64,
    created_at: Option<DateTime<Utc>>,
}

#[derive(Serialize)]
pub struct Codes {
    codes: Vec<String>,
}

pub async fn get(State(service): State<Shared>, caller: SignedIn) -> Result<Json<Left>> {
    let mut connection = service.pool.acquire().await?;
    let (left, created_at) = second_steps::recovery_codes(&mut connection, caller.user.id).await?;
    Ok(Json(Left { left, created_at }))
}

/// Earlier codes stop working.
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
    Ok(Json(Codes { codes }))
}
