//! `POST /object/move`: changes the key in the row; the blob stays where it is.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::transfer::Transfer;
use crate::caller::{Caller, hide_denied};
use crate::commit;
use crate::error::{ApiError, Result};
use crate::routes::json_body::JsonBody;
use crate::state::AppState;
use crate::store::objects;

pub async fn move_object(
    State(state): State<AppState>,
    caller: Caller,
    JsonBody(input): JsonBody<Transfer>,
) -> Result<Json<Value>> {
    let ends = input.ends(&state).await?;
    let mut transaction = caller.begin(&state, "storage.object.move").await?;
    let source =
        hide_denied(objects::find(&mut transaction, &ends.source_bucket, ends.source.as_str()).await)?;
    let object = source.ok_or(ApiError::NoSuchKey)?;
    // Limits that were lowered since the upload do not prevent a move within the bucket.
    if !ends.within_bucket(&object) || ends.path.is_folder_marker() {
        ends.check(&state, &object, object.metadata_text("mimetype").unwrap_or_default())?;
    }
    objects::lock_key(&mut transaction, &ends.bucket.id, ends.path.as_str()).await?;
    let moved = objects::rename(&mut transaction, object.id, &ends.bucket.id, ends.path.as_str()).await?;
    let moved = moved.ok_or(ApiError::AccessDenied("Access denied"))?;
    commit::renaming(&state.pool, transaction, &moved).await?;
    Ok(Json(json!({ "message": "Successfully moved" })))
}
