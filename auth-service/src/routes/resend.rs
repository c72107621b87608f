//! `POST /resend`: sends an e-mail again.

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
use crate::service::{Service, Shared};
use crate::sign_in;
use crate::store::users;

#[derive(Deserialize)]
pub struct Request {
    #[serde(default, rename = "type")]
    purpose: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
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
    let challenge = Challenge::parse(
        body.code_challenge.as_deref().unwrap_or_default(),
        body.code_challenge_method.as_deref().unwrap_or_default(),
    )?;
    let Some((purpose, email)) = parse(&service, body)? else { return Ok(Json(json!({}))) };
    let admission = Admission::PerAddress;
    let from = Requester::new(&service, client.address);
    let cause = Cause { from, redirect_to: &redirect_to, challenge: challenge.as_ref(), admission };
    let mut transaction = service.pool.begin().await?;
    let user = users::lock_by_email(&mut transaction, email.as_str()).await?;
    from.ask(&mut transaction, purpose, &email).await?;
    if let Some(mut user) = user {
        match (purpose, user.new_email.as_deref().map(Email::parse).transpose()?) {
            // Also for accounts that signed in without a confirmation.
            (Allowance::Confirmation, _) if user.email_confirmed_at.is_none() || user.email_unproved => {
                cause.send(&mut transaction, &mut user, OwnerMail::Confirmation).await?;
            }
            (Allowance::EmailChange, Some(new)) => {
                cause.email_change(&mut transaction, &mut user, &new).await?;
            }
            _ => {}
        }
        users::update(&mut transaction, &user).await?;
    }
    transaction.commit().await?;
    Ok(Json(json!({})))
}

/// `None` for phone numbers: no text messages are sent, and the response is that of an unknown account.
fn parse(service: &Service, body: Request) -> Result<Option<(Allowance, Email)>> {
    let (email, phone) = (body.email.unwrap_or_default(), body.phone.unwrap_or_default());
    let purpose = match body.purpose.as_deref().unwrap_or_default() {
        "signup" if email.is_empty() => {
            return Err(AuthError::validation("Type provided requires an email address"));
        }
        "sms" if phone.is_empty() => {
            return Err(AuthError::validation("Type provided requires a phone number"));
        }
        "signup" => Some(Allowance::Confirmation),
        "email_change" => Some(Allowance::EmailChange),
        "sms" | "phone_change" => None,
        _ => {
            let known = "Missing one of these types: signup, email_change, sms, phone_change";
            return Err(AuthError::validation(known));
        }
    };
    match (email.is_empty(), phone.is_empty()) {
        (false, true) => {
            let email = Email::parse(&email)?;
            sign_in::by_link(service)?;
            Ok(purpose.map(|purpose| (purpose, email)))
        }
        (true, false) => Ok(None),
        (true, true) => Err(AuthError::validation("Missing email or phone")),
        (false, false) => {
            Err(AuthError::validation("Only an email address or phone number should be provided."))
        }
    }
}
