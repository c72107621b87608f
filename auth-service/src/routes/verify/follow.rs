//! `GET /verify`: follows a link. The response redirects with a session, a code or the error.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use uuid::Uuid;

use super::unknown_type;
use crate::client::Client;
use crate::domain::one_time_token::PKCE_PREFIX;
use crate::domain::pkce::CODE_LIFE;
use crate::domain::redirect::{with_fragment, with_query};
use crate::domain::verification::Verification;
use crate::error::{AuthError, Result};
use crate::query::QueryParams;
use crate::redirect_to::RedirectTo;
use crate::service::{Service, Shared};
use crate::shape::session::Session;
use crate::sign_in;
use crate::store::flow_state;
use crate::verification::{self, FIRST_HALF, Redeemed, bad_link};

#[derive(Deserialize)]
pub struct Link {
    #[serde(default)]
    token: String,
    #[serde(default, rename = "type")]
    purpose: String,
}

/// HEAD does not redeem the link: scanners and link previews send such requests.
pub async fn head() -> StatusCode {
    StatusCode::OK
}

pub async fn get(
    State(service): State<Shared>,
    QueryParams(link): QueryParams<Link>,
    redirect_to: RedirectTo,
    client: Client,
) -> Result<Response> {
    if link.purpose.is_empty() {
        return Err(AuthError::validation("Verify requires a verification type"));
    }
    if link.token.is_empty() {
        return Err(AuthError::validation("Verify requires a token or a token hash"));
    }
    let target = redirect_to.or_site(&service);
    let (address, session) = match follow(&service, &link, target, &client).await {
        Ok(followed) => followed,
        Err(error) if error.status.is_server_error() => return Err(error),
        Err(error) => (refusal(&error, target, link.token.starts_with(PKCE_PREFIX)), None),
    };
    let location = HeaderValue::try_from(address).map_err(|error| AuthError::internal(&error))?;
    let mut headers = session.map(|session| session.headers()).unwrap_or_default();
    headers.insert(header::LOCATION, location);
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// The redirect target, and the session if one was created.
async fn follow(
    service: &Service,
    link: &Link,
    target: &str,
    client: &Client,
) -> Result<(String, Option<Session>)> {
    let purpose = Verification::parse(&link.purpose).ok_or_else(unknown_type)?;
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let token = verification::by_link(service, &mut transaction, &link.token, purpose, client).await?;
    let in_query = token.flow_state_id.is_some();
    let mut session = None;
    let redeemed = verification::redeem(service, &mut transaction, token, bad_link, now).await?;
    let event = redeemed.event();
    let address = match redeemed {
        Redeemed::FirstHalf => message(target, in_query),
        Redeemed::Owner { user, flow, .. } => match flow {
            Some(flow) => {
                let code = Uuid::new_v4().to_string();
                let hash = service.digests.of_auth_code(&code);
                flow_state::issue(&mut transaction, flow, &hash, now, now - CODE_LIFE).await?;
                with_query(target, &[("code", &code)])
            }
            None => {
                let begun = sign_in::begin(service, &mut transaction, *user, "otp", client, now).await?;
                signed_in(target, session.insert(begun), &link.purpose)
            }
        },
    };
    transaction.commit().await?;
    verification::record(event, client);
    if let Some(session) = &session {
        sign_in::record(session, "otp", client);
    }
    Ok((address, session))
}

fn signed_in(target: &str, session: &Session, purpose: &str) -> String {
    with_fragment(
        target,
        &[
            ("access_token", &session.access_token),
            ("expires_at", &session.expires_at.to_string()),
            ("expires_in", &session.expires_in.to_string()),
            ("refresh_token", &session.refresh_token),
            // Marks our redirects for clients.
            ("sb", ""),
            ("token_type", session.token_type),
            ("type", purpose),
        ],
    )
}

fn message(target: &str, in_query: bool) -> String {
    let target = if in_query { with_query(target, &[("message", FIRST_HALF)]) } else { target.to_owned() };
    with_fragment(&target, &[("message", FIRST_HALF), ("sb", "")])
}

/// Uses OAuth's error names. Clients of the PKCE flow read the query.
fn refusal(error: &AuthError, target: &str, in_query: bool) -> String {
    let kind = match error.status {
        StatusCode::BAD_REQUEST => Some("invalid_request"),
        StatusCode::UNAUTHORIZED => Some("unauthorized_client"),
        StatusCode::FORBIDDEN => Some("access_denied"),
        _ => None,
    };
    let mut members: Vec<_> = kind.map(|kind| ("error", kind)).into_iter().collect();
    members.extend([("error_code", error.code), ("error_description", &*error.message)]);
    let target = if in_query { with_query(target, &members) } else { target.to_owned() };
    members.push(("sb", ""));
    with_fragment(&target, &members)
}
