//! `auth.identities`: the ways into an account. Ours have one: the e-mail address.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, PgConnection, Row};
use uuid::Uuid;

#[derive(Debug, Clone, FromRow)]
pub struct IdentityRow {
    pub id: Uuid,
    pub provider_id: String,
    pub user_id: Uuid,
    pub identity_data: Value,
    pub provider: String,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub email: Option<String>,
}

/// For a statement that joins `auth.identities as identity` to accounts: see [`joined`].
macro_rules! joined_columns {
    () => {
        "identity.id as identity_id, identity.provider_id, identity.identity_data, identity.provider, \
         identity.last_sign_in_at as identity_last_sign_in_at, identity.created_at as identity_created_at, \
         identity.updated_at as identity_updated_at, identity.email as identity_email"
    };
}
pub(super) use joined_columns;

/// What was joined to the account `id`, a row each. An account made by an operator may have none.
pub fn joined(rows: &[PgRow]) -> sqlx::Result<Vec<IdentityRow>> {
    rows.iter().map(of_row).filter_map(Result::transpose).collect()
}

fn of_row(row: &PgRow) -> sqlx::Result<Option<IdentityRow>> {
    let Some(id) = row.try_get("identity_id")? else { return Ok(None) };
    Ok(Some(IdentityRow {
        id,
        provider_id: row.try_get("provider_id")?,
        user_id: row.try_get("id")?,
        identity_data: row.try_get("identity_data")?,
        provider: row.try_get("provider")?,
        last_sign_in_at: row.try_get("identity_last_sign_in_at")?,
        created_at: row.try_get("identity_created_at")?,
        updated_at: row.try_get("identity_updated_at")?,
        email: row.try_get("identity_email")?,
    }))
}

/// The e-mail identity of a new account. `data` is the sign-up data, under the members that are ours.
pub fn of_email(user_id: Uuid, email: &str, data: Value, now: DateTime<Utc>) -> IdentityRow {
    let mut identity_data = data;
    for (name, value) in [
        ("sub", json!(user_id)),
        ("email", json!(email)),
        ("email_verified", json!(false)),
        ("phone_verified", json!(false)),
    ] {
        identity_data[name] = value;
    }
    IdentityRow {
        id: Uuid::new_v4(),
        provider_id: user_id.to_string(),
        user_id,
        identity_data,
        provider: "email".to_owned(),
        last_sign_in_at: Some(now),
        created_at: now,
        updated_at: now,
        email: Some(email.to_owned()),
    }
}

pub async fn insert(connection: &mut PgConnection, identity: &IdentityRow) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.identities
                (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7)",
    )
    .bind(identity.id)
    .bind(&identity.provider_id)
    .bind(identity.user_id)
    .bind(&identity.identity_data)
    .bind(&identity.provider)
    .bind(identity.last_sign_in_at)
    .bind(identity.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<Vec<IdentityRow>> {
    of_users(connection, &[user_id]).await
}

pub async fn of_users(connection: &mut PgConnection, user_ids: &[Uuid]) -> sqlx::Result<Vec<IdentityRow>> {
    sqlx::query_as(
        "select id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at, email
           from auth.identities where user_id = any($1) order by created_at, id",
    )
    .bind(user_ids)
    .fetch_all(connection)
    .await
}

/// The account's address was proved.
pub async fn verify_email(
    connection: &mut PgConnection,
    user_id: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.identities
            set identity_data = identity_data || '{\"email_verified\": true}', updated_at = $2
          where user_id = $1 and provider = 'email'",
    )
    .bind(user_id)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// The identity follows the account's address.
pub async fn set_email(
    connection: &mut PgConnection,
    user_id: Uuid,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.identities
            set identity_data = identity_data || jsonb_build_object('email', $2::text), updated_at = $3
          where user_id = $1 and provider = 'email'",
    )
    .bind(user_id)
    .bind(email)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.identities where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}
