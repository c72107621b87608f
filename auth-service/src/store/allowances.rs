//! `auth.mail_allowances`: how much of each allowance is used.

use std::num::NonZeroU32;

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// Rows deleted per call, more than one request adds, so that the table shrinks faster than it grows.
const REMOVED_AT_ONCE: i64 = 10;

/// How long to wait until enough is left. `None`: it was taken.
pub type Wait = Option<TimeDelta>;

/// Uses up `step` of the time until `now + window`, if that much is left. The row stays locked until the
/// transaction ends, so concurrent requests can't exceed the limit, and a rollback returns what was taken.
pub async fn take(
    connection: &mut PgConnection,
    key: &str,
    step: TimeDelta,
    window: TimeDelta,
    now: DateTime<Utc>,
) -> sqlx::Result<Wait> {
    let taken = sqlx::query(
        "insert into auth.mail_allowances as taken (address_hash, used_until) values ($1, $2)
         on conflict (address_hash) do update
            set used_until = greatest(taken.used_until, $3) + ($2 - $3)
          where greatest(taken.used_until, $3) + ($2 - $3) <= $4",
    )
    .bind(key)
    .bind(now + step)
    .bind(now)
    .bind(now + window)
    .execute(&mut *connection)
    .await?;
    if taken.rows_affected() == 1 {
        return Ok(None);
    }
    let used_until: DateTime<Utc> =
        sqlx::query_scalar("select used_until from auth.mail_allowances where address_hash = $1")
            .bind(key)
            .fetch_one(connection)
            .await?;
    Ok(Some(used_until + step - window - now))
}

/// Takes `number` of `per_hour`. More than there are in an hour need a full allowance.
pub async fn take_hourly(
    connection: &mut PgConnection,
    key: &str,
    number: u32,
    per_hour: NonZeroU32,
    now: DateTime<Utc>,
) -> sqlx::Result<Wait> {
    // Rounded down, so that the full hourly number fits into an hour.
    let one = TimeDelta::microseconds(HOUR.num_seconds() * 1_000_000 / i64::from(per_hour.get()));
    let number = i32::try_from(number.min(per_hour.get())).unwrap_or(i32::MAX);
    take(connection, key, one * number, HOUR, now).await
}

/// The mailboxes of these addresses, in a fixed order.
pub async fn mailboxes(connection: &mut PgConnection, addresses: &[&str]) -> sqlx::Result<Vec<String>> {
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query_scalar(
        "select serasi.mailbox_of(address) as mailbox from unnest($1::text[]) as address order by mailbox",
    )
    .bind(addresses)
    .fetch_all(connection)
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
