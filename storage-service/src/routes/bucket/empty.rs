//! `POST /bucket/{bucket}/empty`: service role only.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::blobs;
use crate::caller::ServiceRole;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::{buckets, objects};

/// Rows per transaction. A crash in between leaves fewer objects, but no rows without blobs.
const BATCH: i64 = 1000;

pub async fn empty(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    buckets::find(&mut *state.pool.acquire().await?, &target.bucket).await?.ok_or(ApiError::NoSuchBucket)?;
    loop {
        let mut transaction = state.pool.begin().await?;
        let deleted = objects::delete_some(&mut transaction, &target.bucket, BATCH).await?;
        if deleted.is_empty() {
            break;
        }
        let deleted =
            deleted.into_iter().map(|(id, version)| (id, version.as_deref().and_then(Version::parse)));
        blobs::remove_with_rows(&state, transaction, deleted).await?;
    }
    Ok(Json(json!({ "message": "Empty bucket has been queued. Completion may take up to an hour." })))
}
