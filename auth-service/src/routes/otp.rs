//! `POST /otp`, and its older name `POST /magiclink`: sends a link and a code for signing in without a
//! password. An unknown address gets an account.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::account_mail::{Admission, Cause, OwnerMail};
use crate::allowance::{Allowance, Requester};
use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::pkce::Challenge;
use crate::error::{AuthError, ErrorKind, Result};
use crate::redirect_to::RedirectTo;
use crate::security_event::SecurityEvent;
use crate::service::{Service, Shared};
use crate::store::users::{self, UserRow};
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
    let from = Requester::new(&service, client.address);
    let admission = Admission::PerAddress;
    let cause = Cause { from, redirect_to: &redirect_to, challenge: challenge.as_ref(), admission };
    let draft = DraftAccount::new(&service, &email, data, from.now)?;
    let creates_account = body.create_user != Some(false) && service.config.accounts.sign_ups;
    match mail(&cause, &client, &email, &draft, creates_account).await {
        // A concurrent request created the account.
        Err(error) if error.kind == Some(ErrorKind::EmailTaken) => {
            mail(&cause, &client, &email, &draft, false).await?;
        }
        outcome => outcome?,
    }
    Ok(Json(json!({})))
}

/// The account for an unknown address. Drafted for every address, so that invalid requests fail in the same
/// way.
struct DraftAccount {
    user: UserRow,
    data: Metadata,
    must_confirm: bool,
}

impl DraftAccount {
    fn new(service: &Service, email: &Email, data: Metadata, now: DateTime<Utc>) -> Result<Self> {
        let must_confirm = service.config.must_confirm.applies_to(&data);
        // Has no password: hashing a random one would take time and reveal that the address is unknown.
        let mut user = new_account::signed_up(email, None, data.clone(), now);
        let confirmed = &mut user.clone();
        new_account::confirm(confirmed, now)?;
        if !must_confirm {
            user.clone_from(confirmed);
        }
        Ok(Self { user, data, must_confirm })
    }
}

async fn mail(
    cause: &Cause<'_>,
    client: &Client,
    email: &Email,
    draft: &DraftAccount,
    creates_account: bool,
) -> Result<()> {
    let mut transaction = cause.from.service.pool.begin().await?;
    let known = users::lock_by_email(&mut transaction, email.as_str()).await?;
    cause.from.ask(&mut transaction, Allowance::SignIn, email).await?;
    let is_new = known.is_none() && creates_account;
    if is_new {
        new_account::store(&mut transaction, &draft.user, draft.data.clone()).await?;
    } else {
        new_account::check_data(&mut transaction, email, &draft.data, cause.from.now).await?;
    }
    if let Some(mut user) = known.or_else(|| is_new.then(|| draft.user.clone())) {
        // A confirmation signs in as well. An existing unconfirmed account has already been sent one; the
        // magic link takes over anything another person may have set up (see verification.rs).
        let mail = if is_new && draft.must_confirm { OwnerMail::Confirmation } else { OwnerMail::MagicLink };
        cause.send(&mut transaction, &mut user, mail).await?;
        users::update(&mut transaction, &user).await?;
    }
    transaction.commit().await?;
    if is_new {
        SecurityEvent::SignedUp.of_account(draft.user.id, client);
    }
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
