//! The changes an owner may make: metadata, password, and, once confirmed by e-mail, the address.

use axum::http::StatusCode;
use platform::database::PgConnection;
use serde::Deserialize;
use serde_json::Value;

use super::new_password::{self, NewPassword};
use crate::account_mail::{Admission, Cause};
use crate::allowance::Requester;
use crate::caller::SignedIn;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::pkce::Challenge;
use crate::error::{AuthError, Result};
use crate::failure_limit;
use crate::new_account::email_exists;
use crate::redirect_to::RedirectTo;
use crate::security_event::{About, SecurityEvent};
use crate::service::Service;
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, one_time_tokens, sessions, users};

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
    #[serde(default)]
    code_challenge: Option<String>,
    #[serde(default)]
    code_challenge_method: Option<String>,
}

pub async fn apply(
    service: &Service,
    caller: SignedIn,
    redirect_to: &RedirectTo,
    body: Request,
) -> Result<User> {
    refuse_foreign_fields(&caller, &body)?;
    let challenge = Challenge::parse(
        given(&body.code_challenge).unwrap_or_default(),
        given(&body.code_challenge_method).unwrap_or_default(),
    )?;
    let email = given(&body.email).map(Email::parse).transpose()?;
    require_second_step(&caller, body.password.is_some() || email.is_some())?;
    let new_hash = match &body.password {
        Some(password) => {
            let asked =
                NewPassword { password, current: given(&body.current_password), nonce: given(&body.nonce) };
            Some(new_password::hash(service, &caller, &asked).await?)
        }
        None => None,
    };
    let sets_password = new_hash.is_some();
    let data = Metadata::parse(body.data)?;

    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
    let mut user = users::lock(&mut transaction, caller.user.id).await?.ok_or_else(gone)?;
    if let Some(hash) = new_hash {
        replace_password(service, &mut transaction, &caller, &mut user, hash).await?;
    }
    if let Some(email) = email.filter(|email| user.email.as_deref() != Some(email.as_str())) {
        if users::by_email(&mut transaction, email.as_str()).await?.is_some() {
            return Err(email_exists());
        }
        let from = Requester::new(service, caller.client.address);
        let admission = Admission::PerAccount;
        let cause = Cause { from, redirect_to, challenge: challenge.as_ref(), admission };
        cause.email_change(&mut transaction, &mut user, &email).await?;
    }
    user.raw_user_meta_data = data.merged_over(user.raw_user_meta_data)?.into_json();
    user.updated_at = now;
    users::update(&mut transaction, &user).await?;
    let identities = identities::of_user(&mut transaction, user.id).await?;
    transaction.commit().await?;
    if sets_password {
        SecurityEvent::PasswordChanged.of_account(user.id, &caller.client);
    }
    Ok(User::new(user, identities))
}

/// Knowing the password alone, or reading the e-mails alone, must not be enough to take over the account.
fn require_second_step(caller: &SignedIn, is_sensitive: bool) -> Result<()> {
    let has_passed = caller.session.as_ref().is_some_and(|session| session.aal == "aal2");
    if !is_sensitive || !caller.user.has_factor() || has_passed {
        return Ok(());
    }
    let message = "AAL2 session is required to update email or password when MFA is enabled.";
    Err(AuthError::new(StatusCode::UNAUTHORIZED, "insufficient_aal", message))
}

/// What only an operator may change, and what Serasi does not offer.
fn refuse_foreign_fields(caller: &SignedIn, body: &Request) -> Result<()> {
    if !body.app_metadata.is_null() {
        SecurityEvent::AccessDenied.record(About {
            actor: Some(caller.user.id),
            client: caller.client.address,
            by: Some("app_metadata"),
            ..About::default()
        });
        return Err(AuthError::forbidden("not_admin", "Updating app_metadata requires admin privileges"));
    }
    if given(&body.phone).is_some() {
        return Err(AuthError::bad_request("phone_provider_disabled", "Phone logins are disabled"));
    }
    Ok(())
}

/// Also ends the account's other sessions. `user` is the locked row, `caller` was read before the password
/// was hashed.
async fn replace_password(
    service: &Service,
    transaction: &mut PgConnection,
    caller: &SignedIn,
    user: &mut UserRow,
    hash: String,
) -> Result<()> {
    if user.encrypted_password != caller.user.encrypted_password {
        let conflict = "The password was just changed";
        return Err(AuthError::new(StatusCode::CONFLICT, "conflict", conflict));
    }
    user.encrypted_password = Some(hash);
    let keep = caller.session.as_ref().map(|session| session.id);
    sessions::delete_others(transaction, user.id, keep).await?;
    // Also revokes links mailed before the change, in case someone else could read the owner's e-mail.
    one_time_tokens::delete_of_user(transaction, user.id).await?;
    failure_limit::forget(service, transaction, user.email.as_deref()).await?;
    (user.recovery_sent_at, user.reauthentication_sent_at) = (None, None);
    Ok(())
}

fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}
