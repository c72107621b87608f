//! `PUT /admin/users/{id}`

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Deserialize;
use serde_json::Value;

use super::{Account, banned_until, not_found, password_hash, refusal, shown, word};
use crate::body::JsonBody;
use crate::caller::Operator;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::phone::Phone;
use crate::error::Result;
use crate::failure_limit;
use crate::new_account;
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::shape::user::User;
use crate::store::users::UserRow;
use crate::store::{identities, one_time_tokens, sessions, users};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    aud: Option<String>,
    #[serde(default)]
    role: Option<String>,
    #[serde(default)]
    email: Option<String>,
    #[serde(default)]
    phone: Option<String>,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    password_hash: Option<String>,
    #[serde(default)]
    email_confirm: Option<bool>,
    #[serde(default)]
    phone_confirm: Option<bool>,
    #[serde(default)]
    user_metadata: Value,
    #[serde(default)]
    app_metadata: Value,
    #[serde(default)]
    ban_duration: Option<String>,
}

pub async fn put(
    State(service): State<Shared>,
    operator: Operator,
    Account(UserRow { id, .. }): Account,
    JsonBody(body): JsonBody<Request>,
) -> Result<Json<User>> {
    let rules = &service.config.password_rules;
    let password = body.password.as_deref().map(|password| rules.check(password)).transpose()?;
    let hash = password_hash(&service, &operator.client, password, body.password_hash.clone()).await?;
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let mut user = users::lock_with_deleted(&mut transaction, id).await?.ok_or_else(not_found)?;
    if let Some(hash) = hash {
        // A new password also revokes open links and sessions, in case someone else knew the old one.
        user.encrypted_password = Some(hash);
        (user.email_unproved, user.password_contested) = (false, false);
        one_time_tokens::delete_of_user(&mut transaction, id).await?;
        sessions::delete_all(&mut transaction, id).await?;
        failure_limit::forget(&service, &mut transaction, user.email.as_deref()).await?;
    }
    change_email(&mut transaction, &mut user, &body, now).await?;
    change_phone(&mut transaction, &mut user, &body, now).await?;
    change_rest(&mut user, body, now)?;
    users::update(&mut transaction, &user).await.map_err(refusal)?;
    let answer = shown(&mut transaction, user).await?;
    transaction.commit().await?;
    SecurityEvent::AccountUpdated.record(operator.about(id));
    Ok(Json(answer))
}

/// Takes effect immediately, without a confirmation e-mail.
async fn change_email(
    connection: &mut PgConnection,
    user: &mut UserRow,
    body: &Request,
    now: DateTime<Utc>,
) -> Result<()> {
    let Some(email) = given(&body.email).map(Email::parse).transpose()? else { return Ok(()) };
    // The operator decides whether the address is verified; the old address's state does not carry over.
    let (verified, is_new) =
        (body.email_confirm == Some(true), user.email.as_deref() != Some(email.as_str()));
    if is_new {
        user.email = Some(email.as_str().to_owned());
        (user.new_email, user.email_change_sent_at, user.email_change_confirm_status) = (None, None, 0);
        one_time_tokens::delete_of_user(connection, user.id).await?;
        new_account::add_provider(user, identities::EMAIL)?;
    }
    if is_new || verified {
        identities::set_email(connection, user.id, email.as_str(), verified, now).await?;
    }
    Ok(())
}

async fn change_phone(
    connection: &mut PgConnection,
    user: &mut UserRow,
    body: &Request,
    now: DateTime<Utc>,
) -> Result<()> {
    let confirmed = body.phone_confirm == Some(true);
    if let Some(phone) = given(&body.phone).map(Phone::parse).transpose()? {
        let is_new = user.phone.as_deref() != Some(phone.as_str());
        if is_new {
            user.phone = Some(phone.as_str().to_owned());
            new_account::add_provider(user, identities::PHONE)?;
        }
        if is_new || confirmed {
            identities::set_phone(connection, user.id, phone.as_str(), confirmed, now).await?;
        }
    }
    if confirmed && user.phone.is_some() && user.phone_confirmed_at.is_none() {
        user.phone_confirmed_at = Some(now);
    }
    Ok(())
}

fn change_rest(user: &mut UserRow, body: Request, now: DateTime<Utc>) -> Result<()> {
    let user_metadata = std::mem::take(&mut user.raw_user_meta_data);
    user.raw_user_meta_data = Metadata::parse(body.user_metadata)?.merged_over(user_metadata)?.into_json();
    let app_metadata = std::mem::take(&mut user.raw_app_meta_data);
    user.raw_app_meta_data = Metadata::parse(body.app_metadata)?.merged_over(app_metadata)?.into_json();
    if let Some(aud) = word(body.aud)? {
        user.aud = aud;
    }
    if let Some(role) = word(body.role)? {
        user.role = role;
    }
    if let Some(duration) = body.ban_duration.filter(|duration| !duration.is_empty()) {
        user.banned_until = banned_until(&duration, now)?;
    }
    if body.email_confirm == Some(true) && user.email.is_some() {
        // The operator vouches for the address.
        user.email_unproved = false;
        if user.email_confirmed_at.is_none() {
            new_account::confirm(user, now)?;
        }
    }
    user.updated_at = now;
    Ok(())
}

fn given(field: &Option<String>) -> Option<&str> {
    field.as_deref().filter(|text| !text.is_empty())
}
