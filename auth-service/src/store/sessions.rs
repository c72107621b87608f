//! `auth.sessions`: one per sign-in. Deleting one also deletes its refresh tokens.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde_json::Value;
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::refresh_token::TokenHash;
use crate::domain::session_limits::Lifetime;

#[derive(Debug, Clone, FromRow)]
pub struct SessionRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub aal: String,
    pub amr: Value,
    pub created_at: DateTime<Utc>,
    pub refreshed_at: Option<DateTime<Utc>>,
    pub not_after: Option<DateTime<Utc>>,
}

impl SessionRow {
    pub fn lifetime(&self) -> Lifetime {
        let Self { created_at, refreshed_at, not_after, .. } = *self;
        Lifetime { created_at, refreshed_at, not_after }
    }
}

/// Inserts the session with its first refresh token in one round trip, because the sign-in waits for it.
pub async fn insert(
    connection: &mut PgConnection,
    session: &SessionRow,
    token: &TokenHash,
    user_agent: Option<&str>,
    address: Option<IpAddr>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with session as (
           insert into auth.sessions (id, user_id, aal, amr, created_at, updated_at, user_agent, ip)
           values ($1, $2, $3, $4, $5, $5, $6, $7::text::inet)
         )
         insert into auth.refresh_tokens (session_id, token_hash, created_at)
         values ($1, $8, $5)",
    )
    .bind(session.id)
    .bind(session.user_id)
    .bind(&session.aal)
    .bind(&session.amr)
    .bind(session.created_at)
    .bind(user_agent)
    .bind(address.map(|address| address.to_string()))
    .bind(token.as_slice())
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn by_id(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<SessionRow>> {
    sqlx::query_as(
        "select id, user_id, aal, amr, created_at, refreshed_at, not_after from auth.sessions where id = $1",
    )
    .bind(id)
    .fetch_optional(connection)
    .await
}

/// Locks the session until the transaction ends, so that its refreshes are serialized. Waiting for more than
/// five seconds fails with `lock_not_available`.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<SessionRow>> {
    sqlx::query("select set_config('lock_timeout', '5s', true)").execute(&mut *connection).await?;
    sqlx::query_as(
        "select id, user_id, aal, amr, created_at, refreshed_at, not_after from auth.sessions
          where id = $1 for update",
    )
    .bind(id)
    .fetch_optional(connection)
    .await
}

/// Whether the account has a newer session (by sign-in or refresh) that has not expired.
pub async fn is_superseded(
    connection: &mut PgConnection,
    session: &SessionRow,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    sqlx::query_scalar(
        "select exists (
           select from auth.sessions
            where user_id = $1 and id <> $2 and coalesce(refreshed_at, created_at) > $3
              and (not_after is null or not_after > $4)
         )",
    )
    .bind(session.user_id)
    .bind(session.id)
    .bind(session.lifetime().last_active_at())
    .bind(now)
    .fetch_one(connection)
    .await
}

pub async fn refreshed(connection: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query("update auth.sessions set refreshed_at = $2, updated_at = $2 where id = $1")
        .bind(id)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where id = $1").bind(id).execute(connection).await?;
    Ok(())
}

pub async fn delete_all(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}

/// Deletes all sessions but `keep`; all of them when it is `None`.
pub async fn delete_others(
    connection: &mut PgConnection,
    user_id: Uuid,
    keep: Option<Uuid>,
) -> sqlx::Result<()> {
    sqlx::query("delete from auth.sessions where user_id = $1 and id is distinct from $2")
        .bind(user_id)
        .bind(keep)
        .execute(connection)
        .await?;
    Ok(())
}
