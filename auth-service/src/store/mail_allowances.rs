//! `auth.mail_allowances`: how much of the hourly e-mail allowance is used, per address and in total.

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

/// Rows deleted per call, more than one request adds, so that the table shrinks faster than it grows.
const REMOVED_AT_ONCE: i64 = 10;

/// Uses up `step` of the time until `now + window`; `None` when less is left. The row stays locked until the
/// transaction ends, so concurrent requests can't exceed the limit, and a rollback returns what was taken.
pub async fn take(
    connection: &mut PgConnection,
    address_hash: &str,
    step: TimeDelta,
    window: TimeDelta,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    sqlx::query_scalar(
        "insert into auth.mail_allowances as taken (address_hash, used_until) values ($1, $2)
         on conflict (address_hash) do update
            set used_until = greatest(taken.used_until, $3) + ($2 - $3)
          where greatest(taken.used_until, $3) + ($2 - $3) <= $4
         returning used_until",
    )
    .bind(address_hash)
    .bind(now + step)
    .bind(now)
    .bind(now + window)
    .fetch_optional(connection)
    .await
}

pub async fn used_until(connection: &mut PgConnection, address_hash: &str) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar("select used_until from auth.mail_allowances where address_hash = $1")
        .bind(address_hash)
        .fetch_one(connection)
        .await
}

/// Deletes some expired rows. Skips rows that other transactions have locked.
pub async fn prune(connection: &mut PgConnection, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.mail_allowances where address_hash in (
           select address_hash from auth.mail_allowances where used_until <= $1
            order by used_until limit $2 for update skip locked)",
    )
    .bind(now)
    .bind(REMOVED_AT_ONCE)
    .execute(connection)
    .await?;
    Ok(())
}
