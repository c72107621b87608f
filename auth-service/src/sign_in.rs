//! Creates and continues sessions: shared by sign-up, sign-in and refresh.

use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::Client;
use crate::domain::refresh_token::RefreshToken;
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};
use crate::service::Service;
use crate::shape::session::Session;
use crate::shape::user::User;
use crate::store::identities::IdentityRow;
use crate::store::sessions::SessionRow;
use crate::store::users::UserRow;
use crate::store::{identities, sessions};

/// A new session, not stored yet.
pub fn new_session(user_id: Uuid, method: &str, now: DateTime<Utc>) -> SessionRow {
    SessionRow {
        id: Uuid::new_v4(),
        user_id,
        aal: "aal1".to_owned(),
        amr: json!([{ "method": method, "timestamp": now.timestamp() }]),
        created_at: now,
        refreshed_at: None,
        not_after: None,
    }
}

/// # Errors
/// Fails when sign-in by e-mail is disabled.
pub fn by_email(service: &Service) -> Result<()> {
    if service.config.accounts.email_provider {
        return Ok(());
    }
    Err(AuthError::unprocessable("email_provider_disabled", "Email logins are disabled"))
}

/// Like [`by_email`], for requests that ask for an e-mail: there the API returns a bad request.
///
/// # Errors
/// Fails when sign-in by e-mail is disabled.
pub fn by_link(service: &Service) -> Result<()> {
    by_email(service).map_err(|error| AuthError { status: StatusCode::BAD_REQUEST, ..error })
}

/// Creates a session, in the caller's transaction.
pub async fn begin(
    service: &Service,
    connection: &mut PgConnection,
    user: UserRow,
    method: &str,
    client: &Client,
    now: DateTime<Utc>,
) -> Result<Session> {
    let session = new_session(user.id, method, now);
    let token = RefreshToken::random();
    let user_agent = client.user_agent.as_deref();
    sessions::insert(connection, &session, &token.hash(), user_agent, client.address).await?;
    let identities = identities::of_user(connection, user.id).await?;
    answer(service, user, identities, &session, &token, now)
}

/// Call it after the transaction has committed.
pub fn record(session: &Session, by: &str, client: &Client) {
    SecurityEvent::SignedIn.record(About {
        user: Some(session.user.id),
        client: client.address,
        by: Some(by),
        ..About::default()
    });
}

/// The response: new tokens and the account's current state.
pub fn answer(
    service: &Service,
    user: UserRow,
    identities: Vec<IdentityRow>,
    session: &SessionRow,
    token: &RefreshToken,
    now: DateTime<Utc>,
) -> Result<Session> {
    let life = service.config.access_token_life.num_seconds();
    let expires_at = now.timestamp() + life;
    let claims = AccessClaims {
        iss: &service.config.external_url,
        sub: user.id,
        aud: &user.aud,
        exp: expires_at,
        iat: now.timestamp(),
        email: user.email.as_deref().unwrap_or_default(),
        phone: user.phone.as_deref().unwrap_or_default(),
        app_metadata: &user.raw_app_meta_data,
        user_metadata: &user.raw_user_meta_data,
        role: &user.role,
        aal: &session.aal,
        amr: &session.amr,
        session_id: session.id,
        is_anonymous: user.is_anonymous,
    };
    let access_token =
        service.config.jwt.sign_for_account(&claims).map_err(|error| AuthError::internal(&error))?;
    Ok(Session {
        id: session.id,
        access_token,
        token_type: "bearer",
        expires_in: life,
        expires_at,
        refresh_token: token.expose().to_owned(),
        user: User::new(user, identities),
        weak_password: None,
    })
}

#[derive(Serialize)]
struct AccessClaims<'a> {
    iss: &'a str,
    sub: Uuid,
    aud: &'a str,
    exp: i64,
    iat: i64,
    email: &'a str,
    phone: &'a str,
    app_metadata: &'a Value,
    user_metadata: &'a Value,
    role: &'a str,
    aal: &'a str,
    amr: &'a Value,
    session_id: Uuid,
    is_anonymous: bool,
}
