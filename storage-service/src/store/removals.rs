//! `storage.removals`: objects whose profile is gone. Triggers of the profiles add to it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;

use super::objects::Object;
use crate::error::Result;

/// However often an attempt failed, the next one is not further away than that.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

#[derive(Debug, FromRow)]
pub struct Key {
    pub bucket_id: String,
    pub name: String,
}

/// Up to `count` entries that are due, longest first. They are due again after `wait`, doubled with each
/// attempt: nobody else takes them meanwhile, and what is not finished by then is tried again by itself.
pub async fn claim(connection: &mut PgConnection, count: i64, wait: Duration) -> Result<Vec<Key>> {
    Ok(sqlx::query_as(
        "with due as materialized (
           select bucket_id, name from storage.removals
           where next_attempt_at <= now() order by next_attempt_at limit $1 for update skip locked
         )
         update storage.removals r
         set attempts = attempts + 1, next_attempt_at = now() + least($2 * 2 ^ least(attempts, 20), $3)
         from due where r.bucket_id = due.bucket_id and r.name = due.name
         returning r.bucket_id, r.name",
    )
    .bind(count)
    .bind(wait)
    .bind(LONGEST_WAIT)
    .fetch_all(connection)
    .await?)
}

/// Takes the entry off the list and tells since when it stood there. `None` when it is done already.
pub async fn take(connection: &mut PgConnection, key: &Key) -> Result<Option<DateTime<Utc>>> {
    Ok(sqlx::query_scalar(
        "delete from storage.removals where bucket_id = $1 and name = $2 returning queued_at",
    )
    .bind(&key.bucket_id)
    .bind(&key.name)
    .fetch_optional(connection)
    .await?)
}

/// The object as it was queued, held until the transaction ends. `None` when it is gone, or when another
/// was uploaded or moved to its name since.
pub async fn queued_object(
    connection: &mut PgConnection,
    key: &Key,
    queued_at: DateTime<Utc>,
) -> Result<Option<Object>> {
    Ok(sqlx::query_as(
        "select * from storage.objects
         where bucket_id = $1 and name = $2 and greatest(created_at, updated_at) <= $3 for update",
    )
    .bind(&key.bucket_id)
    .bind(&key.name)
    .bind(queued_at)
    .fetch_optional(connection)
    .await?)
}
