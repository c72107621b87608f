//! `POST /otp`, and `POST /magiclink` as it was called before: a link and a code to sign in without a
//! password. An unknown address gets an account.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::account_mail::Cause;
use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::domain::pkce::Challenge;
use crate::domain::user_type::UserType;
use crate::error::{AuthError, Result};
use crate::redirect_to::RedirectTo;
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::store::users;
use crate::{new_account, sign_in};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    create_user: Option<bool>,
    #[serde(default)]
    data: Value,
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
    let email = address(&body)?;
    sign_in::by_email(&service)?;
    let data = Metadata::parse(body.data)?;
    let cause = Cause {
        service: &service,
        redirect_to: &redirect_to,
        challenge: challenge.as_ref(),
        now: service.now(),
    };
    let is_known = {
        let mut connection = service.pool.acquire().await?;
        users::by_email(&mut connection, email.as_str()).await?.is_some()
    };
    if is_known {
        known(&cause, &email).await?;
    } else if body.create_user == Some(false) {
        return Err(AuthError::unprocessable("otp_disabled", "Signups not allowed for otp"));
    } else {
        match open(&cause, &client, &email, data).await {
            // Of two at once the other one made the account, and mailed it.
            Err(error) if error.code == "email_exists" => {}
            outcome => outcome?,
        }
    }
    Ok(Json(json!({})))
}

async fn known(cause: &Cause<'_>, email: &Email) -> Result<()> {
    let mut transaction = cause.service.pool.begin().await?;
    let Some(mut user) = users::lock_by_email(&mut transaction, email.as_str()).await? else { return Ok(()) };
    // A confirmation signs in as well.
    if user.email_confirmed_at.is_none() {
        cause.confirmation(&mut transaction, &mut user).await?;
    } else {
        cause.magic_link(&mut transaction, &mut user).await?;
    }
    users::update(&mut transaction, &user).await?;
    Ok(transaction.commit().await?)
}

async fn open(cause: &Cause<'_>, client: &Client, email: &Email, data: Metadata) -> Result<()> {
    let service = cause.service;
    new_account::may_be_opened(service)?;
    let must_confirm = service.config.must_confirm.applies_to(UserType::named_in(&data)?);
    let hash = service.hasher.hash(Password::unknowable(), client).await?;
    let mut user = new_account::draft(email, hash, data.clone(), cause.now);
    if !must_confirm {
        new_account::confirm(&mut user, cause.now)?;
    }
    let mut transaction = service.pool.begin().await?;
    new_account::store(&mut transaction, &user, data).await?;
    if must_confirm {
        cause.confirmation(&mut transaction, &mut user).await?;
    } else {
        cause.magic_link(&mut transaction, &mut user).await?;
    }
    users::update(&mut transaction, &user).await?;
    transaction.commit().await?;
    SecurityEvent::SignedUp.of_account(user.id, client);
    Ok(())
}

fn address(body: &Request) -> Result<Email> {
    match (body.email.as_deref().unwrap_or_default(), body.phone.as_deref().unwrap_or_default()) {
        ("", "") => Err(AuthError::validation("One of email or phone must be set")),
        ("", _) => Err(AuthError::bad_request("phone_provider_disabled", "Unsupported phone provider")),
        (email, "") => Ok(Email::parse(email)?),
        _ => Err(AuthError::validation("Only an email address or phone number should be provided")),
    }
}
