//! `POST /object/move` changes the key in the row; the blob stays where it is. `POST /object/copy` copies the blob and creates a
//! separate row for it.

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::upload::conflict;
use crate::caller::{Caller, hide_denied};
use crate::domain::mime_type;
use crate::domain::object_path::ObjectPath;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::routes::coerced;
use crate::routes::json_body::JsonBody;
use crate::state::AppState;
use crate::store::buckets::Bucket;
use crate::store::objects::{self, NewObject, Object};
use crate::upload::incoming::{decoded_metadata, fits_a_header};
use crate::upload::{BucketRules, try_as, write_row};
use crate::{blobs, commit, times};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    bucket_id: String,
    source_key: String,
    destination_key: String,
    destination_bucket: Option<String>,
}

struct TransferPaths {
    source_bucket: String,
    source: ObjectPath,
    bucket: Bucket,
    path: ObjectPath,
}

impl Transfer {
    /// # Errors
    /// Fails when a key is malformed or the target bucket is unknown.
    async fn ends(self, state: &AppState) -> Result<TransferPaths> {
        let target = self.destination_bucket.as_deref().unwrap_or(&self.bucket_id);
        let bucket = state.bucket(target).await?;
        let path = BucketRules::new(state, &bucket).path(&self.destination_key)?;
        Ok(TransferPaths {
            source: ObjectPath::parse(&self.source_key)?,
            source_bucket: self.bucket_id,
            path,
            bucket,
        })
    }
}

impl TransferPaths {
    /// Checks the object against the target bucket's rules for uploads. An image bucket accepts nothing from
    /// other buckets, because the bytes have not been validated there.
    ///
    /// # Errors
    /// Fails when the target does not accept the type or size.
    fn check(&self, state: &AppState, object: &Object, mime_type: &str) -> Result<()> {
        let rules = BucketRules::new(state, &self.bucket);
        let marker = self.path.is_folder_marker();
        let allowed = marker || mime_type::allows(self.bucket.allowed_mime_types.as_deref(), mime_type);
        if !allowed || rules.pictures_only && !self.within_bucket(object) {
            return Err(ApiError::InvalidMimeType(mime_type.to_owned()));
        }
        let limit = if marker { 0 } else { rules.limit };
        if object.size() > limit { Err(ApiError::TooLarge) } else { Ok(()) }
    }

    fn within_bucket(&self, object: &Object) -> bool {
        self.bucket.id == object.bucket_id
    }
}

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CopyInput {
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
pub struct CopyOutput {
    #[serde(rename = "Key")]
    key: String,
    #[serde(rename = "Id")]
    id: Uuid,
    #[serde(flatten)]
    object: Object,
}

fn yes() -> bool {
    true
}

pub async fn copy(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
    JsonBody(input): JsonBody<CopyInput>,
) -> Result<Json<CopyOutput>> {
    let ends = input.transfer.ends(&state).await?;
    let conflict = conflict(&headers);
    let mut transaction = caller.begin(&state, "storage.object.copy").await?;
    let source =
        hide_denied(objects::find(&mut transaction, &ends.source_bucket, ends.source.as_str()).await)?;
    transaction.rollback().await?;
    let source = source.ok_or(ApiError::NoSuchKey)?;
    let changes = input.metadata.filter(|_| !BucketRules::new(&state, &ends.bucket).pictures_only);
    let metadata = metadata(&state, &source, changes)?;
    ends.check(&state, &source, metadata["mimetype"].as_str().unwrap_or_default())?;
    try_as(&state, &caller, &ends.bucket.id, &ends.path, conflict, "storage.object.copy").await?;

    let given = headers.get("x-metadata").and_then(|value| value.to_str().ok()).and_then(decoded_metadata);
    let user_metadata = if input.copy_metadata { source.user_metadata.clone() } else { given };
    let from = source.blob().ok_or(ApiError::NoSuchKey)?;
    let object = NewObject {
        bucket: ends.bucket.id,
        name: ends.path.as_str().to_owned(),
        owner: caller.owner(),
        version: Version::random(),
        metadata,
        user_metadata,
        conflict,
    };
    // Detached, so that a client that disconnects now does not leave a blob without its row.
    let copying = tokio::spawn(async move {
        if let Err(error) = state.backend.copy(from, object.version).await {
            // It may have been copied even if the response reports an error.
            blobs::remove_failed(&state, object.version, &error).await;
            return Err(ApiError::from_read(error));
        }
        write_row(&state, &object).await
    });
    let copied = copying.await.map_err(|error| ApiError::Internal(error.into()))??;
    Ok(Json(CopyOutput {
        key: format!("{}/{}", copied.bucket_id, copied.name),
        id: copied.id,
        object: copied,
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
