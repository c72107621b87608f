//! `auth.identities`: the identities of an account: its e-mail address, and a phone number set by an
//! operator.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde_json::{Value, json};
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

pub const EMAIL: &str = "email";
pub const PHONE: &str = "phone";

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

/// Columns for a query that joins `auth.identities as identity` to accounts: see [`joined`].
macro_rules! joined_columns {
    () => {
        "identity.id as identity_id, identity.provider_id, identity.identity_data, identity.provider, \
         identity.last_sign_in_at as identity_last_sign_in_at, identity.created_at as identity_created_at, \
         identity.updated_at as identity_updated_at, identity.email as identity_email"
    };
}
pub(super) use joined_columns;

/// Reads the joined identities, one per row. Accounts created by an operator may have none.
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

/// The e-mail identity of a new account. `data` is the sign-up data; our own members take precedence.
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
        provider: EMAIL.to_owned(),
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

/// Orders the members of the data as if it had been stored.
pub async fn normalize(connection: &mut PgConnection, identity: &mut IdentityRow) -> sqlx::Result<()> {
    let data = std::mem::take(&mut identity.identity_data);
    identity.identity_data = sqlx::query_scalar("select $1::jsonb").bind(data).fetch_one(connection).await?;
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

/// Marks the account's address as verified.
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

/// Updates the e-mail identity to the account's address, or creates it.
pub async fn set_email(
    connection: &mut PgConnection,
    user_id: Uuid,
    email: &str,
    verified: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let data = json!({ "sub": user_id, "email": email, "email_verified": verified });
    set(connection, user_id, EMAIL, &data, now).await
}

/// Like [`set_email`], for the account's phone number.
pub async fn set_phone(
    connection: &mut PgConnection,
    user_id: Uuid,
    phone: &str,
    verified: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let data = json!({ "sub": user_id, "phone": phone, "phone_verified": verified });
    set(connection, user_id, PHONE, &data, now).await
}

/// Merges `data` into the identity's existing data.
async fn set(
    connection: &mut PgConnection,
    user_id: Uuid,
    provider: &str,
    data: &Value,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.identities as identity
                (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
         values ($1::text, $1, '{\"email_verified\": false, \"phone_verified\": false}' || $2::jsonb, $3, $4, $4, $4)
         on conflict (provider_id, provider)
         do update set identity_data = identity.identity_data || $2, updated_at = $4",
    )
    .bind(user_id)
    .bind(data)
    .bind(provider)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.identities where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}
