//! Identifies the caller: the account behind an access token, or an operator with the service key.

use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use platform::bearer;
use platform::claims::Claims;
use platform::token::{self, Times, TokenError};
use uuid::Uuid;

use crate::client::Client;
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};
use crate::service::{Service, Shared};
use crate::store::callers::{self, CallerRow};
use crate::store::identities::IdentityRow;
use crate::store::sessions::{self, SessionRow};
use crate::store::users::UserRow;

const OPERATORS: [&str; 2] = ["service_role", "supabase_admin"];

/// An account with a valid token and session.
pub struct SignedIn {
    pub user: UserRow,
    /// `None` when the token has no `session_id`.
    pub session: Option<SessionRow>,
    pub identities: Vec<IdentityRow>,
    pub claims: Claims,
    pub client: Client,
}

/// A caller with the service role.
pub struct Operator {
    role: &'static str,
    /// `None` for the service key itself, which has no subject.
    account: Option<Uuid>,
    pub client: Client,
}

impl Operator {
    /// The log fields for an operator's action on an account.
    pub fn about(&self, user: Uuid) -> About<'static> {
        About {
            user: Some(user),
            actor: self.account,
            client: self.client.address,
            by: Some(self.role),
            ..About::default()
        }
    }
}

impl FromRequestParts<Shared> for SignedIn {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self> {
        let claims = verified(service, &parts.headers)?;
        let subject = claims.text("sub").filter(|sub| !sub.is_empty());
        let subject =
            subject.ok_or_else(|| AuthError::forbidden("bad_jwt", "invalid claim: missing sub claim"))?;
        let user_id = Uuid::parse_str(subject)
            .map_err(|_| AuthError::bad_request("bad_jwt", "invalid claim: sub claim must be a UUID"))?;
        let mut connection = service.pool.acquire().await?;
        let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
        let caller = callers::find(&mut connection, user_id, session_id(&claims)).await?;
        let CallerRow { user, session, identities } = caller.ok_or_else(gone)?;
        if !is_meant_for(&claims, &user.aud) {
            return Err(bad_token(TokenError::WrongAudience));
        }
        if session.is_none() && claims.0.contains_key("session_id") {
            return Err(no_such_session());
        }
        if user.deleted_at.is_some() {
            return Err(gone());
        }
        if user.is_banned(service.now()) {
            return Err(AuthError::forbidden("user_banned", "User is banned"));
        }
        let Ok(client) = Client::from_request_parts(parts, service).await;
        Ok(Self { user, session, identities, claims, client })
    }
}

impl FromRequestParts<Shared> for Operator {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, service: &Shared) -> Result<Self> {
        let claims = verified(service, &parts.headers)?;
        let Ok(client) = Client::from_request_parts(parts, service).await;
        let account = claims.text("sub").and_then(|sub| Uuid::parse_str(sub).ok());
        let Some(role) = OPERATORS.into_iter().find(|role| claims.role() == Some(role)) else {
            let by = parts.extensions.get::<MatchedPath>().map(MatchedPath::as_str);
            let about = About { actor: account, client: client.address, by, ..About::default() };
            SecurityEvent::AccessDenied.record_limited(about, &service.refusals_logged);
            return Err(AuthError::forbidden("not_admin", "User not allowed"));
        };
        if claims.0.contains_key("session_id") {
            let mut connection = service.pool.acquire().await?;
            let id = session_id(&claims).ok_or_else(no_such_session)?;
            let session = sessions::by_id(&mut connection, id).await?.ok_or_else(no_such_session)?;
            let limits = &service.config.session_limits;
            limits
                .check(session.lifetime(), service.now())
                .map_err(|_| AuthError::forbidden("session_expired", "Session has expired"))?;
        }
        Ok(Self { role, account, client })
    }
}

fn session_id(claims: &Claims) -> Option<Uuid> {
    Uuid::parse_str(claims.text("session_id")?).ok()
}

fn no_such_session() -> AuthError {
    AuthError::forbidden("session_not_found", "Session from session_id claim in JWT does not exist")
}

/// The claims of the bearer token, after its signature and timestamps are verified.
fn verified(service: &Service, headers: &HeaderMap) -> Result<Claims> {
    let token = bearer::token(headers).ok_or_else(|| {
        let wanted = "This endpoint requires a valid Bearer token";
        AuthError::new(StatusCode::UNAUTHORIZED, "no_authorization", wanted)
    })?;
    let clock = &service.config.clock;
    let claims = bearer::verify(token, &service.config.jwt, clock).map_err(bad_token)?;
    let issued = Times::of(&claims).and_then(|times| times.check_issued(clock.now().timestamp()));
    issued.map_err(bad_token)?;
    Ok(claims)
}

fn bad_token(reason: TokenError) -> AuthError {
    AuthError::forbidden("bad_jwt", format!("invalid JWT: unable to parse or verify signature, {reason}"))
}

/// A token without an audience is valid for every audience.
fn is_meant_for(claims: &Claims, audience: &str) -> bool {
    token::audiences(claims)
        .is_ok_and(|audiences| audiences.is_none_or(|audiences| audiences.contains(&audience)))
}
