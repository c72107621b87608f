//! `POST /factors/{id}/challenge`: must be called before a code is verified.

use axum::Json;
use axum::extract::State;
use chrono::TimeDelta;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{FactorId, TOTP};
use crate::caller::SignedIn;
use crate::error::Result;
use crate::service::Shared;
use crate::store::factors;

pub const LIFE: TimeDelta = TimeDelta::minutes(5);

pub async fn post(State(service): State<Shared>, caller: SignedIn, id: FactorId) -> Result<Json<Value>> {
    let (challenge, now) = (Uuid::new_v4(), service.now());
    let mut transaction = service.pool.begin().await?;
    let factor = id.of(&mut transaction, &caller).await?;
    factors::challenge(&mut transaction, factor.id, challenge, caller.client.address, now).await?;
    transaction.commit().await?;
    let expires_at = (now + LIFE).timestamp();
    Ok(Json(json!({ "id": challenge, "type": TOTP, "expires_at": expires_at })))
}
