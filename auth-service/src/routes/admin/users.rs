//! `/admin/users`, `/admin/users/{id}`

pub mod create;
pub mod delete;
pub mod list;
pub mod update;

use axum::extract::{FromRequestParts, RawPathParams, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::{Json, RequestPartsExt};
use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use uuid::Uuid;

use crate::caller::Operator;
use crate::client::Client;
use crate::domain::password::Password;
use crate::domain::span;
use crate::error::{AuthError, Result, violates};
use crate::hashing;
use crate::new_account;
use crate::service::{Service, Shared};
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, users};

/// The account named by `{id}` in the path, as it was before the request. Extracted before the body is read.
/// Includes soft-deleted accounts, which keep their row until a hard deletion.
pub struct Account(pub UserRow);

impl FromRequestParts<Shared> for Account {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self> {
        let wrong = || AuthError::not_found("validation_failed", "user_id must be an UUID");
        let named = parts.extract::<RawPathParams>().await.map_err(|_| wrong())?;
        let id = named.iter().find_map(|(name, text)| (name == "id").then_some(text));
        let id = id.and_then(|text| Uuid::parse_str(text).ok()).ok_or_else(wrong)?;
        let mut connection = service.pool.acquire().await?;
        users::by_id_with_deleted(&mut connection, id).await?.map(Self).ok_or_else(not_found)
    }
}

/// `GET /admin/users/{id}`
pub async fn get(State(service): State<Shared>, _: Operator, Account(user): Account) -> Result<Json<User>> {
    let mut connection = service.pool.acquire().await?;
    shown(&mut connection, user).await.map(Json)
}

fn not_found() -> AuthError {
    AuthError::not_found("user_not_found", "User not found")
}

/// The database always keeps one superadmin who can sign in.
const LAST_SUPERADMIN: &str = "user_roles_keep_a_superadmin";

/// Maps an error of the database on a change or deletion.
fn refusal(error: sqlx::Error) -> AuthError {
    if violates(&error, LAST_SUPERADMIN) {
        let message = "The last superadmin can't be removed or banned";
        return AuthError::new(StatusCode::CONFLICT, "conflict", message);
    }
    new_account::taken(error)
}

/// A name set by an operator; an empty one counts as missing.
///
/// # Errors
/// Fails when the database can't store it.
fn word(text: Option<String>) -> Result<Option<String>> {
    let text = text.filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.contains('\0')) {
        return Err(AuthError::validation("aud and role can't hold a NUL character"));
    }
    Ok(text)
}

async fn shown(connection: &mut PgConnection, user: UserRow) -> Result<User> {
    let identities = identities::of_user(connection, user.id).await?;
    Ok(User::new(user, identities))
}

/// Hashes the password, or returns the imported hash; `None` when neither is given.
async fn password_hash(
    service: &Service,
    client: &Client,
    password: Option<Password>,
    hash: Option<String>,
) -> Result<Option<String>> {
    match (password, hash.filter(|text| !text.is_empty())) {
        (Some(_), Some(_)) => {
            Err(AuthError::validation("Only a password or a password hash should be provided"))
        }
        (Some(password), None) => service.hasher.hash(password, client).await.map(Some),
        (None, Some(hash)) if hashing::is_usable(&hash) => Ok(Some(hash)),
        (None, Some(_)) => Err(AuthError::validation("password_hash must be an argon2 or bcrypt hash")),
        (None, None) => Ok(None),
    }
}

/// The end of a ban that starts now; `none` lifts it. A negative duration gives a ban that is already over.
fn banned_until(duration: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    if duration == "none" {
        return Ok(None);
    }
    let span = span::parse(duration)
        .map_err(|error| AuthError::validation(format!("invalid format for ban duration: {error}")))?;
    Ok(Some(now + span))
}
