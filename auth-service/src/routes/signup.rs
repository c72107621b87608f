//! `POST /signup`

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;

use crate::body::JsonBody;
use crate::client::Client;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::domain::user_type::UserType;
use crate::error::{AuthError, Result};
use crate::service::{Service, Shared};
use crate::shape::user::User;
use crate::store::identities;
use crate::store::users::{self, UserRow};
use crate::{new_account, sign_in};

/// Whatever else is sent (`id`, `role`, `app_metadata`, …) is ours to decide, and not read.
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
}

/// A sign-up that keeps all rules.
struct SignUp {
    email: Email,
    password: Password,
    data: Metadata,
    must_confirm: bool,
}

pub async fn post(
    State(service): State<Shared>,
    client: Client,
    JsonBody(body): JsonBody<Request>,
) -> Result<Response> {
    let sign_up = parse(&service, body)?;
    // Hashed in any case, so that the time does not tell whether the address has an account.
    let hash = service.hasher.hash(sign_up.password.clone()).await?;
    let now = service.now();
    match create(&service, &client, &sign_up, hash, now).await {
        Err(error) if error.code == "email_exists" => existing(&service, sign_up, now).await,
        outcome => outcome,
    }
}

fn parse(service: &Service, body: Request) -> Result<SignUp> {
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
    let email = Email::parse(&email)?;
    let data = Metadata::parse(body.data)?;
    let must_confirm = service.config.must_confirm.applies_to(UserType::named_in(&data)?);
    Ok(SignUp { email, password, data, must_confirm })
}

async fn create(
    service: &Service,
    client: &Client,
    sign_up: &SignUp,
    hash: String,
    now: DateTime<Utc>,
) -> Result<Response> {
    let mut user = new_account::draft(&sign_up.email, hash, sign_up.data.clone(), now);
    if sign_up.must_confirm {
        user.confirmation_sent_at = Some(now);
    } else {
        new_account::confirm(&mut user, now)?;
        user.last_sign_in_at = Some(now);
    }
    let mut transaction = service.pool.begin().await?;
    new_account::store(&mut transaction, &user, sign_up.data.clone()).await?;
    let answer = if sign_up.must_confirm {
        let identities = identities::of_user(&mut transaction, user.id).await?;
        Json(User::new(user, identities)).into_response()
    } else {
        Json(sign_in::begin(service, &mut transaction, user, "password", client, now).await?).into_response()
    };
    transaction.commit().await?;
    Ok(answer)
}

/// The address has an account. Where it must be confirmed, the answer does not say so.
async fn existing(service: &Service, sign_up: SignUp, now: DateTime<Utc>) -> Result<Response> {
    let mut connection = service.pool.acquire().await?;
    match users::by_email(&mut connection, sign_up.email.as_str()).await? {
        // Not confirmed: its password stays, whoever knows the address may have it mailed again.
        Some(user) if user.email_confirmed_at.is_none() => {
            let identities = identities::of_user(&mut connection, user.id).await?;
            Ok(Json(User::new(user, identities)).into_response())
        }
        _ if sign_up.must_confirm => Ok(Json(invented(sign_up, now)).into_response()),
        _ => Err(AuthError::unprocessable("user_already_exists", "User already registered")),
    }
}

/// Looks like a fresh account, but for the empty list of identities, by which a client may know.
fn invented(sign_up: SignUp, now: DateTime<Utc>) -> User {
    let draft = new_account::draft(&sign_up.email, String::new(), sign_up.data, now);
    let user = UserRow { role: String::new(), confirmation_sent_at: Some(now), ..draft };
    User::new(user, Vec::new())
}
