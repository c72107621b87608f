//! `POST /admin/users`. May set `app_metadata`, whose `marketplace_role` the database's trigger assigns in
//! the same transaction.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::Value;
use uuid::Uuid;

use super::{banned_until, password_hash, shown, word};
use crate::body::JsonBody;
use crate::caller::Operator;
use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::domain::password::Password;
use crate::domain::phone::Phone;
use crate::error::{AuthError, Result};
use crate::new_account;
use crate::security_event::{About, SecurityEvent};
use crate::service::Shared;
use crate::shape::user::User;
use crate::store::identities;
use crate::store::users::UserRow;

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    id: Option<String>,
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

/// A validated request. Its password is not hashed yet.
struct NewUser {
    id: Option<Uuid>,
    aud: Option<String>,
    role: Option<String>,
    email: Option<Email>,
    phone: Option<Phone>,
    data: Metadata,
    app_metadata: Metadata,
    email_confirm: bool,
    phone_confirm: bool,
    ban_duration: Option<String>,
}

pub async fn post(
    State(service): State<Shared>,
    operator: Operator,
    JsonBody(mut body): JsonBody<Request>,
) -> Result<Json<User>> {
    let (password, hash) = (body.password.take(), body.password_hash.take());
    let new_user = NewUser::parse(body)?;
    // Lets the audit log name the person on whose behalf the service key acted.
    let created_by = new_user.app_metadata.get("created_by").and_then(Value::as_str);
    let for_whom = created_by.and_then(|id| Uuid::parse_str(id).ok());
    let password = given(password.as_deref()).map(Password::acceptable).transpose()?;
    let hash = match password_hash(&service, &operator.client, password, hash).await? {
        Some(hash) => hash,
        None => service.hasher.hash(Password::unknowable(), &operator.client).await?,
    };

    let user = new_user.into_row(hash, service.now())?;
    let mut transaction = service.pool.begin().await?;
    new_account::store(&mut transaction, &user, Metadata::default()).await?;
    let answer = shown(&mut transaction, user).await?;
    transaction.commit().await?;
    let about = operator.about(answer.id);
    SecurityEvent::AccountCreated.record(About { actor: for_whom.or(about.actor), ..about });
    Ok(Json(answer))
}

impl NewUser {
    fn parse(body: Request) -> Result<Self> {
        let email = given(body.email.as_deref()).map(Email::parse).transpose()?;
        let phone = given(body.phone.as_deref()).map(Phone::parse).transpose()?;
        let ways = [email.as_ref().map(|_| identities::EMAIL), phone.as_ref().map(|_| identities::PHONE)];
        let providers: Vec<_> = ways.into_iter().flatten().collect();
        if providers.is_empty() {
            return Err(AuthError::validation("Cannot create a user without either an email or phone"));
        }
        let data = Metadata::parse(body.user_metadata)?;
        let app_metadata = Metadata::parse(body.app_metadata)?
            .merged_over(new_account::app_metadata(&providers).into_json())?;
        Ok(Self {
            id: given(body.id.as_deref()).map(chosen_id).transpose()?,
            aud: word(body.aud)?,
            role: word(body.role)?,
            email,
            phone,
            data,
            app_metadata,
            email_confirm: body.email_confirm == Some(true),
            phone_confirm: body.phone_confirm == Some(true),
            ban_duration: body.ban_duration.filter(|duration| !duration.is_empty()),
        })
    }

    fn into_row(self, hash: String, now: DateTime<Utc>) -> Result<UserRow> {
        let mut user = new_account::nameless(hash, self.data, now);
        user.id = self.id.unwrap_or(user.id);
        user.email = self.email.map(|email| email.as_str().to_owned());
        user.phone = self.phone.map(|phone| phone.as_str().to_owned());
        user.raw_app_meta_data = self.app_metadata.into_json();
        user.aud = self.aud.unwrap_or(user.aud);
        user.role = self.role.unwrap_or(user.role);
        if let Some(duration) = self.ban_duration {
            user.banned_until = banned_until(&duration, now)?;
        }
        if self.email_confirm && user.email.is_some() {
            new_account::confirm(&mut user, now)?;
        }
        if self.phone_confirm && user.phone.is_some() {
            user.phone_confirmed_at = Some(now);
        }
        Ok(user)
    }
}

fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn chosen_id(text: &str) -> Result<Uuid> {
    let id =
        Uuid::parse_str(text).map_err(|_| AuthError::validation("ID must conform to the uuid v4 format"))?;
    if id.is_nil() { Err(AuthError::validation("ID cannot be a nil uuid")) } else { Ok(id) }
}
