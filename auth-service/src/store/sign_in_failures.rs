//! `auth.sign_in_failures`: how many wrong passwords an address was tried with lately.

use chrono::{DateTime, Utc};
use sqlx::{FromRow, PgConnection};

/// Removed with each address that is new to the table, so that it shrinks faster than it grows.
const REMOVED_AT_ONCE: i64 = 10;

#[derive(Debug, Clone, Copy, FromRow)]
pub struct SignInFailuresRow {
    pub failures: i32,
    /// When the first of them was.
    pub created_at: DateTime<Utc>,
}

pub async fn of_address(
    connection: &mut PgConnection,
    address_hash: &str,
) -> sqlx::Result<Option<SignInFailuresRow>> {
    sqlx::query_as("select failures, created_at from auth.sign_in_failures where address_hash = $1")
        .bind(address_hash)
        .fetch_optional(connection)
        .await
}

/// One more. What began before `forgotten` counts no more, so it is then the first. Failures of one address
/// take turns at its row: each gets a number of its own.
pub async fn add(
    connection: &mut PgConnection,
    address_hash: &str,
    forgotten: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<SignInFailuresRow> {
    sqlx::query_as(
        "insert into auth.sign_in_failures as counted (address_hash, failures, created_at) values ($1, 1, $3)
         on conflict (address_hash) do update
            set failures = case when counted.created_at > $2 then counted.failures + 1 else 1 end,
                created_at = case when counted.created_at > $2 then counted.created_at else $3 end
         returning failures, created_at",
    )
    .bind(address_hash)
    .bind(forgotten)
    .bind(now)
    .fetch_one(connection)
    .await
}

/// Counts from the beginning again; returns what had been counted.
pub async fn delete(
    connection: &mut PgConnection,
    address_hash: &str,
) -> sqlx::Result<Option<SignInFailuresRow>> {
    sqlx::query_as("delete from auth.sign_in_failures where address_hash = $1 returning failures, created_at")
        .bind(address_hash)
        .fetch_optional(connection)
        .await
}

/// Removes some of what counts no more. Nobody waits for a row that somebody else is busy with.
pub async fn prune(connection: &mut PgConnection, forgotten: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.sign_in_failures where address_hash in (
           select address_hash from auth.sign_in_failures where created_at <= $1
            order by created_at limit $2 for update skip locked)",
    )
    .bind(forgotten)
    .bind(REMOVED_AT_ONCE)
    .execute(connection)
    .await?;
    Ok(())
}
