//! `POST /object/sign/{bucket}/{key}`: a URL that shows one object for a while.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::list::at_least;
use super::signed_token::SignedClaims;
use crate::caller::Caller;
use crate::error::Result;
use crate::routes::find::{Reader, find};
use crate::routes::json_body::JsonBody;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "expiresIn")]
    expires_in: i64,
}

#[derive(Serialize)]
pub struct Output {
    #[serde(rename = "signedURL")]
    signed_url: String,
}

pub async fn sign(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Output>> {
    target.path()?;
    let life = at_least(1, "expiresIn", input.expires_in)?;
    find(&state, &target, Reader::Caller(&caller)).await?;
    Ok(Json(Output { signed_url: signed_url(&state, &target.bucket, &target.key, life)? }))
}

/// Relative to where the storage API lives; the client puts that before it and encodes the key.
pub fn signed_url(state: &AppState, bucket: &str, key: &str, life: i64) -> Result<String> {
    let token = SignedClaims::download(bucket, key, state.clock.now().timestamp(), life).sign(state)?;
    Ok(format!("/object/sign/{bucket}/{key}?token={token}"))
}
