//! `auth.refresh_tokens`: hashes of each session's tokens. Only one of them is active at a time.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::refresh_token::TokenHash;

#[derive(Debug, Clone, FromRow)]
pub struct RefreshTokenRow {
    pub id: i64,
    pub session_id: Uuid,
    pub token_hash: Vec<u8>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Inserts a session's next token; the first one is inserted with the session.
pub async fn insert(
    connection: &mut PgConnection,
    session_id: Uuid,
    hash: &TokenHash,
    parent_id: i64,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.refresh_tokens (session_id, token_hash, parent_id, created_at)
         values ($1, $2, $3, $4)",
    )
    .bind(session_id)
    .bind(hash.as_slice())
    .bind(parent_id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn by_hash(
    connection: &mut PgConnection,
    hash: &TokenHash,
) -> sqlx::Result<Option<RefreshTokenRow>> {
    sqlx::query_as(
        "select id, session_id, token_hash, revoked_at from auth.refresh_tokens where token_hash = $1",
    )
    .bind(hash.as_slice())
    .fetch_optional(connection)
    .await
}

/// The session's token that is not revoked.
pub async fn active(
    connection: &mut PgConnection,
    session_id: Uuid,
) -> sqlx::Result<Option<RefreshTokenRow>> {
    sqlx::query_as(
        "select id, session_id, token_hash, revoked_at from auth.refresh_tokens
          where session_id = $1 and revoked_at is null order by id desc limit 1",
    )
    .bind(session_id)
    .fetch_optional(connection)
    .await
}

pub async fn revoke(connection: &mut PgConnection, id: i64, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("update auth.refresh_tokens set revoked_at = $2 where id = $1 and revoked_at is null")
        .bind(id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// The session stays for a while, so that its tokens are recognized as used.
pub async fn revoke_family(
    connection: &mut PgConnection,
    session_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with ended as (
           update auth.sessions set ended_at = coalesce(ended_at, $2) where id = $1
         )
         update auth.refresh_tokens set revoked_at = $2 where session_id = $1 and revoked_at is null",
    )
    .bind(session_id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}
