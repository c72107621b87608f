//! Creates accounts, for sign-ups and for operators: always together with their identity and, through the
//! database's trigger, their profile and role, in one transaction.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::domain::email::Email;
use crate::domain::metadata::Metadata;
use crate::error::{AuthError, ErrorKind, Result, violates};
use crate::service::Service;
use crate::store::users::UserRow;
use crate::store::{identities, users};

/// The audience and role of every account, unless an operator sets others.
pub const AUTHENTICATED: &str = "authenticated";

/// The initial `app_metadata`: the account's providers, the first one as primary.
pub fn app_metadata(providers: &[&str]) -> Metadata {
    let first = providers.first().copied().unwrap_or_default();
    Metadata::default().with("provider", first).with("providers", json!(providers))
}

/// Appends a provider to the account's `app_metadata`.
///
/// # Errors
/// Fails when the metadata would exceed the size limit.
pub fn add_provider(user: &mut UserRow, provider: &str) -> Result<()> {
    let stored = std::mem::take(&mut user.raw_app_meta_data);
    let known = stored["providers"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut providers: Vec<_> = known.iter().filter_map(Value::as_str).collect();
    if !providers.contains(&provider) {
        providers.push(provider);
    }
    user.raw_app_meta_data = app_metadata(&providers).merged_over(stored.clone())?.into_json();
    Ok(())
}

/// An account created by a sign-up, whose address is not proved yet.
pub fn signed_up(
    email: &Email,
    encrypted_password: Option<String>,
    data: Metadata,
    now: DateTime<Utc>,
) -> UserRow {
    UserRow { encrypted_password, email_unproved: true, ..draft(email, String::new(), data, now) }
}

/// A new account with an address, not stored yet.
pub fn draft(email: &Email, encrypted_password: String, data: Metadata, now: DateTime<Utc>) -> UserRow {
    UserRow {
        email: Some(email.as_str().to_owned()),
        raw_app_meta_data: app_metadata(&[identities::EMAIL]).into_json(),
        ..nameless(encrypted_password, data, now)
    }
}

/// A new account without address or phone number.
pub fn nameless(encrypted_password: String, data: Metadata, now: DateTime<Utc>) -> UserRow {
    UserRow {
        id: Uuid::new_v4(),
        aud: AUTHENTICATED.to_owned(),
        role: AUTHENTICATED.to_owned(),
        email: None,
        encrypted_password: Some(encrypted_password),
        email_confirmed_at: None,
        invited_at: None,
        confirmation_sent_at: None,
        recovery_sent_at: None,
        new_email: None,
        email_change_sent_at: None,
        email_change_confirm_status: 0,
        reauthentication_sent_at: None,
        last_sign_in_at: None,
        raw_app_meta_data: json!({}),
        raw_user_meta_data: data.into_json(),
        phone: None,
        phone_confirmed_at: None,
        is_anonymous: false,
        factors: Vec::new(),
        banned_until: None,
        deleted_at: None,
        email_unproved: false,
        password_contested: false,
        created_at: now,
        updated_at: now,
    }
}

/// # Errors
/// Fails when sign-ups are disabled.
pub fn check_sign_ups_enabled(service: &Service) -> Result<()> {
    if service.config.accounts.sign_ups {
        return Ok(());
    }
    Err(AuthError::unprocessable("signup_disabled", "Signups not allowed for this instance"))
}

/// Marks the address as proved.
///
/// # Errors
/// Fails when the metadata would exceed the size limit.
pub fn confirm(user: &mut UserRow, now: DateTime<Utc>) -> Result<()> {
    let mark = Metadata::default().with("email_verified", true);
    user.email_confirmed_at = Some(now);
    user.raw_user_meta_data = mark.merged_over(std::mem::take(&mut user.raw_user_meta_data))?.into_json();
    Ok(())
}

/// Stores the account with its identities.
///
/// # Errors
/// See [`taken`]. Also fails when the database's trigger rejects the account.
pub async fn store(connection: &mut PgConnection, user: &UserRow, data: Metadata) -> Result<()> {
    users::insert(&mut *connection, user).await.map_err(taken)?;
    if let Some(email) = &user.email {
        let identity = identities::of_email(user.id, email, data.into_json(), user.created_at);
        identities::insert(connection, &identity).await?;
    }
    if let Some(phone) = &user.phone {
        let verified = user.phone_confirmed_at.is_some();
        identities::set_phone(connection, user.id, phone, verified, user.created_at).await?;
    }
    Ok(())
}

/// Whether the database's triggers accept an account with this data: stores one with an unused address of the same domain and
/// takes it back. For requests that may create none, because the address has an account. Their responses must be the same.
///
/// # Errors
/// See [`store`].
pub async fn check_data(
    transaction: &mut PgConnection,
    email: &Email,
    data: &Metadata,
    now: DateTime<Utc>,
) -> Result<()> {
    let (_, domain) = email.as_str().rsplit_once('@').unwrap_or_default();
    let unused = Email::parse(&format!("{}@{domain}", Uuid::new_v4().simple()));
    let Some(unused) = unused.ok().filter(|_| *data != Metadata::default()) else { return Ok(()) };
    sqlx::query("savepoint attempt").execute(&mut *transaction).await?;
    store(&mut *transaction, &signed_up(&unused, None, data.clone(), now), data.clone()).await?;
    sqlx::query("rollback to savepoint attempt").execute(transaction).await?;
    Ok(())
}

/// 422 when another account has the address, the phone number or the id.
pub fn taken(error: sqlx::Error) -> AuthError {
    if violates(&error, users::EMAIL_KEY) {
        email_exists()
    } else if violates(&error, users::PHONE_KEY) {
        AuthError::unprocessable("phone_exists", "Phone number already registered by another user")
    } else if violates(&error, users::PRIMARY_KEY) {
        AuthError::unprocessable("user_already_exists", "A user with this id already exists")
    } else {
        error.into()
    }
}

pub fn email_exists() -> AuthError {
    let message = "A user with this email address has already been registered";
    AuthError { kind: Some(ErrorKind::EmailTaken), ..AuthError::unprocessable("email_exists", message) }
}
