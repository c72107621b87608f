//! `GET /object/info/{bucket}/{key}`, and its `public` and `authenticated` forms.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::error::Result;
use crate::routes::read::Read;
use crate::state::AppState;
use crate::store::objects::Object;
use crate::times;

#[derive(Serialize)]
pub struct Output {
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

impl From<&Object> for Output {
    fn from(object: &Object) -> Self {
        let text = |member| object.metadata_text(member).map(str::to_owned);
        Self {
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
        }
    }
}

pub async fn info(State(state): State<AppState>, read: Read) -> Result<Json<Output>> {
    let object = read.find(&state).await?;
    Ok(Json(Output::from(&*object)))
}
