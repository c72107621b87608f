//! `POST` and `PUT /object/{bucket}/{key}`, and `PUT /object/upload/sign/{bucket}/{key}?token=`.

use axum::Json;
use axum::extract::{OriginalUri, Request, State};
use axum::http::{HeaderMap, Method};
use serde_json::{Value, json};

use crate::caller::Caller;
use crate::domain::owner::Owner;
use crate::error::Result;
use crate::routes::object_target::ObjectTarget;
use crate::routes::signed_token::{Scope, verify};
use crate::state::AppState;
use crate::store::objects::OnConflict;
use crate::upload::{Permission, Target, upload};

/// Only the value `true` allows replacing.
pub fn conflict(headers: &HeaderMap) -> OnConflict {
    match headers.get("x-upsert").map(|value| value.as_bytes()) {
        Some(b"true") => OnConflict::Replace,
        _ => OnConflict::Refuse,
    }
}

/// `PUT` always replaces.
pub async fn store(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    request: Request,
) -> Result<Json<Value>> {
    let conflict =
        if request.method() == Method::PUT { OnConflict::Replace } else { conflict(request.headers()) };
    let target = Target { bucket: target.bucket, key: target.key, conflict };
    let object = upload(&state, target, Permission::Ask(&caller), request).await?;
    Ok(Json(json!({ "Key": format!("{}/{}", object.bucket_id, object.name), "Id": object.id })))
}

pub async fn upload_signed(
    State(state): State<AppState>,
    target: ObjectTarget,
    OriginalUri(uri): OriginalUri,
    request: Request,
) -> Result<Json<Value>> {
    let claims = verify(&state, &uri, Scope::Upload, &target)?;
    // The token decides whether the upload may replace an object, not the request.
    let replaces = claims.0.get("upsert").and_then(Value::as_bool).unwrap_or(false);
    let conflict = if replaces { OnConflict::Replace } else { OnConflict::Refuse };
    let owner = Owner { id: claims.text("owner").map(str::to_owned) };
    let target = Target { bucket: target.bucket, key: target.key, conflict };
    let object = upload(&state, target, Permission::Signed(owner), request).await?;
    Ok(Json(json!({ "Key": format!("{}/{}", object.bucket_id, object.name) })))
}
