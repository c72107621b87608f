//! `/admin/users`, `/admin/users/{id}`

pub mod create;
pub mod delete;
pub mod list;
pub mod update;

use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::caller::Operator;
use crate::domain::password::Password;
use crate::domain::span;
use crate::error::{AuthError, Result};
use crate::hashing;
use crate::service::{Service, Shared};
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, users};

type UserId = std::result::Result<Path<String>, PathRejection>;

/// `GET /admin/users/{id}`: what a soft deletion left too, until it is deleted for good.
pub async fn get(State(service): State<Shared>, _: Operator, id: UserId) -> Result<Json<User>> {
    let id = parse(id)?;
    let mut connection = service.pool.acquire().await?;
    let user = users::kept(&mut connection, id).await?.ok_or_else(not_found)?;
    shown(&mut connection, user).await.map(Json)
}

fn parse(id: UserId) -> Result<Uuid> {
    let wrong = || AuthError::new(StatusCode::NOT_FOUND, "validation_failed", "user_id must be an UUID");
    id.map_err(|_| wrong())?.parse().map_err(|_| wrong())
}

fn not_found() -> AuthError {
    AuthError::new(StatusCode::NOT_FOUND, "user_not_found", "User not found")
}

async fn shown(connection: &mut PgConnection, user: UserRow) -> Result<User> {
    let identities = identities::of_user(connection, user.id).await?;
    Ok(User::new(user, identities))
}

/// The hash of a password, or one that was made elsewhere; none when neither is given.
async fn password_hash(
    service: &Service,
    password: Option<Password>,
    hash: Option<String>,
) -> Result<Option<String>> {
    match (password, hash.filter(|text| !text.is_empty())) {
        (Some(_), Some(_)) => {
            Err(AuthError::validation("Only a password or a password hash should be provided"))
        }
        (Some(password), None) => service.hasher.hash(password).await.map(Some),
        (None, Some(hash)) if hashing::is_usable(&hash) => Ok(Some(hash)),
        (None, Some(_)) => Err(AuthError::validation("password_hash must be an argon2 or bcrypt hash")),
        (None, None) => Ok(None),
    }
}

/// The end of a ban that begins now; `none` lifts it. One that ends before is over.
fn banned_until(duration: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    if duration == "none" {
        return Ok(None);
    }
    let span = span::parse(duration)
        .map_err(|error| AuthError::validation(format!("invalid format for ban duration: {error}")))?;
    Ok(Some(now + span))
}
