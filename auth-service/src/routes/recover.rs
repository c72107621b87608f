//! `POST /recover`: mails a link for replacing a forgotten password. The response does not reveal whether the
//! account exists.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::account_mail::{Admission, Cause, OwnerMail};
use crate::allowance::{Allowance, Requester};
use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::pkce::Challenge;
use crate::error::{AuthError, Result};
use crate::redirect_to::RedirectTo;
use crate::service::Shared;
use crate::sign_in;
use crate::store::users;

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    code_challenge: Option<String>,
    #[serde(default)]
    code_challenge_method: Option<String>,
}

pub async fn post(
    State(service): State<Shared>,
    redirect_to: RedirectTo,
    client: Client,
    JsonBody(body): JsonBody<Request>,
) -> Result<Json<Value>> {
    let email = body.email.unwrap_or_default();
    if email.is_empty() {
        return Err(AuthError::validation("Password recovery requires an email"));
    }
    let email = Email::parse(&email)?;
    sign_in::by_link(&service)?;
    let challenge = Challenge::parse(
        &body.code_challenge.unwrap_or_default(),
        &body.code_challenge_method.unwrap_or_default(),
    )?;
    let admission = Admission::PerAddress;
    let from = Requester::new(&service, client.address);
    let cause = Cause { from, redirect_to: &redirect_to, challenge: challenge.as_ref(), admission };
    let mut transaction = service.pool.begin().await?;
    let user = users::lock_by_email(&mut transaction, email.as_str()).await?;
    from.ask(&mut transaction, Allowance::SignIn, &email).await?;
    if let Some(mut user) = user {
        cause.send(&mut transaction, &mut user, OwnerMail::Recovery).await?;
        users::update(&mut transaction, &user).await?;
    }
    transaction.commit().await?;
    Ok(Json(json!({})))
}
