//! `auth.one_time_tokens`: hashes of mailed links and codes, at most one of each kind per account.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::FromRow;
use uuid::Uuid;

use crate::domain::one_time_token::TokenKind;

#[derive(Debug, Clone, FromRow)]
pub struct OneTimeTokenRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub token_type: String,
    pub code_hash: Option<String>,
    pub flow_state_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
}

/// The stored part of a fresh token.
pub struct Stored<'a> {
    pub user_id: Uuid,
    pub kind: TokenKind,
    pub token_hash: &'a str,
    pub code_hash: &'a str,
    /// The address it proves.
    pub relates_to: &'a str,
    pub flow_state_id: Option<Uuid>,
    pub created_at: DateTime<Utc>,
}

/// Replaces the account's earlier token of this kind, which becomes invalid.
pub async fn replace(connection: &mut PgConnection, token: &Stored<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.one_time_tokens
                (user_id, token_type, token_hash, code_hash, relates_to, flow_state_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (user_id, token_type) do update
            set id = gen_random_uuid(), token_hash = $3, code_hash = $4, relates_to = $5, flow_state_id = $6,
                created_at = $7, attempts = 0",
    )
    .bind(token.user_id)
    .bind(token.kind.as_str())
    .bind(token.token_hash)
    .bind(token.code_hash)
    .bind(token.relates_to)
    .bind(token.flow_state_id)
    .bind(token.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// `hashes` of the same token with each secret that is accepted.
pub async fn by_link(
    connection: &mut PgConnection,
    hashes: &[String],
    kinds: &[TokenKind],
) -> sqlx::Result<Option<OneTimeTokenRow>> {
    sqlx::query_as(
        "select id, user_id, token_type, code_hash, flow_state_id, created_at
           from auth.one_time_tokens where token_hash = any($1) and token_type = any($2)",
    )
    .bind(hashes)
    .bind(names(kinds))
    .fetch_optional(connection)
    .await
}

/// Returns the address's tokens that still allow guesses, and counts this guess. Concurrent guesses are
/// serialized by the row lock, so no more than `most` are ever compared.
pub async fn guess(
    connection: &mut PgConnection,
    address: &str,
    kinds: &[TokenKind],
    most: i32,
) -> sqlx::Result<Vec<OneTimeTokenRow>> {
    sqlx::query_as(
        "update auth.one_time_tokens set attempts = attempts + 1
          where relates_to = $1 and token_type = any($2) and attempts < $3
         returning id, user_id, token_type, code_hash, flow_state_id, created_at",
    )
    .bind(address)
    .bind(names(kinds))
    .bind(most)
    .fetch_all(connection)
    .await
}

/// Deletes the token. `false` when another request just did.
pub async fn consume(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let done =
        sqlx::query("delete from auth.one_time_tokens where id = $1").bind(id).execute(connection).await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.one_time_tokens where user_id = $1")
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

fn names(kinds: &[TokenKind]) -> Vec<&'static str> {
    kinds.iter().map(|kind| kind.as_str()).collect()
}
