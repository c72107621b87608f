//! Writes of a sign-in's second step other than the factor: `auth.mfa_failures`, `auth.mfa_recovery_codes`,
//! and the session.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;
use uuid::Uuid;

use super::sessions::SessionRow;
use crate::domain::refresh_token::TokenHash;

#[derive(FromRow)]
pub struct AttemptsRow {
    pub failures: i32,
    pub created_at: DateTime<Utc>,
}

/// Counts an attempt and returns the count. Locks the count until the transaction ends, so that concurrent attempts are
/// compared one after the other. Failures since before `window_start` have expired.
pub async fn attempt(
    connection: &mut PgConnection,
    user_id: Uuid,
    window_start: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<AttemptsRow> {
    sqlx::query_as(
        "insert into auth.mfa_failures as counted (user_id, failures, created_at) values ($1, 1, $3)
         on conflict (user_id) do update
            set failures = case when counted.created_at <= $2 then 1 else counted.failures + 1 end,
                created_at = case when counted.created_at <= $2 then $3 else counted.created_at end
         returning failures, created_at",
    )
    .bind(user_id)
    .bind(window_start)
    .bind(now)
    .fetch_one(connection)
    .await
}

pub async fn forget_attempts(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.mfa_failures where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}

/// Replaces the account's recovery codes.
pub async fn replace_recovery_codes(
    connection: &mut PgConnection,
    user_id: Uuid,
    hashes: &[Vec<u8>],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    delete_recovery_codes(connection, user_id).await?;
    sqlx::query(
        "insert into auth.mfa_recovery_codes (user_id, code_hash, created_at)
         select $1, code_hash, $3 from unnest($2::bytea[]) as code_hash",
    )
    .bind(user_id)
    .bind(hashes)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// `false` if the account has no codes.
pub async fn delete_recovery_codes(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from auth.mfa_recovery_codes where user_id = $1")
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Marks the code as used. `false` if there is no such code.
pub async fn use_recovery_code(
    connection: &mut PgConnection,
    user_id: Uuid,
    hash: &[u8],
) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from auth.mfa_recovery_codes where user_id = $1 and code_hash = $2")
        .bind(user_id)
        .bind(hash)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// How many recovery codes are left, and when they were made.
pub async fn recovery_codes(
    connection: &mut PgConnection,
    user_id: Uuid,
) -> sqlx::Result<(i64, Option<DateTime<Utc>>)> {
    sqlx::query_as("select count(*), min(created_at) from auth.mfa_recovery_codes where user_id = $1")
        .bind(user_id)
        .fetch_one(connection)
        .await
}

/// The session after the second step.
pub struct SecondStep<'a> {
    /// The session that passed the second step, which ends.
    pub from: Uuid,
    pub session: &'a SessionRow,
    pub factor_id: Uuid,
    pub token: &'a TokenHash,
    pub user_agent: Option<&'a str>,
    pub address: Option<IpAddr>,
    pub now: DateTime<Utc>,
}

/// Replaces the session with one that has passed the second step, and ends the account's sessions that have
/// not.
pub async fn open_session(connection: &mut PgConnection, step: &SecondStep<'_>) -> sqlx::Result<()> {
    let session = step.session;
    sqlx::query("delete from auth.sessions where user_id = $1 and (id = $2 or aal = 'aal1')")
        .bind(session.user_id)
        .bind(step.from)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "with session as (
           insert into auth.sessions (id, user_id, aal, amr, factor_id, created_at, refreshed_at, updated_at, not_after, user_agent, ip)
           values ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9, $10::text::inet)
         )
         insert into auth.refresh_tokens (session_id, token_hash, created_at) values ($1, $11, $7)",
    )
    .bind(session.id)
    .bind(session.user_id)
    .bind(&session.aal)
    .bind(&session.amr)
    .bind(step.factor_id)
    .bind(session.created_at)
    .bind(step.now)
    .bind(session.not_after)
    .bind(step.user_agent)
    .bind(step.address.map(|address| address.to_string()))
    .bind(step.token.as_slice())
    .execute(connection)
    .await?;
    Ok(())
}
