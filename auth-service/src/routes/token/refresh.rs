//! `grant_type=refresh_token`: the living token of a session is exchanged for its child.
//!
//! Refreshes of one session take turns on its row, so of twenty at once the first rotates and the others
//! are given what it made. See `domain/rotation.rs` for the rules.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::Deserialize;

use crate::client::Client;
use crate::domain::refresh_token::RefreshToken;
use crate::domain::rotation::{self, MAX_STEPS, Presented, Verdict};
use crate::domain::session_limits::Ended;
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
    // Read again now that nobody else can rotate: it may have been revoked while we waited.
    let found = refresh_tokens::by_hash(&mut transaction, &token.hash()).await?.ok_or_else(not_found)?;
    let user = users::by_id(&mut transaction, session.user_id).await?.ok_or_else(not_found)?;
    let now = service.now();
    if user.is_banned(now) {
        return Err(AuthError::bad_request("user_banned", "Invalid Refresh Token: User Banned"));
    }
    check_limits(service, &mut transaction, &session, now).await?;

    let (presented, living) = trace(service, &mut transaction, &token, &found, now).await?;
    let token = match (rotation::judge(presented, service.config.reuse_interval), living) {
        (Verdict::Rotate, _) => rotate(service, &mut transaction, &token, &found, now).await?,
        (Verdict::Repeat, Some(living)) => living,
        (Verdict::Repeat | Verdict::Theft, _) => {
            // Committed although the request fails: the thief's token and the owner's both end here.
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

/// What has ended stays in the table: a session that came to its end is told from one that never was.
async fn check_limits(
    service: &Service,
    connection: &mut PgConnection,
    session: &SessionRow,
    now: DateTime<Utc>,
) -> Result<()> {
    let limits = &service.config.session_limits;
    let mut outcome = limits.check(session.lifetime(), now);
    if outcome.is_ok() && limits.single_per_user && sessions::is_superseded(connection, session, now).await? {
        outcome = Err(Ended::Superseded);
    }
    let expired =
        |ended| AuthError::bad_request("session_expired", format!("Invalid Refresh Token: {ended}"));
    outcome.map_err(expired)
}

/// Where the token stands in its family, and the family's living token if that can be derived from it.
async fn trace(
    service: &Service,
    connection: &mut PgConnection,
    token: &RefreshToken,
    found: &RefreshTokenRow,
    now: DateTime<Utc>,
) -> Result<(Presented, Option<RefreshToken>)> {
    let Some(revoked_at) = found.revoked_at else { return Ok((Presented::Living, None)) };
    let living = refresh_tokens::living(connection, found.session_id).await?;
    let descendant =
        living.and_then(|living| service.lineage.descendant(token, &living.token_hash, MAX_STEPS));
    let (living, steps_to_living) = descendant.unzip();
    Ok((Presented::Revoked { since: now - revoked_at, steps_to_living }, living))
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

/// Signed out between the look-up and the lock.
fn no_session() -> AuthError {
    AuthError::bad_request("session_not_found", "Invalid Refresh Token: No Valid Session Found")
}

fn already_used() -> AuthError {
    AuthError::bad_request("refresh_token_already_used", "Invalid Refresh Token: Already Used")
}
