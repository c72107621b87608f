//! `POST /object/list/{bucket}` lists one folder level, with names relative to the prefix. `POST /object/list-v2/{bucket}` lists
//! pages of full keys, optionally grouped by folder.

use std::borrow::Cow;

use axum::Json;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};

use crate::caller::{Caller, hide_denied};
use crate::error::{ApiError, Result};
use crate::routes::coerced;
use crate::routes::json_body::{JsonBody, at_least};
use crate::routes::object_target::ObjectTarget;
use crate::state::AppState;
use crate::store::listing::{self, Cursor, Direction, Entry, FolderQuery, Page, Sort, SortColumn};

const DEFAULT_LIMIT: i64 = 100;
const MAX_LIMIT: i64 = 10_000;
const MAX_PAGE: i64 = 1000;

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

pub async fn list(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<Input>,
) -> Result<Json<Vec<Entry>>> {
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
    Ok(Json(entries))
}

/// The root of an image bucket lists account ids, so it is hidden.
fn hides_root(state: &AppState, bucket: &str, caller: &Caller) -> bool {
    !caller.is_service() && state.is_for_images(bucket)
}

/// A prefix names a folder, with or without the trailing slash.
fn folder(prefix: &str) -> Cow<'_, str> {
    if prefix.is_empty() || prefix.ends_with('/') { prefix.into() } else { format!("{prefix}/").into() }
}

#[derive(Deserialize)]
pub struct PageInput {
    prefix: Option<String>,
    #[serde(default, deserialize_with = "coerced::optional_integer")]
    limit: Option<i64>,
    cursor: Option<String>,
    #[serde(default, deserialize_with = "coerced::optional_boolean")]
    with_delimiter: Option<bool>,
    #[serde(rename = "sortBy")]
    sort_by: Option<SortBy>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageOutput {
    has_next: bool,
    folders: Vec<Keyed>,
    objects: Vec<Keyed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor_key: Option<String>,
}

#[derive(Serialize)]
pub struct Keyed {
    /// A folder's name without its slash, or an object's full key.
    key: String,
    #[serde(flatten)]
    entry: Entry,
}

pub async fn list_v2(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    JsonBody(input): JsonBody<PageInput>,
) -> Result<Json<PageOutput>> {
    let after = input.cursor.as_deref().filter(|cursor| !cursor.is_empty()).map(decoded).transpose()?;
    let sort = match &after {
        Some(cursor) => Sort { column: cursor.column, direction: cursor.direction },
        None => input.sort_by.into(),
    };
    if sort.column == SortColumn::LastAccessedAt {
        return Err(ApiError::Schema("body/sortBy/column must be name, created_at or updated_at".to_owned()));
    }
    let limit = at_least(1, "limit", input.limit.unwrap_or(MAX_PAGE))?.min(MAX_PAGE);
    let page = Page {
        bucket: &target.bucket,
        prefix: input.prefix.as_deref().unwrap_or_default(),
        folders: input.with_delimiter.unwrap_or(false),
        sort,
        after: after.as_ref(),
        // One extra row shows whether there is a next page.
        limit: limit + 1,
    };
    if page.prefix.is_empty() && hides_root(&state, &target.bucket, &caller) {
        return Ok(Json(output(Vec::new(), 0, sort)?));
    }
    let mut transaction = caller.begin(&state, "storage.object.list_v2").await?;
    let entries = hide_denied(listing::page(&mut transaction, &page).await)?;
    Ok(Json(output(entries, usize::try_from(limit).unwrap_or(usize::MAX), sort)?))
}

fn output(mut entries: Vec<Entry>, limit: usize, sort: Sort) -> Result<PageOutput> {
    let has_next = entries.len() > limit;
    entries.truncate(limit);
    let last = entries.last().filter(|_| has_next);
    let next_cursor_key = last.map(|entry| entry.name.clone());
    let next_cursor = last.map(|entry| encoded(entry, sort)).transpose()?;
    let (objects, folders) = entries.into_iter().partition::<Vec<_>, _>(|entry| entry.id.is_some());
    Ok(PageOutput {
        has_next,
        folders: folders.into_iter().map(|folder| keyed(folder, "/")).collect(),
        objects: objects.into_iter().map(|object| keyed(object, "")).collect(),
        next_cursor,
        next_cursor_key,
    })
}

fn keyed(entry: Entry, suffix: &str) -> Keyed {
    Keyed { key: entry.name.strip_suffix(suffix).unwrap_or(&entry.name).to_owned(), entry }
}

fn encoded(entry: &Entry, sort: Sort) -> Result<String> {
    let at = match sort.column {
        SortColumn::Name => None,
        SortColumn::CreatedAt => entry.created_at,
        SortColumn::UpdatedAt => entry.updated_at,
        SortColumn::LastAccessedAt => entry.last_accessed_at,
    };
    let at = at.zip(entry.id);
    let cursor = Cursor { column: sort.column, direction: sort.direction, name: entry.name.clone(), at };
    let json = serde_json::to_vec(&cursor).map_err(|error| ApiError::Internal(error.into()))?;
    Ok(URL_SAFE_NO_PAD.encode(json))
}

fn decoded(text: &str) -> Result<Cursor> {
    let cursor = URL_SAFE_NO_PAD.decode(text).ok().and_then(|json| serde_json::from_slice(&json).ok());
    cursor.ok_or_else(|| ApiError::Schema("body/cursor is not a cursor from an earlier response".to_owned()))
}
