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
use crate::domain::span;
use crate::error::{AuthError, Result};
use crate::service::Shared;
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, users};

type UserId = std::result::Result<Path<String>, PathRejection>;

/// `GET /admin/users/{id}`
pub async fn get(State(service): State<Shared>, _: Operator, id: UserId) -> Result<Json<User>> {
    let id = parse(id)?;
    let mut connection = service.pool.acquire().await?;
    let user = users::by_id(&mut connection, id).await?.ok_or_else(not_found)?;
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

/// The end of a ban that begins now; `none` lifts it.
fn banned_until(duration: &str, now: DateTime<Utc>) -> Result<Option<DateTime<Utc>>> {
    if duration == "none" {
        return Ok(None);
    }
    let span = span::parse(duration)
        .map_err(|error| AuthError::validation(format!("invalid format for ban duration: {error}")))?;
    Ok(Some(now + span))
}
