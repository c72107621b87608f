//! `auth.users`. Soft-deleted accounts are found only by the functions for operators.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Serialize;
use serde_json::Value;
use sqlx::FromRow;
use sqlx::types::Json;
use uuid::Uuid;

use super::factors::Factor;

/// Named like the columns, also for [`insert`] and [`update`].
#[derive(Debug, Clone, FromRow, Serialize)]
pub struct UserRow {
    pub id: Uuid,
    pub aud: String,
    pub role: String,
    pub email: Option<String>,
    pub encrypted_password: Option<String>,
    pub email_confirmed_at: Option<DateTime<Utc>>,
    pub invited_at: Option<DateTime<Utc>>,
    pub confirmation_sent_at: Option<DateTime<Utc>>,
    pub recovery_sent_at: Option<DateTime<Utc>>,
    pub new_email: Option<String>,
    pub email_change_sent_at: Option<DateTime<Utc>>,
    /// How many of the two confirmations of a change of address have been made.
    pub email_change_confirm_status: i16,
    pub reauthentication_sent_at: Option<DateTime<Utc>>,
    pub last_sign_in_at: Option<DateTime<Utc>>,
    pub raw_app_meta_data: Value,
    pub raw_user_meta_data: Value,
    pub phone: Option<String>,
    pub phone_confirmed_at: Option<DateTime<Utc>>,
    pub is_anonymous: bool,
    pub banned_until: Option<DateTime<Utc>>,
    pub deleted_at: Option<DateTime<Utc>>,
    #[sqlx(json)]
    #[serde(skip)]
    pub factors: Vec<Factor>,
    /// The address comes from a sign-up: nobody has proved it by e-mail, and no operator has vouched for it.
    pub email_unproved: bool,
    /// Another person signed up with the address and a different password before it was confirmed.
    pub password_contested: bool,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
}

impl UserRow {
    pub fn is_banned(&self, now: DateTime<Utc>) -> bool {
        is_banned(self.banned_until, now)
    }

    /// Whether sign-ins have a second step.
    pub fn has_factor(&self) -> bool {
        self.factors.iter().any(Factor::is_verified)
    }
}

pub fn is_banned(until: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    until.is_some_and(|until| until > now)
}

/// Listed explicitly, so that a column added by a later migration can't break a statement prepared before.
macro_rules! columns {
    () => {
        concat!("id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_sent_at, \
         recovery_sent_at, new_email, email_change_sent_at, email_change_confirm_status, \
         reauthentication_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, phone, phone_confirmed_at, is_anonymous, banned_until, \
         deleted_at, email_unproved, password_contested, created_at, updated_at, ", crate::store::factors::of_user!())
    };
}
pub(super) use columns;

/// The unique constraint on addresses.
pub const EMAIL_KEY: &str = "users_email_key";
pub const PHONE_KEY: &str = "users_phone_key";
pub const PRIMARY_KEY: &str = "users_pkey";

pub async fn by_id(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as(concat!("select ", columns!(), " from auth.users where id = $1 and deleted_at is null"))
        .bind(id)
        .fetch_optional(connection)
        .await
}

/// Like [`by_id`], including soft-deleted accounts.
pub async fn by_id_with_deleted(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as(concat!("select ", columns!(), " from auth.users where id = $1"))
        .bind(id)
        .fetch_optional(connection)
        .await
}

/// Like [`lock`], including soft-deleted accounts.
pub async fn lock_with_deleted(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    lock_row(connection, id).await?;
    by_id_with_deleted(connection, id).await
}

/// Like [`by_id`], and locks the account until the transaction ends. `no key` lets other transactions insert
/// rows that refer to the account (a refreshed token): blocking those could deadlock.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<UserRow>> {
    lock_row(connection, id).await?;
    by_id(connection, id).await
}

/// A statement of its own: one that also read the factors would not see those that were added while it waited.
async fn lock_row(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("select from auth.users where id = $1 for no key update")
        .bind(id)
        .execute(connection)
        .await
        .map(|_| ())
}

/// Like [`lock`], by address.
pub async fn lock_by_email(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as(concat!(
        "select ",
        columns!(),
        " from auth.users where email = $1 and deleted_at is null for no key update"
    ))
    .bind(email)
    .fetch_optional(connection)
    .await
}

pub async fn by_email(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<UserRow>> {
    sqlx::query_as(concat!("select ", columns!(), " from auth.users where email = $1 and deleted_at is null"))
        .bind(email)
        .fetch_optional(connection)
        .await
}

/// The columns of a new account. The others have defaults.
macro_rules! first_columns {
    () => {
        "id, aud, role, email, encrypted_password, email_confirmed_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, \
         banned_until, created_at, updated_at, phone, phone_confirmed_at, email_unproved"
    };
}

/// The columns that a change may touch.
macro_rules! changing_columns {
    () => {
        "aud, role, email, encrypted_password, email_confirmed_at, new_email, email_change_sent_at, last_sign_in_at, \
         raw_app_meta_data, raw_user_meta_data, banned_until, deleted_at, updated_at, email_change_confirm_status, \
         confirmation_sent_at, recovery_sent_at, reauthentication_sent_at, invited_at, phone, phone_confirmed_at, \
         email_unproved, password_contested"
    };
}

/// Inserts the account. A trigger may reject it, for example because of its user metadata.
pub async fn insert(connection: &mut PgConnection, user: &UserRow) -> sqlx::Result<()> {
    sqlx::query(concat!(
        "insert into auth.users (",
        first_columns!(),
        ") select ",
        first_columns!(),
        " from jsonb_populate_record(null::auth.users, $1)"
    ))
    .bind(Json(user))
    .execute(connection)
    .await?;
    Ok(())
}

/// Read the row with [`lock`] first.
pub async fn update(connection: &mut PgConnection, user: &UserRow) -> sqlx::Result<()> {
    sqlx::query(concat!(
        "update auth.users as stored set (",
        changing_columns!(),
        ") = (select ",
        changing_columns!(),
        " from jsonb_populate_record(stored, $2)) where id = $1"
    ))
    .bind(user.id)
    .bind(Json(user))
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks the password of an unconfirmed account as contested.
pub async fn contest(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.users set password_contested = true where id = $1 and email_confirmed_at is null",
    )
    .bind(id)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from auth.users where id = $1").bind(id).execute(connection).await?;
    Ok(done.rows_affected() == 1)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    NewestFirst,
    OldestFirst,
}

/// A page of accounts whose address or full name contains `filter`; all accounts when it is empty.
pub async fn page(
    connection: &mut PgConnection,
    filter: &str,
    order: Order,
    limit: i64,
    offset: i64,
) -> sqlx::Result<Vec<UserRow>> {
    let statement = match order {
        Order::NewestFirst => concat!(
            "select ",
            columns!(),
            " from auth.users where deleted_at is null and ($1 = '' or
             strpos(lower(email), $1) > 0 or strpos(lower(raw_user_meta_data ->> 'full_name'), $1) > 0)
             order by created_at desc, id desc limit $2 offset $3"
        ),
        Order::OldestFirst => concat!(
            "select ",
            columns!(),
            " from auth.users where deleted_at is null and ($1 = '' or
             strpos(lower(email), $1) > 0 or strpos(lower(raw_user_meta_data ->> 'full_name'), $1) > 0)
             order by created_at, id limit $2 offset $3"
        ),
    };
    sqlx::query_as(statement).bind(filter.to_lowercase()).bind(limit).bind(offset).fetch_all(connection).await
}

pub async fn count(connection: &mut PgConnection, filter: &str) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "select count(*) from auth.users where deleted_at is null and ($1 = '' or
         strpos(lower(email), $1) > 0 or strpos(lower(raw_user_meta_data ->> 'full_name'), $1) > 0)",
    )
    .bind(filter.to_lowercase())
    .fetch_one(connection)
    .await
}
