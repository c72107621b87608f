//! `POST /signup`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Deserialize;
use serde_json::Value;

use crate::account_mail::{Admission, Cause, OwnerMail};
use crate::allowance::{Allowance, Requester};
use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::domain::pkce::Challenge;
use crate::error::{AuthError, ErrorKind, Result};
use crate::hashing::Comparison;
use crate::redirect_to::RedirectTo;
use crate::security_event::SecurityEvent;
use crate::service::{Service, Shared};
use crate::shape::user::User;
use crate::store::identities;
use crate::store::users::{self, UserRow};
use crate::{new_account, sign_in};

/// Other members (`id`, `role`, `app_metadata`, …) are ignored: the service sets these values itself.
#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    code_challenge: Option<String>,
    #[serde(default)]
    code_challenge_method: Option<String>,
}

/// A validated sign-up.
struct SignUp {
    email: Email,
    password: Password,
    data: Metadata,
    must_confirm: bool,
    challenge: Option<Challenge>,
}

pub async fn post(
    State(service): State<Shared>,
    redirect_to: RedirectTo,
    client: Client,
    JsonBody(body): JsonBody<Request>,
) -> Result<Response> {
    let sign_up = parse(&service, body)?;
    // Always hashed, so that the response time does not reveal whether the account exists.
    let hash = service.hasher.hash(sign_up.password.clone(), &client).await?;
    let cause = Cause {
        from: Requester::new(&service, client.address),
        redirect_to: &redirect_to,
        challenge: sign_up.challenge.as_ref(),
        admission: Admission::PerAddress,
    };
    match create(&cause, &client, &sign_up, hash).await {
        Err(error) if error.kind == Some(ErrorKind::EmailTaken) => existing(&cause, &client, &sign_up).await,
        outcome => outcome,
    }
}

fn parse(service: &Service, body: Request) -> Result<SignUp> {
    new_account::check_sign_ups_enabled(service)?;
    let (email, phone) = (body.email.unwrap_or_default(), body.phone.unwrap_or_default());
    if email.is_empty() && phone.is_empty() {
        let off = "Anonymous sign-ins are disabled";
        return Err(AuthError::unprocessable("anonymous_provider_disabled", off));
    }
    let password = body.password.unwrap_or_default();
    if password.is_empty() {
        return Err(AuthError::validation("Signup requires a valid password"));
    }
    let password = service.config.password_rules.check(&password)?;
    if !email.is_empty() && !phone.is_empty() {
        return Err(AuthError::validation(
            "Only an email address or phone number should be provided on signup.",
        ));
    }
    if email.is_empty() {
        return Err(AuthError::bad_request("phone_provider_disabled", "Phone signups are disabled"));
    }
    if !service.config.accounts.email_provider {
        return Err(AuthError::bad_request("email_provider_disabled", "Email signups are disabled"));
    }
    let email = Email::parse(&email)?;
    let data = Metadata::parse(body.data)?;
    let must_confirm = service.config.must_confirm.applies_to(&data);
    let challenge = Challenge::parse(
        &body.code_challenge.unwrap_or_default(),
        &body.code_challenge_method.unwrap_or_default(),
    )?;
    Ok(SignUp { email, password, data, must_confirm, challenge })
}

async fn create(cause: &Cause<'_>, client: &Client, sign_up: &SignUp, hash: String) -> Result<Response> {
    let Requester { service, now, .. } = cause.from;
    let mut user = new_account::signed_up(&sign_up.email, Some(hash), sign_up.data.clone(), now);
    if !sign_up.must_confirm {
        new_account::confirm(&mut user, now)?;
        user.last_sign_in_at = Some(now);
    }
    let mut transaction = service.pool.begin().await?;
    new_account::store(&mut transaction, &user, sign_up.data.clone()).await?;
    if sign_up.must_confirm {
        cause.from.ask(&mut transaction, Allowance::Confirmation, &sign_up.email).await?;
        cause.send(&mut transaction, &mut user, OwnerMail::Confirmation).await?;
        users::update(&mut transaction, &user).await?;
        let identities = identities::of_user(&mut transaction, user.id).await?;
        transaction.commit().await?;
        SecurityEvent::SignedUp.of_account(user.id, client);
        return Ok(Json(User::new(user, identities)).into_response());
    }
    let session = sign_in::begin(service, &mut transaction, user, "password", client, now).await?;
    // Last, because the row stays locked until the transaction ends, and all sign-ups share it.
    cause.from.take(&mut transaction, Allowance::SignUp, &[]).await?;
    transaction.commit().await?;
    sign_in::record(&session, "signup", client);
    Ok(session.into_response())
}

/// The address has an account. The response contains nothing of it.
async fn existing(cause: &Cause<'_>, client: &Client, sign_up: &SignUp) -> Result<Response> {
    let Requester { service, now, .. } = cause.from;
    let mut attempt = service.pool.begin().await?;
    new_account::check_data(&mut attempt, &sign_up.email, &sign_up.data, now).await?;
    attempt.rollback().await?;
    contest(service, client, sign_up).await?;
    let mut transaction = service.pool.begin().await?;
    let user = users::lock_by_email(&mut transaction, sign_up.email.as_str()).await?;
    let unconfirmed = user.filter(|user| user.email_confirmed_at.is_none());
    if unconfirmed.is_none() && !sign_up.must_confirm {
        return Err(AuthError::unprocessable("user_already_exists", "User already registered"));
    }
    // Counts as sent for a confirmed account, too, so that asking for the e-mail again reveals nothing.
    match cause.from.ask(&mut transaction, Allowance::Confirmation, &sign_up.email).await {
        Err(error) if unconfirmed.is_none() && error.status == StatusCode::TOO_MANY_REQUESTS => {
            transaction.rollback().await?;
            return Ok(Json(fake_user(sign_up, now)).into_response());
        }
        outcome => outcome?,
    }
    let Some(mut user) = unconfirmed else {
        transaction.commit().await?;
        return Ok(Json(fake_user(sign_up, now)).into_response());
    };
    // The password stays, and anyone who knows the address may have the e-mail sent again.
    cause.send(&mut transaction, &mut user, OwnerMail::Confirmation).await?;
    users::update(&mut transaction, &user).await?;
    let answer = like_new(&mut transaction, sign_up, now).await?;
    transaction.commit().await?;
    Ok(Json(answer).into_response())
}

/// When two people sign up with the same address and different passwords, only one of them owns it.
/// Confirming the address then makes neither password valid. Runs in its own transaction, because the
/// sign-up's may be rolled back by the mail limit.
async fn contest(service: &Service, client: &Client, sign_up: &SignUp) -> Result<()> {
    let found = users::by_email(&mut *service.pool.acquire().await?, sign_up.email.as_str()).await?;
    let Some(user) = found.filter(|user| user.email_confirmed_at.is_none() && user.email_unproved) else {
        return Ok(());
    };
    let permit = service.hasher.permit(client)?;
    let compared =
        service.hasher.compare(permit, sign_up.password.clone(), user.encrypted_password.clone()).await?;
    if matches!(compared, Comparison::Wrong) {
        users::contest(&mut *service.pool.acquire().await?, user.id).await?;
    }
    Ok(())
}

/// Imitates a new account that waits for its confirmation.
async fn like_new(connection: &mut PgConnection, sign_up: &SignUp, now: DateTime<Utc>) -> Result<User> {
    let draft = new_account::signed_up(&sign_up.email, None, sign_up.data.clone(), now);
    let data = sign_up.data.clone().into_json();
    let mut identity = identities::of_email(draft.id, sign_up.email.as_str(), data, now);
    identities::normalize(connection, &mut identity).await?;
    Ok(User::new(UserRow { confirmation_sent_at: Some(now), ..draft }, vec![identity]))
}

/// Like [`like_new`], except for the empty list of identities, by which clients can tell.
fn fake_user(sign_up: &SignUp, now: DateTime<Utc>) -> User {
    let draft = new_account::draft(&sign_up.email, String::new(), sign_up.data.clone(), now);
    let user = UserRow { role: String::new(), confirmation_sent_at: Some(now), ..draft };
    User::new(user, Vec::new())
}
