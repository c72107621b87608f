//! `/bucket`.

use axum::Json;
use axum::extract::{OriginalUri, State};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use super::coerced;
use super::download::query;
use super::json_body::JsonBody;
use super::object_target::ObjectTarget;
use crate::blobs;
use crate::caller::{Caller, ServiceRole, hide_denied};
use crate::domain::bucket_name::BucketName;
use crate::domain::version::Version;
use crate::domain::{byte_size, mime_type};
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::buckets::{self, Bucket, Change, NewBucket, Page, SORT_COLUMNS};
use crate::store::objects;

/// More than any client displays.
const MAX_LIMIT: i64 = 10_000;
/// Rows per transaction that empties a bucket. A crash in between leaves fewer objects, but no rows without blobs.
const BATCH: i64 = 1000;

/// A size limit as clients write it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FileSizeLimit {
    Bytes(u64),
    Text(String),
}

impl FileSizeLimit {
    /// # Errors
    /// Fails when the limit is malformed or exceeds the server's limit.
    fn bytes(&self, max_object_bytes: u64) -> Result<i64> {
        let bytes = match self {
            Self::Bytes(bytes) => i64::try_from(*bytes).map_err(|_| ApiError::TooLarge)?,
            Self::Text(text) => byte_size::parse(text).map_err(|_| {
                ApiError::InvalidRequest(
                    "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B".to_owned(),
                )
            })?,
        };
        if u64::try_from(bytes).is_ok_and(|bytes| bytes > max_object_bytes) {
            return Err(ApiError::TooLarge);
        }
        Ok(bytes)
    }
}

/// # Errors
/// Fails when an entry is not a MIME type.
fn check_types(types: Option<&[String]>) -> Result<()> {
    match types.unwrap_or_default().iter().find(|entry| !mime_type::is_listable(entry)) {
        Some(entry) => Err(ApiError::InvalidMimeType(entry.clone())),
        None => Ok(()),
    }
}

#[derive(Deserialize)]
pub struct NewInput {
    name: String,
    id: Option<String>,
    #[serde(default, deserialize_with = "coerced::optional_boolean")]
    public: Option<bool>,
    file_size_limit: Option<FileSizeLimit>,
    allowed_mime_types: Option<Vec<String>>,
}

/// `POST /bucket`
pub async fn create(
    State(state): State<AppState>,
    caller: Caller,
    JsonBody(input): JsonBody<NewInput>,
) -> Result<Json<Value>> {
    let parse = |name: &str| BucketName::parse(name).ok_or(ApiError::InvalidBucketName);
    let name = parse(&input.name)?;
    let id = parse(input.id.as_deref().unwrap_or(&input.name))?;
    check_types(input.allowed_mime_types.as_deref())?;
    let limit = input.file_size_limit.map(|limit| limit.bytes(state.max_object_bytes));
    let bucket = NewBucket {
        id: id.as_str(),
        name: name.as_str(),
        public: input.public.unwrap_or(false),
        file_size_limit: limit.transpose()?,
        allowed_mime_types: input.allowed_mime_types.as_deref(),
    };
    let mut transaction = caller.begin(&state, "storage.bucket.create").await?;
    buckets::insert(&mut transaction, &bucket, &caller.owner()).await?;
    transaction.commit().await?;
    Ok(Json(json!({ "name": input.name })))
}

/// `GET /bucket/{bucket}`
pub async fn get(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
) -> Result<Json<Bucket>> {
    let mut transaction = caller.begin(&state, "storage.bucket.get").await?;
    let bucket = hide_denied(buckets::find(&mut transaction, &target.bucket).await)?;
    bucket.map(Json).ok_or(ApiError::NoSuchBucket)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListInput {
    limit: Option<i64>,
    offset: Option<i64>,
    sort_column: Option<String>,
    sort_order: Option<String>,
    search: Option<String>,
}

#[derive(Serialize)]
pub struct ListOutput {
    #[serde(flatten)]
    bucket: Bucket,
    r#type: &'static str,
}

/// `GET /bucket`
pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    OriginalUri(uri): OriginalUri,
) -> Result<Json<Vec<ListOutput>>> {
    let input = query(&uri)?;
    let page = page(&input)?;
    let mut transaction = caller.begin(&state, "storage.bucket.list").await?;
    let buckets = hide_denied(buckets::list(&mut transaction, &page).await)?;
    Ok(Json(buckets.into_iter().map(|bucket| ListOutput { bucket, r#type: "STANDARD" }).collect()))
}

fn page(input: &ListInput) -> Result<Page<'_>> {
    let fault = |text: &str| ApiError::Schema(format!("querystring/{text}"));
    if input.limit.is_some_and(|limit| limit < 1) {
        return Err(fault("limit must be >= 1"));
    }
    if input.offset.is_some_and(|offset| offset < 0) {
        return Err(fault("offset must be >= 0"));
    }
    let column = input.sort_column.as_deref().unwrap_or("id");
    let sort = SORT_COLUMNS.into_iter().find(|known| *known == column);
    let sort = sort.ok_or_else(|| fault("sortColumn must be equal to one of the allowed values"))?;
    let descending = match input.sort_order.as_deref() {
        None | Some("asc") => false,
        Some("desc") => true,
        Some(_) => return Err(fault("sortOrder must be equal to one of the allowed values")),
    };
    Ok(Page {
        search: input.search.as_deref(),
        sort,
        descending,
        limit: input.limit.unwrap_or(MAX_LIMIT).min(MAX_LIMIT),
        offset: input.offset.unwrap_or(0),
    })
}

#[derive(Deserialize)]
pub struct ChangeInput {
    #[serde(default, deserialize_with = "coerced::optional_boolean")]
    public: Option<bool>,
    #[serde(default, deserialize_with = "present")]
    file_size_limit: Option<Option<FileSizeLimit>>,
    #[serde(default, deserialize_with = "present")]
    allowed_mime_types: Option<Option<Vec<String>>>,
}

/// Distinguishes `null` from a missing member.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}

/// `PUT /bucket/{bucket}`: members missing from the body keep their values.
pub async fn update(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<ChangeInput>,
) -> Result<Json<Value>> {
    check_types(input.allowed_mime_types.as_ref().and_then(Option::as_deref))?;
    let bytes =
        |limit: Option<FileSizeLimit>| limit.map(|limit| limit.bytes(state.max_object_bytes)).transpose();
    let change = Change {
        public: input.public,
        file_size_limit: input.file_size_limit.map(bytes).transpose()?,
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

/// `POST /bucket/{bucket}/empty`
pub async fn empty(
    State(state): State<AppState>,
    _: ServiceRole,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    state.bucket(&target.bucket).await?;
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

/// `DELETE /bucket/{bucket}`
pub async fn delete(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
) -> Result<Json<Value>> {
    let mut transaction = caller.begin(&state, "storage.bucket.delete").await?;
    hide_denied(buckets::find(&mut transaction, &target.bucket).await)?.ok_or(ApiError::NoSuchBucket)?;
    transaction.rollback().await?;
    // Checked with our own role: objects that the caller can't see count too.
    if buckets::holds_objects(&mut *state.pool.acquire().await?, &target.bucket).await? {
        return Err(ApiError::BucketNotEmpty);
    }
    let mut transaction = caller.begin(&state, "storage.bucket.delete").await?;
    if !buckets::delete(&mut transaction, &target.bucket).await? {
        return Err(ApiError::AccessDenied("Access denied"));
    }
    transaction.commit().await?;
    Ok(Json(json!({ "message": "Successfully deleted" })))
}
