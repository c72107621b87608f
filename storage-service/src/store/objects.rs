//! `storage.objects`: one row per key. `version` names the blob.

mod writing;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::times;

pub use self::writing::{NewObject, OnConflict, Quota, Written, lock_key, try_write, write};

/// The constraint that an object's bucket exists.
pub(super) const BUCKET_KEY: &str = "objects_bucket_id_fkey";

/// Copies and deletions return it with these members.
#[derive(Debug, Clone, FromRow, Serialize)]
pub struct Object {
    pub name: String,
    pub bucket_id: String,
    pub owner: Option<Uuid>,
    pub owner_id: Option<String>,
    pub version: Option<String>,
    pub id: Uuid,
    #[serde(serialize_with = "times::serialize")]
    pub updated_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    pub created_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    pub last_accessed_at: DateTime<Utc>,
    #[sqlx(json(nullable))]
    pub metadata: Option<Value>,
    #[sqlx(json(nullable))]
    pub user_metadata: Option<Value>,
}

impl Object {
    /// `None` when the row's version is not one of ours.
    pub fn blob(&self) -> Option<Version> {
        self.version.as_deref().and_then(Version::parse)
    }

    pub fn metadata_text(&self, member: &str) -> Option<&str> {
        self.metadata.as_ref()?.get(member)?.as_str()
    }

    pub fn size(&self) -> u64 {
        self.metadata
            .as_ref()
            .and_then(|metadata| metadata.get("size"))
            .and_then(Value::as_u64)
            .unwrap_or_default()
    }
}

pub async fn find(connection: &mut PgConnection, bucket: &str, name: &str) -> Result<Option<Object>> {
    let query = sqlx::query_as("select * from storage.objects where bucket_id = $1 and name = $2")
        .bind(bucket)
        .bind(name);
    Ok(query.fetch_optional(connection).await?)
}

/// The blobs of all objects in a bucket.
pub async fn versions(connection: &mut PgConnection, bucket: &str) -> Result<Vec<Version>> {
    let versions: Vec<Option<String>> =
        sqlx::query_scalar("select version from storage.objects where bucket_id = $1")
            .bind(bucket)
            .fetch_all(connection)
            .await?;
    Ok(versions.iter().flatten().filter_map(|version| Version::parse(version)).collect())
}

pub async fn any_names_a_blob(connection: &mut PgConnection) -> Result<bool> {
    let sql = "select exists (select from storage.objects where version is not null)";
    let query = sqlx::query_scalar(sql);
    Ok(query.fetch_one(connection).await?)
}

/// The keys among these that this connection's role can see.
pub async fn visible_names(
    connection: &mut PgConnection,
    bucket: &str,
    names: &[String],
) -> Result<Vec<String>> {
    let sql = "select name from storage.objects where bucket_id = $1 and name = any($2)";
    let query = sqlx::query_scalar(sql).bind(bucket).bind(names);
    Ok(query.fetch_all(connection).await?)
}

/// One of these objects, after all concurrent changes to it have been committed or rolled back.
pub async fn settled(connection: &mut PgConnection, ids: &[Uuid]) -> Result<Option<Object>> {
    let sql = "select * from storage.objects where id = any($1) limit 1 for key share";
    let query = sqlx::query_as(sql).bind(ids);
    Ok(query.fetch_optional(connection).await?)
}

/// Changes the bucket and key of an object; the blob stays. `None` when the role may not update it.
pub async fn rename(
    connection: &mut PgConnection,
    id: Uuid,
    bucket: &str,
    name: &str,
) -> Result<Option<Object>> {
    sqlx::query_as(
        "update storage.objects set bucket_id = $2, name = $3, updated_at = now() where id = $1 returning *",
    )
    .bind(id)
    .bind(bucket)
    .bind(name)
    .fetch_optional(connection)
    .await
    .map_err(taken)
}

/// Deletes the objects that this connection's role may delete, and returns them.
pub async fn delete(connection: &mut PgConnection, bucket: &str, names: &[String]) -> Result<Vec<Object>> {
    allow_deletes(connection).await?;
    let sql = "delete from storage.objects where bucket_id = $1 and name = any($2) returning *";
    let query = sqlx::query_as(sql).bind(bucket).bind(names);
    Ok(query.fetch_all(connection).await?)
}

/// Deletes up to `count` arbitrary objects of a bucket, and returns their ids and versions.
pub async fn delete_some(
    connection: &mut PgConnection,
    bucket: &str,
    count: i64,
) -> Result<Vec<(Uuid, Option<String>)>> {
    allow_deletes(connection).await?;
    let sql = "delete from storage.objects where id in (select id from storage.objects where bucket_id = $1 limit $2)
         returning id, version";
    let query = sqlx::query_as(sql).bind(bucket).bind(count);
    Ok(query.fetch_all(connection).await?)
}

/// A trigger rejects deletes by plain SQL, because they would leave blobs behind.
pub(super) async fn allow_deletes(connection: &mut PgConnection) -> Result<()> {
    sqlx::query("select set_config('storage.allow_delete_query', 'true', true)").execute(connection).await?;
    Ok(())
}

fn taken(error: sqlx::Error) -> ApiError {
    match error {
        sqlx::Error::Database(error) if error.constraint() == Some(BUCKET_KEY) => ApiError::NoSuchBucket,
        other => other.into(),
    }
}
