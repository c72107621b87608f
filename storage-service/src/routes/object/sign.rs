//! `POST /object/sign/{bucket}/{key}`: creates a temporary URL for one object. `POST /object/sign/{bucket}`: for many keys; a
//! failing key does not fail the others. `POST /object/upload/sign/{bucket}/{key}`: creates a URL whose holder may upload once
//! on behalf of the caller.

use std::collections::HashSet;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::upload::conflict;
use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::render::options::Transformation;
use crate::routes::coerced;
use crate::routes::json_body::{JsonBody, check_keys};
use crate::routes::object_target::ObjectTarget;
use crate::routes::read::find_visible;
use crate::routes::signed_token::{Scope, SignedClaims, life};
use crate::state::AppState;
use crate::store::objects::{self, OnConflict};
use crate::upload::{BucketRules, try_as};

/// Two hours.
const UPLOAD_LIFE_SECONDS: i64 = 7200;
const MISSING: &str = "Either the object does not exist or you do not have access to it";

#[derive(Deserialize)]
pub struct Input {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    #[serde(default)]
    transform: Option<Transformation>,
}

pub async fn sign(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Value>> {
    target.path()?;
    let life = life(input.expires_in)?;
    let transformation =
        input.transform.map(|transformation| transformation.checked("body/transform")).transpose()?;
    let transformation = transformation.filter(|transformation| !transformation.is_empty());
    find_visible(&state, &caller, &target).await?;
    let (bucket, key) = (&target.bucket, &target.key);
    Ok(Json(json!({ "signedURL": signed_url(&state, bucket, key, transformation.as_ref(), life)? })))
}

/// Relative to the base URL of the storage API; the client adds the base and encodes the key.
fn signed_url(
    state: &AppState,
    bucket: &str,
    key: &str,
    transformation: Option<&Transformation>,
    life: i64,
) -> Result<String> {
    let now = state.clock.now().timestamp();
    let token = sign_claims(
        state,
        &SignedClaims {
            owner: None,
            url: format!("{bucket}/{key}"),
            upsert: None,
            transformations: transformation.map(Transformation::to_text),
            scope: Scope::Download,
            iat: now,
            exp: now.saturating_add(life),
        },
    )?;
    let route = if transformation.is_some() { "render/image" } else { "object" };
    Ok(format!("/{route}/sign/{bucket}/{key}?token={token}"))
}

#[derive(Deserialize)]
pub struct ManyInput {
    #[serde(rename = "expiresIn", deserialize_with = "coerced::integer")]
    expires_in: i64,
    paths: Vec<String>,
}

#[derive(Serialize)]
pub struct ManyOutput {
    error: Option<&'static str>,
    path: String,
    #[serde(rename = "signedURL")]
    signed_url: Option<String>,
}

pub async fn sign_many(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<ManyInput>,
) -> Result<Json<Vec<ManyOutput>>> {
    let life = life(input.expires_in)?;
    check_keys("paths", &input.paths)?;
    let mut transaction = caller.begin(&state, "storage.object.sign_many").await?;
    let visible = hide_denied(objects::visible_names(&mut transaction, &target.bucket, &input.paths).await)?;
    transaction.rollback().await?;
    let visible = visible.iter().map(String::as_str).collect::<HashSet<_>>();
    let signed = input.paths.into_iter().map(|path| {
        let is_visible = visible.contains(path.as_str());
        let signed_url =
            is_visible.then(|| signed_url(&state, &target.bucket, &path, None, life)).transpose()?;
        Ok(ManyOutput { error: (!is_visible).then_some(MISSING), path, signed_url })
    });
    signed.collect::<Result<Vec<_>>>().map(Json)
}

pub async fn sign_upload(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    headers: HeaderMap,
) -> Result<Json<Value>> {
    let bucket = state.bucket(&target.bucket).await?;
    let path = BucketRules::new(&state, &bucket).path(&target.key)?;
    let conflict = conflict(&headers);
    try_as(&state, &caller, &bucket.id, &path, conflict, "storage.object.sign_upload_url").await?;
    let (owner, now) = (caller.owner(), state.clock.now().timestamp());
    let url = format!("{}/{}", bucket.id, path.as_str());
    let token = sign_claims(
        &state,
        &SignedClaims {
            owner: owner.id.as_deref(),
            url: url.clone(),
            upsert: Some(conflict == OnConflict::Replace),
            transformations: None,
            scope: Scope::Upload,
            iat: now,
            exp: now.saturating_add(UPLOAD_LIFE_SECONDS),
        },
    )?;
    Ok(Json(json!({ "url": format!("/object/upload/sign/{url}?token={token}"), "token": token })))
}

fn sign_claims(state: &AppState, claims: &SignedClaims<'_>) -> Result<String> {
    state.keys.sign(claims).map_err(|error| ApiError::Internal(error.into()))
}
