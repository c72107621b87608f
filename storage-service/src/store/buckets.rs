//! `storage.buckets`.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::{Serialize, Serializer};
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::domain::owner::Owner;
use crate::error::{ApiError, Result};
use crate::times;

#[derive(Debug, FromRow, Serialize)]
pub struct Bucket {
    pub id: String,
    pub name: String,
    #[serde(serialize_with = "serialize_owner")]
    pub owner: Option<Uuid>,
    pub public: bool,
    pub file_size_limit: Option<i64>,
    pub allowed_mime_types: Option<Vec<String>>,
    #[serde(serialize_with = "times::serialize")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    pub updated_at: DateTime<Utc>,
}

/// An empty string when the bucket has no owner.
fn serialize_owner<S: Serializer>(
    owner: &Option<Uuid>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&owner.map(|owner| owner.to_string()).unwrap_or_default())
}

pub struct NewBucket<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub public: bool,
    pub file_size_limit: Option<i64>,
    pub allowed_mime_types: Option<&'a [String]>,
}

/// The outer option is `None` for members that don't change.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Change {
    pub public: Option<bool>,
    pub file_size_limit: Option<Option<i64>>,
    pub allowed_mime_types: Option<Option<Vec<String>>>,
}

/// The columns that buckets can be sorted by.
pub const SORT_COLUMNS: [&str; 4] = ["id", "name", "created_at", "updated_at"];

pub struct Page<'a> {
    pub search: Option<&'a str>,
    /// One of [`SORT_COLUMNS`].
    pub sort: &'static str,
    pub descending: bool,
    pub limit: i64,
    pub offset: i64,
}

pub async fn find(connection: &mut PgConnection, id: &str) -> Result<Option<Bucket>> {
    let sql = "select id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at
         from storage.buckets where id = $1";
    let query = sqlx::query_as(sql).bind(id);
    Ok(query.fetch_optional(connection).await?)
}

pub async fn list(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Bucket>> {
    let is_text = matches!(page.sort, "id" | "name");
    let (column, collation) = (page.sort, if is_text { "collate \"C\"" } else { "" });
    let direction = if page.descending { "desc" } else { "asc" };
    let statement = format!(
        "select id, name, owner, public, file_size_limit, allowed_mime_types, created_at, updated_at
         from storage.buckets where $1::text is null or strpos(lower(name), lower($1)) > 0
         order by {column} {collation} {direction}, id collate \"C\" limit $2 offset $3"
    );
    Ok(sqlx::query_as(AssertSqlSafe(statement))
        .bind(page.search)
        .bind(page.limit)
        .bind(page.offset)
        .fetch_all(connection)
        .await?)
}

pub async fn insert(connection: &mut PgConnection, bucket: &NewBucket<'_>, owner: &Owner) -> Result<()> {
    let inserted = sqlx::query(
        "insert into storage.buckets (id, name, owner, owner_id, public, file_size_limit, allowed_mime_types)
         values ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(bucket.id)
    .bind(bucket.name)
    .bind(owner.uuid())
    .bind(&owner.id)
    .bind(bucket.public)
    .bind(bucket.file_size_limit)
    .bind(bucket.allowed_mime_types)
    .execute(connection)
    .await;
    match inserted {
        Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {
            Err(ApiError::BucketAlreadyExists)
        }
        other => Ok(other.map(|_| ())?),
    }
}

/// Returns whether the bucket exists.
pub async fn update(connection: &mut PgConnection, id: &str, change: &Change) -> Result<bool> {
    let done = sqlx::query(
        "update storage.buckets set
           public = coalesce($2, public),
           file_size_limit = case when $3 then $4 else file_size_limit end,
           allowed_mime_types = case when $5 then $6 else allowed_mime_types end,
           updated_at = now()
         where id = $1",
    )
    .bind(id)
    .bind(change.public)
    .bind(change.file_size_limit.is_some())
    .bind(change.file_size_limit.flatten())
    .bind(change.allowed_mime_types.is_some())
    .bind(change.allowed_mime_types.as_ref().and_then(Option::as_ref))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns whether there was a bucket that this connection's role may delete.
pub async fn delete(connection: &mut PgConnection, id: &str) -> Result<bool> {
    super::objects::allow_deletes(connection).await?;
    let done = sqlx::query("delete from storage.buckets where id = $1").bind(id).execute(connection).await;
    match done {
        // An object was added after the bucket was found empty.
        Err(sqlx::Error::Database(error)) if error.constraint() == Some(super::objects::BUCKET_KEY) => {
            Err(ApiError::BucketNotEmpty)
        }
        other => Ok(other?.rows_affected() == 1),
    }
}

pub async fn holds_objects(connection: &mut PgConnection, id: &str) -> Result<bool> {
    let query =
        sqlx::query_scalar("select exists (select from storage.objects where bucket_id = $1)").bind(id);
    Ok(query.fetch_one(connection).await?)
}
