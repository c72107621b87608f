//! `POST /object/sign/{bucket}/{key}`: creates a temporary URL for one object.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::signed_token::{SignedClaims, life};
use crate::caller::Caller;
use crate::error::Result;
use crate::render::options::Transformation;
use crate::routes::coerced;
use crate::routes::json_body::JsonBody;
use crate::routes::object_target::ObjectTarget;
use crate::routes::read::find_visible;
use crate::state::AppState;

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    #[serde(default)]
    transform: Option<Transformation>,
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
    let life = life(input.expires_in)?;
    let transformation = input.transform.map(|asked| asked.checked("body/transform")).transpose()?;
    let transformation = transformation.filter(|asked| !asked.is_empty());
    find_visible(&state, &caller, &target).await?;
    let (bucket, key) = (&target.bucket, &target.key);
    Ok(Json(Output { signed_url: signed_url(&state, bucket, key, transformation.as_ref(), life)? }))
}

/// Relative to the base URL of the storage API; the client adds the base and encodes the key.
pub fn signed_url(
    state: &AppState,
    bucket: &str,
    key: &str,
    transformation: Option<&Transformation>,
    life: i64,
) -> Result<String> {
    let now = state.clock.now().timestamp();
    let token = SignedClaims::download(bucket, key, transformation, now, life).sign(state)?;
    let place = if transformation.is_some() { "render/image" } else { "object" };
    Ok(format!("/{place}/sign/{bucket}/{key}?token={token}"))
}
