//! How an account comes to be, by sign-up or by an operator: always with its identity, and through the
//! database's trigger with its profile and role, in one transaction.

use chrono::{DateTime, Utc};
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::error::{AuthError, Result, violates};
use crate::service::Service;
use crate::store::users::UserRow;
use crate::store::{identities, users};

/// The audience and role of every account, unless an operator says otherwise.
pub const AUTHENTICATED: &str = "authenticated";

/// What an e-mail account's `app_metadata` begins with.
pub fn app_metadata() -> Metadata {
    Metadata::default().with("provider", "email").with("providers", json!(["email"]))
}

/// An account that is not stored yet.
pub fn draft(email: &Email, encrypted_password: String, data: Metadata, now: DateTime<Utc>) -> UserRow {
    UserRow {
        id: Uuid::new_v4(),
        aud: AUTHENTICATED.to_owned(),
        role: AUTHENTICATED.to_owned(),
        email: Some(email.as_str().to_owned()),
        encrypted_password: Some(encrypted_password),
        email_confirmed_at: None,
        invited_at: None,
        confirmation_sent_at: None,
        recovery_sent_at: None,
        new_email: None,
        email_change_sent_at: None,
        email_change_confirm_status: 0,
        reauthentication_sent_at: None,
        last_sign_in_at: None,
        raw_app_meta_data: app_metadata().into_json(),
        raw_user_meta_data: data.into_json(),
        phone: None,
        phone_confirmed_at: None,
        is_anonymous: false,
        banned_until: None,
        deleted_at: None,
        created_at: now,
        updated_at: now,
    }
}

/// # Errors
/// When only operators make accounts.
pub fn may_be_opened(service: &Service) -> Result<()> {
    if service.config.accounts.sign_ups {
        return Ok(());
    }
    Err(AuthError::unprocessable("signup_disabled", "Signups not allowed for this instance"))
}

/// Marks the address as proved.
///
/// # Errors
/// When the metadata have no room for the mark.
pub fn confirm(user: &mut UserRow, now: DateTime<Utc>) -> Result<()> {
    let mark = Metadata::default().with("email_verified", true);
    user.email_confirmed_at = Some(now);
    user.raw_user_meta_data = mark.merged_over(std::mem::take(&mut user.raw_user_meta_data))?.into_json();
    Ok(())
}

/// Stores the account with its identity.
///
/// # Errors
/// 422 `email_exists` when the address has an account, and what the database's trigger refuses.
pub async fn store(connection: &mut PgConnection, user: &UserRow, data: Metadata) -> Result<()> {
    users::insert(&mut *connection, user).await.map_err(|error| {
        if violates(&error, users::EMAIL_KEY) {
            email_exists()
        } else if violates(&error, users::PRIMARY_KEY) {
            AuthError::unprocessable("user_already_exists", "A user with this id already exists")
        } else {
            error.into()
        }
    })?;
    if let Some(email) = &user.email {
        let identity = identities::of_email(user.id, email, data.into_json(), user.created_at);
        identities::insert(connection, &identity).await?;
    }
    Ok(())
}

pub fn email_exists() -> AuthError {
    AuthError::unprocessable("email_exists", "A user with this email address has already been registered")
}
