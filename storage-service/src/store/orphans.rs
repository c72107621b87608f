//! Queries for comparing the rows with the stored blobs.

use std::collections::HashSet;

use platform::database::PgConnection;
use sqlx::FromRow;
use uuid::Uuid;

use super::objects::allow_deletes;
use crate::domain::version::Version;
use crate::error::Result;

/// Identifies the lock shared by all replicas.
pub const SWEEP_LOCK: i64 = 0x5e7a_5117;

#[derive(Debug, FromRow)]
pub struct Named {
    pub id: Uuid,
    pub bucket_id: String,
    pub name: String,
    pub version: String,
}

/// Tries to take the sweep lock, which is held until the connection is closed.
pub async fn take_lock(connection: &mut sqlx::PgConnection) -> Result<bool> {
    Ok(sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(SWEEP_LOCK).fetch_one(connection).await?)
}

/// The versions among these that a row refers to.
pub async fn named(connection: &mut PgConnection, versions: &[Version]) -> Result<HashSet<Version>> {
    let texts: Vec<String> = versions.iter().map(ToString::to_string).collect();
    let named: Vec<String> =
        sqlx::query_scalar("select version from storage.objects where version collate \"C\" = any($1)")
            .bind(texts)
            .fetch_all(connection)
            .await?;
    Ok(named.iter().filter_map(|version| Version::parse(version)).collect())
}

/// The next rows whose version starts with this byte, ordered by version.
pub async fn rows(
    connection: &mut PgConnection,
    first_byte: u8,
    after: &str,
    count: i64,
) -> Result<Vec<Named>> {
    let sql = "select id, bucket_id, name, version from storage.objects
         where version collate \"C\" > $1 and version collate \"C\" >= $2 and version collate \"C\" < $3
         order by version collate \"C\" limit $4";
    let query = sqlx::query_as(sql)
        .bind(after)
        .bind(format!("{first_byte:02x}"))
        .bind(if first_byte == u8::MAX { "g".to_owned() } else { format!("{:02x}", first_byte + 1) })
        .bind(count);
    Ok(query.fetch_all(connection).await?)
}

/// Whether the row still refers to this version.
pub async fn still_names(connection: &mut PgConnection, row: &Named) -> Result<bool> {
    let sql = "select exists (select from storage.objects where id = $1 and version = $2)";
    let query = sqlx::query_scalar(sql).bind(row.id).bind(&row.version);
    Ok(query.fetch_one(connection).await?)
}

/// Deletes the row if it still refers to this version. Requires a transaction.
pub async fn delete(connection: &mut PgConnection, row: &Named) -> Result<()> {
    allow_deletes(connection).await?;
    sqlx::query("delete from storage.objects where id = $1 and version = $2")
        .bind(row.id)
        .bind(&row.version)
        .execute(connection)
        .await?;
    Ok(())
}
