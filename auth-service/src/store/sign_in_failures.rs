//! `auth.sign_in_failures`: how many wrong passwords an address was tried with lately, and a client has tried.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;

/// Removed with each address that is new to the table, so that it shrinks faster than it grows.
const REMOVED_AT_ONCE: i64 = 10;

#[derive(Debug, Clone, Copy, FromRow)]
pub struct SignInFailuresRow {
    pub failures: i32,
    /// When the first of them was.
    pub created_at: DateTime<Utc>,
}

/// Both counts of one attempt.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted {
    /// For the address that was tried, from wherever.
    pub address: Option<SignInFailuresRow>,
    /// From the client's address, for whatever was tried.
    pub client: Option<SignInFailuresRow>,
}

/// Where the two are counted, as keyed hashes.
#[derive(Debug, Clone)]
pub struct Keys {
    pub address: String,
    /// Absent without a network.
    pub client: Option<String>,
}

impl Keys {
    fn counted(&self, rows: Vec<(String, SignInFailuresRow)>) -> Counted {
        let mut counted = Counted::default();
        for (key, row) in rows {
            let place = if key == self.address { &mut counted.address } else { &mut counted.client };
            *place = Some(row);
        }
        counted
    }
}

pub async fn of(connection: &mut PgConnection, keys: &Keys) -> sqlx::Result<Counted> {
    let rows = sqlx::query_as(
        "select address_hash, failures, created_at from auth.sign_in_failures where address_hash in ($1, $2)",
    )
    .bind(&keys.address)
    .bind(&keys.client)
    .fetch_all(connection)
    .await?;
    Ok(keys.counted(rows.into_iter().map(row).collect()))
}

/// One more of both. What began before `forgotten` counts no more, so it is then the first. Failures of one key take
/// turns at its row: each gets a number of its own. The client's row always comes second, so that nobody waits for
/// somebody who waits for him.
pub async fn add(
    connection: &mut PgConnection,
    keys: &Keys,
    forgotten: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<Counted> {
    let rows = sqlx::query_as(
        "insert into auth.sign_in_failures as counted (address_hash, failures, created_at)
         select key, 1, $4 from (values (1, $1), (2, $2)) as tried (place, key) where key is not null order by place
         on conflict (address_hash) do update
            set failures = case when counted.created_at > $3 then counted.failures + 1 else 1 end,
                created_at = case when counted.created_at > $3 then counted.created_at else $4 end
         returning address_hash, failures, created_at",
    )
    .bind(&keys.address)
    .bind(&keys.client)
    .bind(forgotten)
    .bind(now)
    .fetch_all(connection)
    .await?;
    Ok(keys.counted(rows.into_iter().map(row).collect()))
}

fn row((key, failures, created_at): (String, i32, DateTime<Utc>)) -> (String, SignInFailuresRow) {
    (key, SignInFailuresRow { failures, created_at })
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
