//! `DELETE /object/{bucket}/{key}`, and `DELETE /object/{bucket}`, which deletes those of the named keys that the caller may
//! delete, and silently skips the rest.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::blobs;
use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::routes::json_body::{JsonBody, check_keys};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::objects::{self, Object};

pub async fn remove(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let mut transaction = caller.begin(&state, "storage.object.delete").await?;
    let deleted = hide_denied(
        objects::delete(&mut transaction, &target.bucket, std::slice::from_ref(&target.key)).await,
    )?;
    if deleted.is_empty() {
        transaction.rollback().await?;
        return Err(refusal(&state, &target).await?);
    }
    let rows = deleted.iter().map(|object| (object.id, object.blob()));
    blobs::remove_with_rows(&state, transaction, rows).await?;
    Ok(Json(json!({ "message": "Successfully deleted" })))
}

/// Distinguishes a missing object from one that the caller may not delete.
async fn refusal(state: &AppState, target: &ObjectTarget) -> Result<ApiError> {
    let there = objects::find(&mut *state.pool.acquire().await?, &target.bucket, &target.key).await?;
    Ok(there.map_or(ApiError::NoSuchKey, |_| ApiError::AccessDenied("Access denied")))
}

#[derive(Deserialize)]
pub struct Input {
    prefixes: Vec<String>,
}

pub async fn remove_many(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Vec<Object>>> {
    check_keys("prefixes", &input.prefixes)?;
    let mut transaction = caller.begin(&state, "storage.object.delete_many").await?;
    let deleted = hide_denied(objects::delete(&mut transaction, &target.bucket, &input.prefixes).await)?;
    let rows = deleted.iter().map(|object| (object.id, object.blob()));
    blobs::remove_with_rows(&state, transaction, rows).await?;
    Ok(Json(deleted))
}
