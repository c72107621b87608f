//! `PUT /bucket/{bucket}`: members missing from the body keep their values.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::limits::{FileSizeLimit, listable};
use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::routes::coerced;
use crate::routes::json_body::JsonBody;
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::buckets::{self, Change};

#[derive(Deserialize)]
pub struct Input {
    #[serde(default, deserialize_with = "coerced::optional_boolean")]
    public: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    file_size_limit: Option<Option<FileSizeLimit>>,
    #[serde(default, deserialize_with = "given")]
    allowed_mime_types: Option<Option<Vec<String>>>,
}

/// Distinguishes `null` from a missing member.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

pub async fn update(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Value>> {
    listable(input.allowed_mime_types.as_ref().and_then(Option::as_deref).unwrap_or_default())?;
    let limit =
        |limit: Option<FileSizeLimit>| limit.map(|limit| limit.bytes(state.max_object_bytes)).transpose();
    let change = Change {
        public: input.public,
        file_size_limit: input.file_size_limit.map(limit).transpose()?,
        allowed_mime_types: input.allowed_mime_types,
    };
    if change == Change::default() {
        return Err(ApiError::Schema("body must NOT have fewer than 1 properties".to_owned()));
    }
    let mut transaction = caller.begin(&state, "storage.bucket.update").await?;
    if !hide_denied(buckets::update(&mut transaction, &target.bucket, &change).await)? {
        return Err(ApiError::NoSuchBucket);
    }
    transaction.commit().await?;
    Ok(Json(json!({ "message": "Successfully updated" })))
}
