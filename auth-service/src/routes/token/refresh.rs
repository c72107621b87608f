//! `grant_type=refresh_token`: exchanges a session's active token for its child.
//!
//! Refreshes of one session are serialized by a lock on its row: of several at once, the first rotates the
//! token and the others get the same new token. See `domain/rotation.rs` for the rules.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Deserialize;

use crate::client::Client;
use crate::domain::refresh_token::RefreshToken;
use crate::domain::rotation::{self, MAX_STEPS, PresentedToken, Verdict};
use crate::domain::session_limits::ExpiryReason;
use crate::error::{AuthError, Result};
use crate::security_event::SecurityEvent;
use crate::service::Service;
use crate::shape::session::Session;
use crate::sign_in;
use crate::store::refresh_tokens::{self, RefreshTokenRow};
use crate::store::sessions::{self, SessionRow};
use crate::store::{identities, users};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    refresh_token: Option<String>,
}

pub async fn grant(service: &Service, client: &Client, body: Request) -> Result<Session> {
    exchange(service, client, body).await.map_err(AuthError::conflict_if_locked)
}

async fn exchange(service: &Service, client: &Client, body: Request) -> Result<Session> {
    let token = RefreshToken::parse(&body.refresh_token.unwrap_or_default())
        .ok_or_else(|| AuthError::validation("Refresh token is not valid"))?;
    let mut transaction = service.pool.begin().await?;
    let found = refresh_tokens::by_hash(&mut transaction, &token.hash()).await?.ok_or_else(not_found)?;
    let session = sessions::lock(&mut transaction, found.session_id).await?.ok_or_else(no_session)?;
    // Read again under the lock: the token may have been revoked in the meantime.
    let found = refresh_tokens::by_hash(&mut transaction, &token.hash()).await?.ok_or_else(not_found)?;
    let user = users::by_id(&mut transaction, session.user_id).await?.ok_or_else(not_found)?;
    let now = service.now();
    if user.is_banned(now) {
        return Err(AuthError::bad_request("user_banned", "Invalid Refresh Token: User Banned"));
    }
    check_limits(service, &mut transaction, &session, now).await?;

    let (presented, active) = trace(service, &mut transaction, &token, &found, now).await?;
    let token = match (rotation::decide(presented, service.config.reuse_interval), active) {
        (Verdict::Rotate, _) => rotate(service, &mut transaction, &token, &found, now).await?,
        (Verdict::Repeat, Some(active)) => active,
        (Verdict::Repeat | Verdict::Theft, _) => {
            // Committed although the request fails, so that both the thief's and the owner's tokens are
            // revoked.
            refresh_tokens::revoke_family(&mut transaction, session.id, now).await?;
            transaction.commit().await?;
            SecurityEvent::RefreshTokenReused.of_account(session.user_id, client);
            return Err(already_used());
        }
    };
    let identities = identities::of_user(&mut transaction, user.id).await?;
    let answer = sign_in::answer(service, user, identities, &session, &token, now)?;
    transaction.commit().await?;
    Ok(answer)
}

/// Expired sessions stay in the table, so that an expired session can be told from an unknown one.
async fn check_limits(
    service: &Service,
    connection: &mut PgConnection,
    session: &SessionRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let limits = &service.config.session_limits;
    let mut outcome = limits.check(session.lifetime(), now);
    if outcome.is_ok() && limits.single_per_user && sessions::is_superseded(connection, session, now).await? {
        outcome = Err(ExpiryReason::Superseded);
    }
    let expired =
        |ended| AuthError::bad_request("session_expired", format!("Invalid Refresh Token: {ended}"));
    outcome.map_err(expired)
}

/// The token's position in its family, and the family's active token if it can be derived from this one.
async fn trace(
    service: &Service,
    connection: &mut PgConnection,
    token: &RefreshToken,
    found: &RefreshTokenRow,
    now: DateTime<Utc>,
) -> Result<(PresentedToken, Option<RefreshToken>)> {
    let Some(revoked_at) = found.revoked_at else { return Ok((PresentedToken::Active, None)) };
    let active = refresh_tokens::active(connection, found.session_id).await?;
    let descendant =
        active.and_then(|active| service.lineage.descendant(token, &active.token_hash, MAX_STEPS));
    let (active, steps_to_active) = descendant.unzip();
    Ok((PresentedToken::Revoked { since: now - revoked_at, steps_to_active }, active))
}

async fn rotate(
    service: &Service,
    connection: &mut PgConnection,
    token: &RefreshToken,
    found: &RefreshTokenRow,
    now: DateTime<Utc>,
) -> Result<RefreshToken> {
    let child = service.lineage.child_of(token);
    refresh_tokens::revoke(connection, found.id, now).await?;
    refresh_tokens::insert(connection, found.session_id, &child.hash(), found.id, now).await?;
    sessions::refreshed(connection, found.session_id, now).await?;
    Ok(child)
}

fn not_found() -> AuthError {
    AuthError::bad_request("refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")
}

/// The account was signed out between the lookup and the lock.
fn no_session() -> AuthError {
    AuthError::bad_request("session_not_found", "Invalid Refresh Token: No Valid Session Found")
}

fn already_used() -> AuthError {
    AuthError::bad_request("refresh_token_already_used", "Invalid Refresh Token: Already Used")
}
