//! `POST /bucket`

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};

use super::limits::{FileSizeLimit, listable};
use crate::caller::Caller;
use crate::domain::bucket_name::BucketName;
use crate::error::Result;
use crate::routes::coerced;
use crate::routes::json_body::JsonBody;
use crate::state::AppState;
use crate::store::buckets::{self, NewBucket};

#[derive(Deserialize)]
pub struct Input {
    name: String,
    id: Option<String>,
    #[serde(default, deserialize_with = "coerced::optional_boolean")]
    public: Option<bool>,
    file_size_limit: Option<FileSizeLimit>,
    allowed_mime_types: Option<Vec<String>>,
}

#[derive(Serialize)]
pub struct Output {
    name: String,
}

pub async fn create(
    State(state): State<AppState>,
    caller: Caller,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Output>> {
    let name = BucketName::parse(&input.name)?;
    let id = BucketName::parse(input.id.as_deref().unwrap_or(&input.name))?;
    listable(input.allowed_mime_types.as_deref().unwrap_or_default())?;
    let bucket = NewBucket {
        id: id.as_str(),
        name: name.as_str(),
        public: input.public.unwrap_or(false),
        file_size_limit: input
            .file_size_limit
            .map(|limit| limit.bytes(state.max_object_bytes))
            .transpose()?,
        allowed_mime_types: input.allowed_mime_types.as_deref(),
    };
    let mut transaction = caller.begin(&state, "storage.bucket.create").await?;
    buckets::insert(&mut transaction, &bucket, &caller.owner()).await?;
    transaction.commit().await?;
    Ok(Json(Output { name: input.name }))
}
