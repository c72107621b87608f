//! `POST /object/copy`: copies the blob and creates a separate row for it.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use super::row::Row;
use super::transfer::Transfer;
use super::upload::conflict;
use crate::blobs;
use crate::caller::{Caller, hide_denied};
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::routes::coerced;
use crate::routes::json_body::JsonBody;
use crate::state::AppState;
use crate::store::objects::{self, NewObject, Object};
use crate::times;
use crate::upload::incoming::{decoded_metadata, fits_a_header};
use crate::upload::{BucketRules, try_as, write_row};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    #[serde(flatten)]
    transfer: Transfer,
    #[serde(default = "yes", deserialize_with = "coerced::boolean")]
    copy_metadata: bool,
    metadata: Option<NewMetadata>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewMetadata {
    cache_control: Option<String>,
    content_encoding: Option<String>,
    mime_type: Option<String>,
    /// The alternative spelling, as in the stored metadata.
    mimetype: Option<String>,
}

#[derive(Serialize)]
pub struct Output {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "Id")]
    id: Uuid,
    #[serde(flatten)]
    row: Row,
}

fn yes() -> bool {
    true
}

pub async fn copy(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Output>> {
    let ends = input.transfer.ends(&state).await?;
    let conflict = conflict(&headers);
    let mut transaction = caller.begin(&state, "storage.object.copy").await?;
    let source =
        hide_denied(objects::find(&mut transaction, &ends.source_bucket, ends.source.as_str()).await)?;
    transaction.rollback().await?;
    let source = source.ok_or(ApiError::NoSuchKey)?;
    let changes = input.metadata.filter(|_| !BucketRules::of(&state, &ends.bucket).pictures_only);
    let metadata = metadata(&state, &source, changes)?;
    ends.check(&state, &source, metadata["mimetype"].as_str().unwrap_or_default())?;
    try_as(&state, &caller, &ends.bucket.id, &ends.path, conflict, "storage.object.copy").await?;

    let given = headers.get("x-metadata").and_then(|value| value.to_str().ok()).and_then(decoded_metadata);
    let user_metadata = if input.copy_metadata { source.user_metadata.clone() } else { given };
    let (from, to) = (source.blob().ok_or(ApiError::NoSuchKey)?, Version::random());
    // Detached, so that a client that disconnects now does not leave a blob without its row.
    let copying = tokio::spawn(async move {
        if let Err(error) = state.backend.copy(from, to).await {
            // It may have been copied even if the response reports an error.
            blobs::remove_failed(&state, to, &error).await;
            return Err(match error.kind() {
                std::io::ErrorKind::NotFound => ApiError::NoSuchKey,
                _ => error.into(),
            });
        }
        let object = NewObject {
            bucket: &ends.bucket.id,
            name: ends.path.as_str(),
            owner: &caller.owner(),
            version: to,
            metadata: &metadata,
            user_metadata: user_metadata.as_ref(),
        };
        write_row(&state, &object, conflict).await
    });
    let copied = copying.await.map_err(|error| ApiError::Internal(error.into()))??;
    Ok(Json(Output {
        key: format!("{}/{}", copied.bucket_id, copied.name),
        id: copied.id,
        row: copied.into(),
    }))
}

fn metadata(state: &AppState, source: &Object, changes: Option<NewMetadata>) -> Result<Value> {
    let mut metadata = source.metadata.clone().ok_or(ApiError::NoSuchKey)?;
    metadata["lastModified"] = Value::from(times::iso(state.clock.now()));
    if let Some(changes) = changes {
        let changes = [
            ("cacheControl", changes.cache_control),
            ("contentEncoding", changes.content_encoding),
            ("mimetype", changes.mimetype.or(changes.mime_type)),
        ];
        for (member, text) in changes.into_iter().filter_map(|(member, text)| Some((member, text?))) {
            if !fits_a_header(&text) {
                return Err(ApiError::InvalidRequest(
                    "cacheControl, contentEncoding and mimetype must fit a header".to_owned(),
                ));
            }
            metadata[member] = Value::from(text);
        }
    }
    Ok(metadata)
}
