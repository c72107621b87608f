//! `DELETE /bucket/{bucket}`

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::buckets;

pub async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let mut transaction = caller.begin(&state, "storage.bucket.delete").await?;
    hide_denied(buckets::find(&mut transaction, &target.bucket).await)?.ok_or(ApiError::NoSuchBucket)?;
    transaction.rollback().await?;
    // Checked with our own role: objects that the caller can't see count too.
    if buckets::holds_objects(&mut *state.pool.acquire().await?, &target.bucket).await? {
        return Err(ApiError::BucketNotEmpty);
    }
    let mut transaction = caller.begin(&state, "storage.bucket.delete").await?;
    if !buckets::delete(&mut transaction, &target.bucket).await? {
        return Err(ApiError::AccessDenied("Access denied"));
    }
    transaction.commit().await?;
    Ok(Json(json!({ "message": "Successfully deleted" })))
}
