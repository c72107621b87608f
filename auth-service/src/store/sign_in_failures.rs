//! `auth.sign_in_failures`: recent wrong passwords, counted per e-mail address and per client.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;

/// Rows deleted for each new address, so that the table shrinks faster than it grows.
const REMOVED_AT_ONCE: i64 = 10;

#[derive(Debug, Clone, Copy, FromRow)]
pub struct SignInFailuresRow {
    pub failures: i32,
    /// The time of the first failure.
    pub created_at: DateTime<Utc>,
    /// The failures of the attempt's client among them, in the counter of an address.
    pub of_client: i64,
}

/// Both counters that apply to an attempt.
#[derive(Debug, Clone, Copy, Default)]
pub struct FailureCounts {
    /// Failures for this e-mail address, from any client.
    pub address: Option<SignInFailuresRow>,
    /// Failures from this client, for any e-mail address.
    pub client: Option<SignInFailuresRow>,
}

/// The keys of the two counters, as keyed hashes.
#[derive(Debug, Clone)]
pub struct Keys {
    pub address: String,
    /// `None` without a client address.
    pub client: Option<String>,
}

impl Keys {
    fn counted(&self, rows: Vec<(String, SignInFailuresRow)>) -> FailureCounts {
        let mut counted = FailureCounts::default();
        for (key, row) in rows {
            let place = if key == self.address { &mut counted.address } else { &mut counted.client };
            *place = Some(row);
        }
        counted
    }
}

pub async fn of(connection: &mut PgConnection, keys: &Keys) -> sqlx::Result<FailureCounts> {
    let rows = sqlx::query_as(
        "select address_hash, failures, created_at, cardinality(array_positions(clients, $2))::bigint
           from auth.sign_in_failures where address_hash in ($1, $2)",
    )
    .bind(&keys.address)
    .bind(&keys.client)
    .fetch_all(connection)
    .await?;
    Ok(keys.counted(rows.into_iter().map(row).collect()))
}

/// Increments both counters, the address's by no more than `most_of_client` of one client. A counter that started before `window_start` restarts at one. Concurrent failures
/// of one key are serialized by its row, so each gets its own number. The client's row always comes second,
/// which prevents deadlocks.
pub async fn add(
    connection: &mut PgConnection,
    keys: &Keys,
    most_of_client: i32,
    window_start: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<FailureCounts> {
    let rows = sqlx::query_as(
        "insert into auth.sign_in_failures as counted (address_hash, failures, created_at, clients)
         select key, 1, $4, array_remove(array[client], null)
           from (values (1, $1, $2), (2, $2, null)) as tried (place, key, client) where key is not null order by place
         on conflict (address_hash) do update
            set failures = case when counted.created_at <= $3 then 1
                  when cardinality(array_positions(counted.clients, $2)) >= $5 then counted.failures
                  else counted.failures + 1 end,
                created_at = case when counted.created_at > $3 then counted.created_at else $4 end,
                clients = case when counted.created_at > $3 then counted.clients else '{}' end || excluded.clients
         returning address_hash, failures, created_at, cardinality(array_positions(clients, $2))::bigint",
    )
    .bind(&keys.address)
    .bind(&keys.client)
    .bind(window_start)
    .bind(now)
    .bind(most_of_client)
    .fetch_all(connection)
    .await?;
    Ok(keys.counted(rows.into_iter().map(row).collect()))
}

type Row = (String, i32, DateTime<Utc>, i64);

fn row((key, failures, created_at, of_client): Row) -> (String, SignInFailuresRow) {
    (key, SignInFailuresRow { failures, created_at, of_client })
}

/// Resets the counter and returns its last value.
pub async fn delete(
    connection: &mut PgConnection,
    address_hash: &str,
) -> sqlx::Result<Option<SignInFailuresRow>> {
    sqlx::query_as("delete from auth.sign_in_failures where address_hash = $1 returning failures, created_at, 0::bigint as of_client")
        .bind(address_hash)
        .fetch_optional(connection)
        .await
}

/// Deletes some expired rows. Skips rows that other transactions have locked.
pub async fn prune(connection: &mut PgConnection, window_start: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.sign_in_failures where address_hash in (
           select address_hash from auth.sign_in_failures where created_at <= $1
            order by created_at limit $2 for update skip locked)",
    )
    .bind(window_start)
    .bind(REMOVED_AT_ONCE)
    .execute(connection)
    .await?;
    Ok(())
}
