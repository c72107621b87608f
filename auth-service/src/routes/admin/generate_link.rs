//! `POST /admin/generate_link`: returns a link to an operator who delivers it by other means. The link points
//! directly at `GET /verify`, as the API specifies, because no mail scanner can follow it first.

use axum::Json;
use axum::extract::State;
use platform::database::PgConnection;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account_mail::{Admission, Cause};
use crate::allowance::Requester;
use crate::body::JsonBody;
use crate::caller::Operator;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::one_time_token::{OneTimeToken, TokenKind};
use crate::domain::password::Password;
use crate::domain::redirect::as_parameter;
use crate::error::{AuthError, Result};
use crate::new_account::{self, email_exists};
use crate::redirect_to::RedirectTo;
use crate::security_event::SecurityEvent;
use crate::service::{Service, Shared};
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, users};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default, rename = "type")]
    purpose: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    new_email: Option<String>,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    redirect_to: Option<String>,
}

#[derive(Serialize)]
pub struct Answer {
    #[serde(flatten)]
    user: User,
    action_link: String,
    email_otp: String,
    hashed_token: String,
    verification_type: &'static str,
    redirect_to: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkType {
    SignUp,
    Invite,
    MagicLink,
    Recovery,
    EmailChangeCurrent,
    EmailChangeNew,
}

impl LinkType {
    fn parse(text: &str) -> Result<Self> {
        Ok(match text {
            "signup" => Self::SignUp,
            "invite" => Self::Invite,
            "magiclink" => Self::MagicLink,
            "recovery" => Self::Recovery,
            "email_change_current" => Self::EmailChangeCurrent,
            "email_change_new" => Self::EmailChangeNew,
            _ => {
                let other = format!("Invalid email action link type requested: {text}");
                return Err(AuthError::validation(other));
            }
        })
    }

    /// The name in the response, and the name that `/verify` expects.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::SignUp => ("signup", "signup"),
            Self::Invite => ("invite", "invite"),
            Self::MagicLink => ("magiclink", "magiclink"),
            Self::Recovery => ("recovery", "recovery"),
            Self::EmailChangeCurrent => ("email_change_current", "email_change"),
            Self::EmailChangeNew => ("email_change_new", "email_change"),
        }
    }

    fn kind(self) -> TokenKind {
        match self {
            Self::SignUp | Self::Invite => TokenKind::Confirmation,
            Self::MagicLink | Self::Recovery => TokenKind::Recovery,
            Self::EmailChangeCurrent => TokenKind::EmailChangeCurrent,
            Self::EmailChangeNew => TokenKind::EmailChangeNew,
        }
    }
}

pub async fn post(
    State(service): State<Shared>,
    operator: Operator,
    redirect_to: RedirectTo,
    JsonBody(body): JsonBody<Request>,
) -> Result<Json<Answer>> {
    let link_type = LinkType::parse(body.purpose.as_deref().unwrap_or_default())?;
    let email = Email::parse(body.email.as_deref().unwrap_or_default())?;
    let data = Metadata::parse(body.data)?;
    let new_email = match link_type {
        LinkType::EmailChangeCurrent | LinkType::EmailChangeNew => {
            Some(Email::parse(body.new_email.as_deref().unwrap_or_default())?)
        }
        _ => None,
    };
    let redirect_to = redirect_to.prefer(&service, body.redirect_to);
    let from = Requester::new(&service, None);
    let admission = Admission::PerAccount;
    let cause = Cause { from, redirect_to: &redirect_to, challenge: None, admission };

    let mut transaction = service.pool.begin().await?;
    let (mut user, link_type) = match users::lock_by_email(&mut transaction, email.as_str()).await? {
        Some(user) => (known(&cause, user, link_type, data)?, link_type),
        None => {
            let password = body.password.filter(|password| !password.is_empty());
            open(&cause, &mut transaction, &operator.client, &email, link_type, password, data).await?
        }
    };
    if let Some(new) = &new_email {
        if users::by_email(&mut transaction, new.as_str()).await?.is_some() {
            return Err(email_exists());
        }
        user.new_email = Some(new.as_str().to_owned());
        user.email_change_confirm_status = 0;
    }
    let address = new_email.as_ref().filter(|_| link_type == LinkType::EmailChangeNew).unwrap_or(&email);
    // Also for the new address, GoTrue derives the token from the current one.
    let token = OneTimeToken::derived(email.as_str());
    cause.keep(&mut transaction, user.id, link_type.kind(), address.as_str(), &token, None).await?;
    mark_sent(&cause, &mut user, link_type);
    users::update(&mut transaction, &user).await?;
    let identities = identities::of_user(&mut transaction, user.id).await?;
    transaction.commit().await?;
    SecurityEvent::LinkGenerated.record(operator.about(user.id));
    Ok(Json(answer(&service, User::new(user, identities), link_type, &token, &redirect_to)))
}

fn known(cause: &Cause<'_>, mut user: UserRow, link_type: LinkType, data: Metadata) -> Result<UserRow> {
    if matches!(link_type, LinkType::SignUp | LinkType::Invite) && user.email_confirmed_at.is_some() {
        return Err(email_exists());
    }
    if link_type == LinkType::SignUp {
        let stored = std::mem::take(&mut user.raw_user_meta_data);
        user.raw_user_meta_data = data.merged_over(stored)?.into_json();
    }
    if link_type == LinkType::Invite {
        // The password of an earlier sign-up may not be the invited person's.
        (user.encrypted_password, user.password_contested) = (None, false);
    }
    user.updated_at = cause.from.now;
    Ok(user)
}

/// For an unknown address, a magic link creates an account with a random password.
async fn open(
    cause: &Cause<'_>,
    connection: &mut PgConnection,
    client: &Client,
    email: &Email,
    link_type: LinkType,
    password: Option<String>,
    data: Metadata,
) -> Result<(UserRow, LinkType)> {
    let service = cause.from.service;
    let (password, link_type) = match (link_type, password) {
        (LinkType::SignUp, Some(password)) => {
            (service.config.password_rules.check(&password)?, LinkType::SignUp)
        }
        (LinkType::SignUp, None) => {
            return Err(AuthError::validation("Signup requires a valid password"));
        }
        (LinkType::MagicLink, _) => (Password::unknowable(), LinkType::SignUp),
        (LinkType::Invite, _) => (Password::unknowable(), LinkType::Invite),
        (LinkType::Recovery | LinkType::EmailChangeCurrent | LinkType::EmailChangeNew, _) => {
            return Err(AuthError::not_found("user_not_found", "User with this email not found"));
        }
    };
    let hash = service.hasher.hash(password, client).await?;
    let user = new_account::draft(email, hash, data.clone(), cause.from.now);
    new_account::store(connection, &user, data).await?;
    Ok((user, link_type))
}

/// Records the link as sent, so that the next e-mail of this kind must wait.
fn mark_sent(cause: &Cause<'_>, user: &mut UserRow, link_type: LinkType) {
    let now = Some(cause.from.now);
    match link_type {
        LinkType::SignUp => user.confirmation_sent_at = now,
        LinkType::Invite => (user.invited_at, user.confirmation_sent_at) = (now, now),
        LinkType::MagicLink | LinkType::Recovery => user.recovery_sent_at = now,
        LinkType::EmailChangeCurrent | LinkType::EmailChangeNew => user.email_change_sent_at = now,
    }
}

fn answer(
    service: &Service,
    user: User,
    link_type: LinkType,
    token: &OneTimeToken,
    redirect_to: &RedirectTo,
) -> Answer {
    let (verification_type, verified_as) = link_type.names();
    let redirect_to = redirect_to.or_site(service);
    let hashed_token = token.link.expose();
    Answer {
        user,
        action_link: format!(
            "{}/verify?token={hashed_token}&type={verified_as}&redirect_to={}",
            service.config.external_url,
            as_parameter(redirect_to)
        ),
        email_otp: token.code.expose().to_owned(),
        hashed_token: hashed_token.to_owned(),
        verification_type,
        redirect_to: redirect_to.to_owned(),
    }
}
