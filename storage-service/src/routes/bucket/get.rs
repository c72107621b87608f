//! `GET /bucket/{bucket}`

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;

use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::buckets::{self, Bucket};
use crate::times;

#[derive(Serialize)]
pub struct Output {
    id: String,
    name: String,
    /// An empty string when the bucket has no owner.
    owner: String,
    public: bool,
    file_size_limit: Option<i64>,
    allowed_mime_types: Option<Vec<String>>,
    #[serde(serialize_with = "times::serialize")]
    created_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    updated_at: DateTime<Utc>,
}

impl From<Bucket> for Output {
    fn from(bucket: Bucket) -> Self {
        Self {
            id: bucket.id,
            name: bucket.name,
            owner: bucket.owner.map(|owner| owner.to_string()).unwrap_or_default(),
            public: bucket.public,
            file_size_limit: bucket.file_size_limit,
            allowed_mime_types: bucket.allowed_mime_types,
            created_at: bucket.created_at,
            updated_at: bucket.updated_at,
        }
    }
}

pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
) -> Result<Json<Output>> {
    let mut transaction = caller.begin(&state, "storage.bucket.get").await?;
    let bucket =
        hide_denied(buckets::find(&mut transaction, &target.bucket).await)?.ok_or(ApiError::NoSuchBucket)?;
    Ok(Json(bucket.into()))
}
