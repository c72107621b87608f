//! `/object/{bucket}/{key}` and `/object/info/{bucket}/{key}`, and their `public`, `authenticated` and `sign` forms.

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::{ApiError, Result};
use crate::routes::download::{DownloadRequest, answer};
use crate::routes::read::Read;
use crate::state::AppState;
use crate::times;

/// Tries again when the blob is missing: the object may just have been replaced.
pub async fn get(State(state): State<AppState>, read: Read, request: DownloadRequest) -> Result<Response> {
    let expires = read.expires();
    match answer(&state, &*read.find(&state).await?, &request, expires).await {
        Err(ApiError::NoSuchKey) => answer(&state, &*read.find(&state).await?, &request, expires).await,
        answered => answered,
    }
}

#[derive(Serialize)]
pub struct Info {
    id: Uuid,
    /// The full key.
    name: String,
    version: Option<String>,
    bucket_id: String,
    size: u64,
    content_type: Option<String>,
    cache_control: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_encoding: Option<String>,
    etag: Option<String>,
    metadata: Value,
    last_modified: Option<String>,
    #[serde(serialize_with = "times::serialize")]
    created_at: DateTime<Utc>,
}

pub async fn info(State(state): State<AppState>, read: Read) -> Result<Json<Info>> {
    let object = read.find(&state).await?;
    let text = |member| object.metadata_text(member).map(str::to_owned);
    Ok(Json(Info {
        id: object.id,
        size: object.size(),
        content_type: text("mimetype"),
        cache_control: text("cacheControl"),
        content_encoding: text("contentEncoding"),
        etag: text("eTag"),
        last_modified: text("lastModified"),
        name: object.name.clone(),
        version: object.version.clone(),
        bucket_id: object.bucket_id.clone(),
        metadata: object.user_metadata.clone().unwrap_or_else(|| json!({})),
        created_at: object.created_at,
    }))
}
