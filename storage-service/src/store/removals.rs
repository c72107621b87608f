//! `storage.removals`: objects whose profile was deleted. Triggers on the profiles fill it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;

use super::objects::Object;
use crate::error::Result;

/// The longest delay between two attempts.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

#[derive(Debug, FromRow)]
pub struct Key {
    pub bucket_id: String,
    pub name: String,
}

/// Claims up to `count` due entries, oldest first. Their next attempt is postponed by `wait`, doubled with
/// each attempt: until then no other worker claims them, and unfinished ones are retried automatically.
pub async fn claim(connection: &mut PgConnection, count: i64, wait: Duration) -> Result<Vec<Key>> {
    let sql = "with due as materialized (
           select bucket_id, name from storage.removals
           where next_attempt_at <= now() order by next_attempt_at limit $1 for update skip locked
         )
         update storage.removals r
         set attempts = attempts + 1, next_attempt_at = now() + least($2 * 2 ^ least(attempts, 20), $3)
         from due where r.bucket_id = due.bucket_id and r.name = due.name
         returning r.bucket_id, r.name";
    let query = sqlx::query_as(sql).bind(count).bind(wait).bind(LONGEST_WAIT);
    Ok(query.fetch_all(connection).await?)
}

/// Deletes the entry and returns when it was queued. `None` when it has already been processed.
pub async fn take(connection: &mut PgConnection, key: &Key) -> Result<Option<DateTime<Utc>>> {
    let sql = "delete from storage.removals where bucket_id = $1 and name = $2 returning queued_at";
    let query = sqlx::query_scalar(sql).bind(&key.bucket_id).bind(&key.name);
    Ok(query.fetch_optional(connection).await?)
}

/// Locks and returns the object as it was when queued. `None` when it is gone, or when another one has since
/// been uploaded or moved to its key.
pub async fn queued_object(
    connection: &mut PgConnection,
    key: &Key,
    queued_at: DateTime<Utc>,
) -> Result<Option<Object>> {
    let sql = "select * from storage.objects
         where bucket_id = $1 and name = $2 and greatest(created_at, updated_at) <= $3 for update";
    let query = sqlx::query_as(sql).bind(&key.bucket_id).bind(&key.name).bind(queued_at);
    Ok(query.fetch_optional(connection).await?)
}
