//! `DELETE /cdn/…`: service role only. Removes the cached resized images. Clearing a cache in front of the
//! service is up to its operator.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::object_target::ObjectTarget;
use crate::caller::ServiceRole;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::render::variants::Variants;
use crate::state::AppState;
use crate::store::objects;

/// The cached images of all buckets.
pub async fn everything(State(state): State<AppState>, _: ServiceRole) -> Result<Json<Value>> {
    purge(&state, Variants::remove_all).await
}

pub async fn object(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let found = objects::find(&mut *state.pool.acquire().await?, &target.bucket, &target.key).await?;
    let version = found.ok_or(ApiError::NoSuchKey)?.blob();
    purge(&state, remove(version)).await
}

pub async fn bucket(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    state.bucket(&target.bucket).await?;
    let versions = objects::versions(&mut *state.pool.acquire().await?, &target.bucket).await?;
    purge(&state, remove(versions)).await
}

fn remove(versions: impl IntoIterator<Item = Version>) -> impl FnOnce(&Variants) {
    let versions: Vec<_> = versions.into_iter().collect();
    move |variants| versions.into_iter().for_each(|version| variants.remove(version))
}

async fn purge(state: &AppState, remove: impl FnOnce(&Variants) + Send + 'static) -> Result<Json<Value>> {
    state.memory.clear();
    let variants = state.variants.clone();
    let purging = tokio::task::spawn_blocking(move || remove(&variants));
    purging.await.map_err(|error| ApiError::Internal(error.into()))?;
    Ok(Json(json!({ "message": "success" })))
}
