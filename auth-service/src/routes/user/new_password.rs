//! Checks whether the caller may set a new password, and hashes it.

use chrono::TimeDelta;

use crate::caller::SignedIn;
use crate::domain::one_time_token::TokenKind;
use crate::domain::password::Password;
use crate::error::{AuthError, Result};
use crate::failure_limit::Attempt;
use crate::hashing::Comparison;
use crate::security_event::{About, SecurityEvent};
use crate::service::Service;
use crate::store::one_time_tokens;
use crate::{failure_limit, verification};

/// A session younger than this counts as a recent sign-in of its owner.
const RECENT_SIGN_IN: TimeDelta = TimeDelta::hours(24);

pub struct NewPassword<'a> {
    pub password: &'a str,
    pub current: Option<&'a str>,
    /// The code sent by `GET /reauthenticate`.
    pub nonce: Option<&'a str>,
}

pub async fn hash(service: &Service, caller: &SignedIn, asked: &NewPassword<'_>) -> Result<String> {
    let password = service.config.password_rules.check(asked.password)?;
    let stored = caller.user.encrypted_password.clone();
    let rules = &service.config.accounts;
    if rules.require_reauthentication && !signed_in_recently(service, caller) {
        reauthenticate(service, caller, asked.nonce).await?;
    }
    if rules.require_current_password && !came_without_password(caller) {
        let required = "Current password required when setting new password.";
        let current =
            asked.current.ok_or_else(|| AuthError::bad_request("current_password_required", required))?;
        prove(service, current, caller).await?;
    }
    let compared =
        service.hasher.compare(service.hasher.permit(&caller.client)?, password.clone(), stored).await?;
    if matches!(compared, Comparison::Right { .. }) {
        let same = "New password should be different from the old password.";
        return Err(AuthError::unprocessable("same_password", same));
    }
    service.hasher.hash(password, &caller.client).await
}

/// Subject to the failure limit of sign-ins, so that a stolen session can't be used to guess passwords.
async fn prove(service: &Service, current: &str, caller: &SignedIn) -> Result<()> {
    let user = &caller.user;
    let tried = Attempt { email: user.email.as_deref().unwrap_or_default(), client: &caller.client };
    let permit = service.hasher.permit(&caller.client)?;
    failure_limit::check(service, &mut *service.pool.acquire().await?, tried).await?;
    let comparison = match Password::acceptable(current) {
        Ok(current) => service.hasher.compare(permit, current, user.encrypted_password.clone()).await?,
        Err(_) => Comparison::Wrong,
    };
    match comparison {
        Comparison::Right { .. } => {
            let mut transaction = service.pool.begin().await?;
            failure_limit::right_password(service, &mut transaction, tried).await?;
            Ok(transaction.commit().await?)
        }
        Comparison::Wrong => Err(failure_limit::wrong_password(service, tried, wrong_current()).await),
    }
}

/// People who signed in by link or code may not know the password. A token without a session does not
/// qualify.
fn came_without_password(caller: &SignedIn) -> bool {
    let method = caller.session.as_ref().and_then(|session| session.amr[0]["method"].as_str());
    method.is_some_and(|method| ["otp", "magiclink", "recovery"].contains(&method))
}

fn signed_in_recently(service: &Service, caller: &SignedIn) -> bool {
    caller.session.as_ref().is_some_and(|session| service.now() - session.created_at < RECENT_SIGN_IN)
}

/// A stolen old session must not suffice to lock out its owner.
async fn reauthenticate(service: &Service, caller: &SignedIn, nonce: Option<&str>) -> Result<()> {
    let needed = "Password update requires reauthentication";
    let nonce = nonce.ok_or_else(|| AuthError::bad_request("reauthentication_needed", needed))?;
    let wrong = || {
        SecurityEvent::ProofFailed.record(About {
            user: Some(caller.user.id),
            client: caller.client.address,
            by: Some("reauthentication"),
            ..About::default()
        });
        AuthError::unprocessable("reauthentication_not_valid", "Nonce has expired or is invalid")
    };
    let email = caller.user.email.as_deref().ok_or_else(wrong)?;
    let kinds = [TokenKind::Reauthentication];
    let mut connection = service.pool.acquire().await?;
    let token = verification::by_code(service, &mut connection, email, nonce, &kinds)
        .await?
        .filter(|token| token.user_id == caller.user.id)
        .ok_or_else(wrong)?;
    // The code is used up even if the new password is rejected afterwards: it works only once.
    if one_time_tokens::consume(&mut connection, token.id).await? { Ok(()) } else { Err(wrong()) }
}

fn wrong_current() -> AuthError {
    AuthError::bad_request("current_password_invalid", "Current password is not correct")
}
