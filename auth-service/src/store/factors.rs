//! `auth.mfa_factors` and `auth.mfa_challenges`.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;
use uuid::Uuid;

/// A factor as the API shows it to its owner and to operators.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Factor {
    pub id: Uuid,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    pub status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friendly_name: Option<String>,
    pub factor_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_challenged_at: Option<DateTime<Utc>>,
}

impl Factor {
    pub fn is_verified(&self) -> bool {
        self.status == "verified"
    }
}

/// A column for queries of `auth.users`: the account's factors as JSON.
macro_rules! of_user {
    () => {
        "(select coalesce(jsonb_agg(jsonb_build_object(
             'id', factor.id, 'created_at', factor.created_at, 'updated_at', factor.updated_at,
             'status', case when factor.verified_at is null then 'unverified' else 'verified' end,
             'friendly_name', factor.friendly_name, 'factor_type', 'totp',
             'last_challenged_at', factor.last_challenged_at) order by factor.created_at, factor.id), '[]')
            from auth.mfa_factors as factor where factor.user_id = users.id) as factors"
    };
}
pub(super) use of_user;

/// The columns that a verification needs.
#[derive(FromRow)]
pub struct FactorRow {
    pub id: Uuid,
    pub user_id: Uuid,
    pub secret: Vec<u8>,
    pub last_step: Option<i64>,
    pub verified_at: Option<DateTime<Utc>>,
}

pub struct NewFactor<'a> {
    pub id: Uuid,
    pub user_id: Uuid,
    pub friendly_name: Option<&'a str>,
    pub secret: &'a [u8],
    pub key_id: &'a str,
    pub created_at: DateTime<Utc>,
}

pub async fn insert(connection: &mut PgConnection, factor: &NewFactor<'_>) -> sqlx::Result<()> {
    sqlx::query(
        "insert into auth.mfa_factors (id, user_id, friendly_name, secret, secret_key_id, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $6)",
    )
    .bind(factor.id)
    .bind(factor.user_id)
    .bind(factor.friendly_name)
    .bind(factor.secret)
    .bind(factor.key_id)
    .bind(factor.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find(connection: &mut PgConnection, user_id: Uuid, id: Uuid) -> sqlx::Result<Option<FactorRow>> {
    sqlx::query_as(
        "select id, user_id, secret, last_step, verified_at from auth.mfa_factors where id = $1 and user_id = $2",
    )
    .bind(id)
    .bind(user_id)
    .fetch_optional(connection)
    .await
}

/// The verified factor that the account has had for the longest time.
pub async fn oldest_verified(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar(
        "select id from auth.mfa_factors where user_id = $1 and verified_at is not null order by created_at, id limit 1",
    )
    .bind(user_id)
    .fetch_optional(connection)
    .await
}

/// Records a correct code of the app. The account's unverified factors are removed.
pub async fn verified(
    connection: &mut PgConnection,
    factor: &FactorRow,
    step: Option<i64>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with others as (
           delete from auth.mfa_factors where user_id = $1 and id <> $2 and verified_at is null
         )
         update auth.mfa_factors
            set last_step = coalesce($3, last_step), verified_at = coalesce(verified_at, $4), updated_at = $4
          where id = $2",
    )
    .bind(factor.user_id)
    .bind(factor.id)
    .bind(step)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the account's factors that nobody verified in time.
pub async fn delete_unverified(
    connection: &mut PgConnection,
    user_id: Uuid,
    created_before: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "delete from auth.mfa_factors where user_id = $1 and verified_at is null and created_at <= $2",
    )
    .bind(user_id)
    .bind(created_before)
    .execute(connection)
    .await?;
    Ok(())
}

/// A trigger resets the level of sessions that passed the second step with this factor. `false` if there is
/// no such factor.
pub async fn delete(connection: &mut PgConnection, user_id: Uuid, id: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query("delete from auth.mfa_factors where id = $1 and user_id = $2")
        .bind(id)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_of_user(connection: &mut PgConnection, user_id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.mfa_factors where user_id = $1").bind(user_id).execute(connection).await?;
    Ok(())
}

pub async fn rename(
    connection: &mut PgConnection,
    user_id: Uuid,
    id: Uuid,
    friendly_name: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "update auth.mfa_factors set friendly_name = $3, updated_at = $4 where id = $1 and user_id = $2",
    )
    .bind(id)
    .bind(user_id)
    .bind(friendly_name)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Factors whose secret was encrypted with another key, and the encrypted secret.
pub async fn of_other_keys(
    connection: &mut PgConnection,
    key_id: &str,
    after: Uuid,
) -> sqlx::Result<Vec<(Uuid, Vec<u8>)>> {
    sqlx::query_as(
        "select id, secret from auth.mfa_factors where secret_key_id <> $1 and id > $2 order by id limit 100",
    )
    .bind(key_id)
    .bind(after)
    .fetch_all(connection)
    .await
}

pub async fn set_secret(
    connection: &mut PgConnection,
    id: Uuid,
    secret: &[u8],
    key_id: &str,
) -> sqlx::Result<()> {
    sqlx::query("update auth.mfa_factors set secret = $2, secret_key_id = $3 where id = $1")
        .bind(id)
        .bind(secret)
        .bind(key_id)
        .execute(connection)
        .await?;
    Ok(())
}

#[derive(FromRow)]
pub struct ChallengeRow {
    pub id: Uuid,
    pub ip: Option<String>,
    pub created_at: DateTime<Utc>,
}

/// Keeps the factor's ten newest challenges.
pub async fn challenge(
    connection: &mut PgConnection,
    factor_id: Uuid,
    id: Uuid,
    ip: Option<IpAddr>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query(
        "with factor as (
           update auth.mfa_factors set last_challenged_at = $4 where id = $1
         ), older as (
           delete from auth.mfa_challenges where id in (
             select id from auth.mfa_challenges where factor_id = $1 order by created_at desc, id offset 9)
         )
         insert into auth.mfa_challenges (factor_id, id, ip, created_at) values ($1, $2, $3::text::inet, $4)",
    )
    .bind(factor_id)
    .bind(id)
    .bind(ip.map(|ip| ip.to_string()))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn challenge_of(
    connection: &mut PgConnection,
    factor_id: Uuid,
    id: Uuid,
) -> sqlx::Result<Option<ChallengeRow>> {
    sqlx::query_as(
        "select id, host(ip) as ip, created_at from auth.mfa_challenges where id = $1 and factor_id = $2",
    )
    .bind(id)
    .bind(factor_id)
    .fetch_optional(connection)
    .await
}

pub async fn delete_challenge(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query("delete from auth.mfa_challenges where id = $1").bind(id).execute(connection).await?;
    Ok(())
}
