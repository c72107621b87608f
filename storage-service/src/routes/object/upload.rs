//! `POST` and `PUT /object/{bucket}/{key}`, and `PUT /object/upload/sign/{bucket}/{key}?token=`.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::HeaderMap;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::caller::Caller;
use crate::domain::owner::Owner;
use crate::error::Result;
use crate::routes::object_target::ObjectTarget;
use crate::routes::signed_token::{Scope, TokenQuery, no_token, verify};
use crate::state::AppState;
use crate::store::objects::OnConflict;
use crate::upload::{Permission, Target, upload};

#[derive(Serialize)]
pub struct Output {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "Id")]
    id: Uuid,
}

/// Only the value `true` allows replacing.
pub fn conflict(headers: &HeaderMap) -> OnConflict {
    match headers.get("x-upsert").map(|value| value.as_bytes()) {
        Some(b"true") => OnConflict::Replace,
        _ => OnConflict::Refuse,
    }
}

pub async fn create(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    request: Request,
) -> Result<Json<Output>> {
    let conflict = conflict(request.headers());
    store(&state, &caller, target, conflict, request).await
}

pub async fn replace(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    request: Request,
) -> Result<Json<Output>> {
    store(&state, &caller, target, OnConflict::Replace, request).await
}

async fn store(
    state: &AppState,
    caller: &Caller,
    target: ObjectTarget,
    conflict: OnConflict,
    request: Request,
) -> Result<Json<Output>> {
    let target = Target { bucket: target.bucket, key: target.key, conflict };
    let object = upload(state, target, Permission::Ask(caller), request).await?;
    Ok(Json(Output { key: format!("{}/{}", object.bucket_id, object.name), id: object.id }))
}

#[derive(Serialize)]
pub struct SignedOutput {
    #[serde(rename = "Key")]
    key: String,
}

pub async fn upload_signed(
    State(state): State<AppState>,
    target: ObjectTarget,
    query: Result<Query<TokenQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<SignedOutput>> {
    let Query(query) = query.map_err(|_| no_token())?;
    let claims = verify(&state, &query.token, Scope::Upload, &target)?;
    // The token decides whether the upload may replace an object, not the request.
    let replaces = claims.0.get("upsert").and_then(Value::as_bool).unwrap_or(false);
    let conflict = if replaces { OnConflict::Replace } else { OnConflict::Refuse };
    let owner = Owner { id: claims.text("owner").map(str::to_owned) };
    let target = Target { bucket: target.bucket, key: target.key, conflict };
    let object = upload(&state, target, Permission::Signed(owner), request).await?;
    Ok(Json(SignedOutput { key: format!("{}/{}", object.bucket_id, object.name) }))
}
