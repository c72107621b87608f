//! `POST /invite`: an operator creates an account and its owner gets an invitation.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::Value;

use crate::account_mail::{Admission, Cause, OwnerMail};
use crate::allowance::Requester;
use crate::body::JsonBody;
use crate::caller::Operator;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::error::Result;
use crate::new_account::{self, email_exists};
use crate::redirect_to::RedirectTo;
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, users};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    data: Value,
}

pub async fn post(
    State(service): State<Shared>,
    operator: Operator,
    redirect_to: RedirectTo,
    JsonBody(body): JsonBody<Request>,
) -> Result<Json<User>> {
    let email = Email::parse(&body.email.unwrap_or_default())?;
    let data = Metadata::parse(body.data)?;
    let from = Requester::new(&service, None);
    let cause = Cause { from, redirect_to: &redirect_to, challenge: None, admission: Admission::PerAccount };
    // The account has a random password until the invited person chooses one.
    let hash = service.hasher.hash(Password::unknowable(), &operator.client).await?;
    let mut transaction = service.pool.begin().await?;
    let mut user = match users::lock_by_email(&mut transaction, email.as_str()).await? {
        Some(user) if user.email_confirmed_at.is_some() => return Err(email_exists()),
        // The password of an earlier sign-up may not be the invited person's.
        Some(user) => UserRow { encrypted_password: Some(hash), password_contested: false, ..user },
        None => {
            let user = new_account::draft(&email, hash, data, from.now);
            new_account::store(&mut transaction, &user, Metadata::default()).await?;
            user
        }
    };
    user.invited_at = Some(from.now);
    cause.send(&mut transaction, &mut user, OwnerMail::Invitation).await?;
    users::update(&mut transaction, &user).await?;
    let identities = identities::of_user(&mut transaction, user.id).await?;
    transaction.commit().await?;
    SecurityEvent::AccountInvited.record(operator.about(user.id));
    Ok(Json(User::new(user, identities)))
}
