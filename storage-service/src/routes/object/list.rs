//! `POST /object/list/{bucket}`: lists one folder level, with names relative to the prefix.

use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

use crate::caller::{Caller, hide_denied};
use crate::error::Result;
use crate::routes::coerced;
use crate::routes::json_body::{JsonBody, at_least};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::listing::{self, Direction, Entry, FolderQuery, Sort, SortColumn};
use crate::times;

const DEFAULT_LIMIT: i64 = 100;
const MAX_LIMIT: i64 = 10_000;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    prefix: String,
    #[serde(default, deserialize_with = "coerced::optional_integer")]
    limit: Option<i64>,
    #[serde(default, deserialize_with = "coerced::optional_integer")]
    offset: Option<i64>,
    sort_by: Option<SortBy>,
    search: Option<String>,
}

#[derive(Deserialize)]
pub struct SortBy {
    #[serde(default)]
    column: Option<SortColumn>,
    #[serde(default)]
    order: Option<Direction>,
}

impl From<Option<SortBy>> for Sort {
    fn from(wanted: Option<SortBy>) -> Self {
        let wanted = wanted.unwrap_or(SortBy { column: None, order: None });
        Self { column: wanted.column.unwrap_or_default(), direction: wanted.order.unwrap_or_default() }
    }
}

/// Folders have only a name.
#[derive(Serialize)]
pub struct Listed {
    name: String,
    id: Option<Uuid>,
    #[serde(serialize_with = "times::serialize_optional")]
    updated_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "times::serialize_optional")]
    created_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "times::serialize_optional")]
    last_accessed_at: Option<DateTime<Utc>>,
    metadata: Option<Value>,
}

impl From<Entry> for Listed {
    fn from(entry: Entry) -> Self {
        Self {
            name: entry.name,
            id: entry.id,
            updated_at: entry.updated_at,
            created_at: entry.created_at,
            last_accessed_at: entry.last_accessed_at,
            metadata: entry.metadata,
        }
    }
}

pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Vec<Listed>>> {
    let level = FolderQuery {
        bucket: &target.bucket,
        prefix: &folder(&input.prefix),
        search: input.search.as_deref().unwrap_or_default(),
        sort: input.sort_by.into(),
        limit: at_least(1, "limit", input.limit.unwrap_or(DEFAULT_LIMIT))?.min(MAX_LIMIT),
        offset: at_least(0, "offset", input.offset.unwrap_or(0))?,
    };
    if level.prefix.is_empty() && hides_root(&state, &target.bucket, &caller) {
        return Ok(Json(Vec::new()));
    }
    let mut transaction = caller.begin(&state, "storage.object.list").await?;
    let entries = hide_denied(listing::level(&mut transaction, &level).await)?;
    Ok(Json(entries.into_iter().map(Listed::from).collect()))
}

/// The root of an image bucket lists account ids, so it is hidden.
pub fn hides_root(state: &AppState, bucket: &str, caller: &Caller) -> bool {
    !caller.is_service() && state.image_buckets.iter().any(|images| images == bucket)
}

/// A prefix names a folder, with or without the trailing slash.
fn folder(prefix: &str) -> Cow<'_, str> {
    if prefix.is_empty() || prefix.ends_with('/') { prefix.into() } else { format!("{prefix}/").into() }
}
