//! Password sign-ins: one statement before the hash and one after it, so that the hash dominates the cost.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use sqlx::postgres::PgRow;
use sqlx::{FromRow, Row};
use uuid::Uuid;

use super::identities::{self, IdentityRow};
use super::sessions::SessionRow;
use super::sign_in_failures::{FailureCounts, Keys, SignInFailuresRow};
use super::users::{self, UserRow};
use crate::domain::refresh_token::TokenHash;

/// The columns needed to compare a password and decide on the account.
#[derive(FromRow)]
pub struct Candidate {
    pub id: Uuid,
    pub encrypted_password: Option<String>,
    pub email_confirmed_at: Option<DateTime<Utc>>,
    pub banned_until: Option<DateTime<Utc>>,
}

/// Finds the account with this address and the wrong passwords counted for it.
pub async fn find(
    connection: &mut PgConnection,
    email: &str,
    keys: &Keys,
) -> sqlx::Result<(Option<Candidate>, FailureCounts)> {
    let row = sqlx::query(
        "select person.id, person.encrypted_password, person.email_confirmed_at, person.banned_until,
                counted.failures, counted.created_at as first_failed_at,
                coalesce(cardinality(array_positions(counted.clients, $3)), 0)::bigint as of_client,
                of_client.failures as client_failures, of_client.created_at as client_first_failed_at
           from (values (1)) as asked
           left join auth.sign_in_failures as counted on counted.address_hash = $1
           left join auth.sign_in_failures as of_client on of_client.address_hash = $3
           left join auth.users as person on person.email = $2 and person.deleted_at is null",
    )
    .bind(&keys.address)
    .bind(email)
    .bind(&keys.client)
    .fetch_one(connection)
    .await?;
    let of_client = row.try_get("of_client")?;
    let address = failures(&row, "failures", "first_failed_at")?
        .map(|counted| SignInFailuresRow { of_client, ..counted });
    let client = failures(&row, "client_failures", "client_first_failed_at")?;
    Ok((person(&row)?, FailureCounts { address, client }))
}

pub struct PasswordSignIn<'a> {
    /// The hash the password was compared with.
    pub checked: &'a str,
    /// A better hash of the same password, to be stored.
    pub better: Option<&'a str>,
    pub address_hash: &'a str,
    /// More failures than this since `window_start` reject the sign-in.
    pub max_failures: i32,
    pub window_start: DateTime<Utc>,
    pub session: &'a SessionRow,
    pub token: &'a TokenHash,
    pub user_agent: Option<&'a str>,
    pub address: Option<IpAddr>,
}

pub enum Outcome {
    /// The sign-in is recorded, with a session and its first refresh token; failures are reset.
    SignedIn(Box<UserRow>, Vec<IdentityRow>),
    /// Concurrent attempts used up the allowance. Nothing was written.
    Paused(SignInFailuresRow),
    /// The stored hash has changed. Nothing was written.
    Changed,
}

/// Failures are read `for update`: a concurrent failure is counted either before this statement or after the
/// reset.
const SIGN_IN: &str = concat!(
    "with counted as (
       select failures, created_at from auth.sign_in_failures where address_hash = $1 for update
     ),
     paused as (
       select failures, created_at from counted where failures > $2 and created_at > $3
     ),
     person as (
       update auth.users
          set last_sign_in_at = $4, updated_at = $4, encrypted_password = coalesce($5, encrypted_password)
        where id = $6 and encrypted_password = $7 and deleted_at is null and not exists (select from paused)
       returning ",
    users::columns!(),
    "),
     cleared as (
       delete from auth.sign_in_failures using person where address_hash = $1
     ),
     session as (
       insert into auth.sessions (id, user_id, aal, amr, created_at, updated_at, user_agent, ip)
       select $8, id, $9, $10, $4, $4, $11, $12::text::inet from person
     ),
     token as (
       insert into auth.refresh_tokens (session_id, token_hash, created_at)
       select $8, $13, $4 from person
     )
     select person.*, paused.failures, paused.created_at as first_failed_at, ",
    identities::joined_columns!(),
    " from (values (1)) as asked
       left join paused on true
       left join person on true
       left join auth.identities as identity on identity.user_id = person.id
      order by identity.created_at, identity.id"
);

/// Records a sign-in with the right password.
pub async fn insert(connection: &mut PgConnection, sign_in: &PasswordSignIn<'_>) -> sqlx::Result<Outcome> {
    let session = sign_in.session;
    let rows = sqlx::query(SIGN_IN)
        .bind(sign_in.address_hash)
        .bind(sign_in.max_failures)
        .bind(sign_in.window_start)
        .bind(session.created_at)
        .bind(sign_in.better)
        .bind(session.user_id)
        .bind(sign_in.checked)
        .bind(session.id)
        .bind(&session.aal)
        .bind(&session.amr)
        .bind(sign_in.user_agent)
        .bind(sign_in.address.map(|address| address.to_string()))
        .bind(sign_in.token.as_slice())
        .fetch_all(connection)
        .await?;

    let Some(first) = rows.first() else { return Ok(Outcome::Changed) };
    if let Some(counted) = failures(first, "failures", "first_failed_at")? {
        return Ok(Outcome::Paused(counted));
    }
    let Some(person) = person::<UserRow>(first)? else { return Ok(Outcome::Changed) };
    Ok(Outcome::SignedIn(Box::new(person), identities::joined(&rows)?))
}

fn person<'r, T: FromRow<'r, PgRow>>(row: &'r PgRow) -> sqlx::Result<Option<T>> {
    let id: Option<Uuid> = row.try_get("id")?;
    id.map(|_| T::from_row(row)).transpose()
}

fn failures(row: &PgRow, number: &str, since: &str) -> sqlx::Result<Option<SignInFailuresRow>> {
    let Some(failures) = row.try_get(number)? else { return Ok(None) };
    Ok(Some(SignInFailuresRow { failures, created_at: row.try_get(since)?, of_client: 0 }))
}
