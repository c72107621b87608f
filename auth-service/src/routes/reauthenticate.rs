//! `GET /reauthenticate`: mails a code that lets the owner of an old session set a new password.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::account_mail::{Admission, Cause, OwnerMail};
use crate::allowance::Requester;
use crate::caller::SignedIn;
use crate::error::{AuthError, Result};
use crate::redirect_to::RedirectTo;
use crate::service::Shared;
use crate::store::users;

pub async fn get(State(service): State<Shared>, caller: SignedIn) -> Result<Json<Value>> {
    let redirect_to = RedirectTo::default();
    let from = Requester::new(&service, caller.client.address);
    let cause = Cause { from, redirect_to: &redirect_to, challenge: None, admission: Admission::PerAccount };
    let mut transaction = service.pool.begin().await?;
    let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
    let mut user = users::lock(&mut transaction, caller.user.id).await?.ok_or_else(gone)?;
    if user.email.is_none() {
        let wanted = "Reauthentication requires the user to have an email or a phone number";
        return Err(AuthError::validation(wanted));
    }
    if user.email_confirmed_at.is_none() {
        return Err(AuthError::unprocessable("email_not_confirmed", "Please verify your email first."));
    }
    cause.send(&mut transaction, &mut user, OwnerMail::Reauthentication).await?;
    users::update(&mut transaction, &user).await?;
    transaction.commit().await?;
    Ok(Json(json!({})))
}
