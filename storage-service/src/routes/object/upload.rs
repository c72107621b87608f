//! `POST` and `PUT /object/{bucket}/{key}`

use axum::Json;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use serde::Serialize;
use uuid::Uuid;

use crate::caller::Caller;
use crate::error::Result;
use crate::routes::object_target::ObjectTarget;
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
