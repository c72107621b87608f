//! `POST /object/upload/sign/{bucket}/{key}`: creates a URL whose holder may upload once on behalf of the
//! caller.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::Serialize;

use super::upload::conflict;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::routes::object_target::ObjectTarget;
use crate::routes::signed_token::SignedClaims;
use crate::state::AppState;
use crate::store::buckets;
use crate::store::objects::OnConflict;
use crate::upload::{BucketRules, try_as};

/// Two hours.
const LIFE_SECONDS: i64 = 7200;

#[derive(Serialize)]
pub struct Output {
    url: String,
    token: String,
}

pub async fn sign_upload(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    headers: HeaderMap,
) -> Result<Json<Output>> {
    let bucket = buckets::find(&mut *state.pool.acquire().await?, &target.bucket)
        .await?
        .ok_or(ApiError::NoSuchBucket)?;
    let path = BucketRules::of(&state, &bucket).path(&target.key)?;
    let conflict = conflict(&headers);
    try_as(&state, &caller, &bucket.id, &path, conflict, "storage.object.sign_upload_url").await?;
    let (owner, upsert) = (caller.owner(), conflict == OnConflict::Replace);
    let now = state.clock.now().timestamp();
    let claims =
        SignedClaims::upload(&bucket.id, path.as_str(), owner.id.as_deref(), upsert, now, LIFE_SECONDS);
    let token = claims.sign(&state)?;
    Ok(Json(Output {
        url: format!("/object/upload/sign/{}/{}?token={token}", bucket.id, path.as_str()),
        token,
    }))
}
