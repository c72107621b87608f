//! Writes objects, within the quota of their owners.

use platform::database::PgConnection;
use serde_json::Value;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::types::Json;
use sqlx::{FromRow, Postgres, Row};

use super::{Object, taken};
use crate::domain::owner::Owner;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};

pub struct NewObject {
    pub bucket: String,
    pub name: String,
    pub owner: Owner,
    pub version: Version,
    pub metadata: Value,
    pub user_metadata: Option<Value>,
    pub conflict: OnConflict,
}

/// What to do when the key already exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    Refuse,
    Replace,
}

pub struct Written {
    pub object: Object,
    /// The replaced blob, to be removed after the commit.
    pub replaced: Option<Version>,
}

/// Tries the write with the caller's role; roll the transaction back afterwards. An insert without
/// replacement requires no select policy, so the statement returns nothing.
pub async fn try_write(connection: &mut PgConnection, object: &NewObject) -> Result<()> {
    match object.conflict {
        OnConflict::Refuse => {
            let statement = "insert into storage.objects
                 (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
                 values ($1, $2, $3, $4, $5, $6, $7)";
            bound(statement, object).execute(connection).await.map_err(taken)?;
        }
        OnConflict::Replace => {
            insert(connection, object).await?;
        }
    }
    Ok(())
}

/// Waits until all earlier transactions that write this key have ended.
pub async fn lock_key(connection: &mut PgConnection, bucket: &str, name: &str) -> Result<()> {
    let lock = sqlx::query("select pg_advisory_xact_lock(hashtextextended($1 || '/' || $2, 0))");
    lock.bind(bucket).bind(name).execute(connection).await?;
    Ok(())
}

/// Writes the row and returns the blob it replaced. Writes of one key are serialized, so that no replaced
/// blob is lost.
pub async fn write(
    connection: &mut PgConnection,
    object: &NewObject,
    quota: Option<&Quota>,
) -> Result<Written> {
    lock_key(connection, &object.bucket, &object.name).await?;
    let row = insert(connection, object).await?;
    let replaced: Option<String> = row.try_get("replaced")?;
    if let Some((quota, owner)) = quota.zip(object.owner.id.as_deref()) {
        within_quota(connection, quota, owner).await?;
    }
    Ok(Written { object: Object::from_row(&row)?, replaced: replaced.as_deref().and_then(Version::parse) })
}

/// Limits per account.
#[derive(Debug, Clone)]
pub struct Quota {
    pub objects: u32,
    pub bytes: u64,
}

/// Checks the quota including the row just written; the caller rolls back when it is exceeded. Writes of one
/// account are serialized until they commit, so that concurrent uploads can't exceed the quota.
async fn within_quota(connection: &mut PgConnection, quota: &Quota, owner: &str) -> Result<()> {
    let lock = sqlx::query("select pg_advisory_xact_lock(hashtextextended('storage quota ' || $1, 0))");
    lock.bind(owner).execute(&mut *connection).await?;
    let sum = "select count(*) <= $2 and coalesce(sum((metadata ->> 'size')::bigint), 0) <= $3
         from storage.objects where owner_id = $1";
    let (objects, bytes) = (i64::from(quota.objects), i64::try_from(quota.bytes).unwrap_or(i64::MAX));
    let within = sqlx::query_scalar(sum).bind(owner).bind(objects).bind(bytes);
    let within: bool = within.fetch_one(connection).await?;
    if within { Ok(()) } else { Err(ApiError::QuotaExceeded) }
}

async fn insert(connection: &mut PgConnection, object: &NewObject) -> Result<PgRow> {
    let statement = match object.conflict {
        OnConflict::Refuse => {
            "insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
             values ($1, $2, $3, $4, $5, $6, $7) returning *, null::text as replaced"
        }
        // A replaced object keeps its `id` and `created_at`.
        OnConflict::Replace => {
            "with old as (select version from storage.objects where bucket_id = $1 and name = $2)
             insert into storage.objects (bucket_id, name, owner, owner_id, version, metadata, user_metadata)
             values ($1, $2, $3, $4, $5, $6, $7)
             on conflict (bucket_id, name) do update set owner = excluded.owner, owner_id = excluded.owner_id,
               version = excluded.version, metadata = excluded.metadata, user_metadata = excluded.user_metadata,
               updated_at = now()
             returning *, (select version from old) as replaced"
        }
    };
    bound(statement, object).fetch_one(connection).await.map_err(taken)
}

fn bound<'q>(statement: &'static str, object: &'q NewObject) -> Query<'q, Postgres, PgArguments> {
    sqlx::query(statement)
        .bind(&object.bucket)
        .bind(&object.name)
        .bind(object.owner.uuid())
        .bind(&object.owner.id)
        .bind(object.version.to_string())
        .bind(Json(&object.metadata))
        .bind(object.user_metadata.as_ref().map(Json))
}
