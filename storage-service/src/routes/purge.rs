//! `DELETE /cdn/…`: service role only. Removes the cached resized images. Clearing a cache in front of the
//! service is up to its operator.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::object_target::ObjectTarget;
use crate::caller::ServiceRole;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::{buckets, objects};

pub async fn object(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let found = objects::find(&mut *state.pool.acquire().await?, &target.bucket, &target.key).await?;
    let version = found.ok_or(ApiError::NoSuchKey)?.blob();
    purge(&state, version).await
}

pub async fn bucket(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let mut connection = state.pool.acquire().await?;
    buckets::find(&mut connection, &target.bucket).await?.ok_or(ApiError::NoSuchBucket)?;
    let versions = objects::versions(&mut connection, &target.bucket).await?;
    drop(connection);
    purge(&state, versions).await
}

async fn purge(state: &AppState, versions: impl IntoIterator<Item = Version>) -> Result<Json<Value>> {
    // The responses, too, which contain resized images.
    state.memory.forget_responses();
    let (variants, versions) = (state.variants.clone(), versions.into_iter().collect::<Vec<_>>());
    let purging = tokio::task::spawn_blocking(move || {
        versions.into_iter().for_each(|version| variants.remove(version));
    });
    purging.await.map_err(|error| ApiError::Internal(error.into()))?;
    Ok(Json(json!({ "message": "success" })))
}
