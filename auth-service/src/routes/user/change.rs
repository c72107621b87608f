//! What an owner may change: metadata, password, and (once confirmed by mail) the address.

use chrono::TimeDelta;
use serde::Deserialize;
use serde_json::Value;

use crate::caller::SignedIn;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::error::{AuthError, Result};
use crate::hashing::Comparison;
use crate::new_account::email_exists;
use crate::service::Service;
use crate::shape::user::User;
use crate::store::{identities, sessions, users};

/// A session this young proves that its owner was there a short while ago.
const RECENT_SIGN_IN: TimeDelta = TimeDelta::hours(24);

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    current_password: Option<String>,
    #[serde(default)]
    nonce: Option<String>,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    app_metadata: Value,
}

pub async fn apply(service: &Service, caller: SignedIn, body: Request) -> Result<User> {
    if !body.app_metadata.is_null() {
        return Err(AuthError::forbidden("not_admin", "Updating app_metadata requires admin privileges"));
    }
    if given(&body.phone).is_some() {
        return Err(AuthError::bad_request("phone_provider_disabled", "Phone logins are disabled"));
    }
    let data = Metadata::parse(body.data.clone())?;
    let email = given(&body.email).map(Email::parse).transpose()?;
    let new_hash = match given(&body.password) {
        Some(password) => Some(new_hash(service, &caller, &body, password).await?),
        None => None,
    };

    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
    let mut user = users::lock(&mut transaction, caller.user.id).await?.ok_or_else(gone)?;
    if let Some(hash) = new_hash {
        if user.encrypted_password != caller.user.encrypted_password {
            return Err(AuthError::new(
                axum::http::StatusCode::CONFLICT,
                "conflict",
                "The password was just changed",
            ));
        }
        user.encrypted_password = Some(hash);
        let keep = caller.session.map(|session| session.id);
        sessions::delete_others(&mut transaction, user.id, keep).await?;
    }
    if let Some(email) = email.filter(|email| user.email.as_deref() != Some(email.as_str())) {
        if users::by_email(&mut transaction, email.as_str()).await?.is_some() {
            return Err(email_exists());
        }
        user.new_email = Some(email.as_str().to_owned());
        user.email_change_sent_at = Some(now);
    }
    user.raw_user_meta_data = data.merged_over(user.raw_user_meta_data)?.into_json();
    user.updated_at = now;
    users::update(&mut transaction, &user).await?;
    let identities = identities::of_user(&mut transaction, user.id).await?;
    transaction.commit().await?;
    Ok(User::new(user, identities))
}

/// The new password's hash, once it keeps the rules and the caller may set it.
async fn new_hash(service: &Service, caller: &SignedIn, body: &Request, password: &str) -> Result<String> {
    let password = service.config.password_rules.check(password)?;
    let stored = caller.user.encrypted_password.as_deref();
    if let Some(current) = given(&body.current_password) {
        let current = Password::short_enough(current).map_err(|_| wrong_current_password())?;
        if service.hasher.compare(current, stored).await? == Comparison::Wrong {
            return Err(wrong_current_password());
        }
    } else if !signed_in_recently(service, caller) {
        return Err(reauthentication(body));
    }
    if matches!(service.hasher.compare(password.clone(), stored).await?, Comparison::Right { .. }) {
        let same = "New password should be different from the old password.";
        return Err(AuthError::unprocessable("same_password", same));
    }
    service.hasher.hash(password).await
}

fn signed_in_recently(service: &Service, caller: &SignedIn) -> bool {
    caller.session.as_ref().is_some_and(|session| service.now() - session.created_at < RECENT_SIGN_IN)
}

fn wrong_current_password() -> AuthError {
    AuthError::bad_request("current_password_invalid", "Current password is not correct")
}

/// A stolen old session must not be enough to lock its owner out.
fn reauthentication(body: &Request) -> AuthError {
    if given(&body.nonce).is_some() {
        return AuthError::unprocessable("reauthentication_not_valid", "Nonce has expired or is invalid");
    }
    AuthError::bad_request("reauthentication_needed", "Password update requires reauthentication")
}

fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}
