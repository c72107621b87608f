//! `auth.flow_state`: PKCE flows, from the first request to the exchange of the code.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::pkce::Challenge;
use crate::domain::verification::Method;

#[derive(Debug, Clone, FromRow)]
pub struct FlowStateRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub authentication_method: String,
    pub code_challenge: String,
    pub code_challenge_method: String,
    pub auth_code_issued_at: DateTime<Utc>,
}

/// Starts a flow. Deletes the account's earlier flows of this method, whose e-mail is now void.
pub async fn begin(
    connection: &mut PgConnection,
    user_id: Uuid,
    method: Method,
    challenge: &Challenge,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    sqlx::query(
        "delete from auth.flow_state
          where user_id = $1 and authentication_method = $2 and auth_code_issued_at is null",
    )
    .bind(user_id)
    .bind(method.as_str())
    .execute(&mut *connection)
    .await?;
    sqlx::query_scalar(
        "insert into auth.flow_state
                (user_id, authentication_method, code_challenge, code_challenge_method, created_at)
         values ($1, $2, $3, $4, $5) returning id",
    )
    .bind(user_id)
    .bind(method.as_str())
    .bind(&challenge.text)
    .bind(challenge.method.as_str())
    .bind(now)
    .fetch_one(connection)
    .await
}

/// Stores the code once the flow's link has been followed. Deletes the account's codes that were issued
/// before `expired` and never exchanged.
pub async fn issue(
    connection: &mut PgConnection,
    id: Uuid,
    auth_code_hash: &str,
    now: DateTime<Utc>,
    expired: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.flow_state where auth_code_issued_at <= $2
            and user_id = (select user_id from auth.flow_state where id = $1)",
    )
    .bind(id)
    .bind(expired)
    .execute(&mut *connection)
    .await?;
    sqlx::query("update auth.flow_state set auth_code_hash = $2, auth_code_issued_at = $3 where id = $1")
        .bind(id)
        .bind(auth_code_hash)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Locks the flow until the transaction ends, so that a code is exchanged only once.
/// `hashes` of the same code with each secret that is accepted.
pub async fn lock_by_code(
    connection: &mut PgConnection,
    hashes: &[String],
) -> sqlx::Result<Option<FlowStateRow>> {
    sqlx::query_as(
        "select id, user_id, authentication_method, code_challenge, code_challenge_method, auth_code_issued_at
           from auth.flow_state where auth_code_hash = any($1) for update",
    )
    .bind(hashes)
    .fetch_optional(connection)
    .await
}

pub async fn delete_of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.flow_state where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.flow_state where id = $1").bind(id).execute(connection).await?;
    Ok(())
}
