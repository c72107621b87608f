//! `grant_type=pkce`: exchanges the code of a followed link, together with the secret of the client that
//! requested it.

use serde::Deserialize;

use crate::client::Client;
use crate::domain::pkce::{CODE_LIFE, Challenge, ChallengeMethod};
use crate::error::{AuthError, Result};
use crate::service::Service;
use crate::shape::session::Session;
use crate::sign_in;
use crate::store::{flow_state, users};

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    auth_code: Option<String>,
    #[serde(default)]
    code_verifier: Option<String>,
}

pub async fn grant(service: &Service, client: &Client, body: Request) -> Result<Session> {
    let (code, verifier) = (body.auth_code.unwrap_or_default(), body.code_verifier.unwrap_or_default());
    if code.is_empty() || verifier.is_empty() {
        let wanted = "invalid request: both auth code and code verifier should be non-empty";
        return Err(AuthError::validation(wanted));
    }
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    let hashes = service.digests.accepted(|digests| digests.of_auth_code(&code));
    let flow = flow_state::lock_by_code(&mut transaction, &hashes).await?.ok_or_else(unknown_code)?;
    if flow.auth_code_issued_at + CODE_LIFE <= now {
        let expired = "invalid flow state, flow state has expired";
        return Err(AuthError::unprocessable("flow_state_expired", expired));
    }
    let method = ChallengeMethod::parse(&flow.code_challenge_method)?;
    if !(Challenge { text: flow.code_challenge, method }).is_met_by(&verifier) {
        let wrong = "code challenge does not match previously saved code verifier";
        return Err(AuthError::bad_request("bad_code_verifier", wrong));
    }
    let user = users::by_id(&mut transaction, flow.user_id).await?.ok_or_else(unknown_code)?;
    if user.is_banned(now) {
        return Err(AuthError::bad_request("user_banned", "User is banned"));
    }
    flow_state::delete(&mut transaction, flow.id).await?;
    let method = &flow.authentication_method;
    let session = sign_in::begin(service, &mut transaction, user, method, client, now).await?;
    transaction.commit().await?;
    sign_in::record(&session, method, client);
    Ok(session)
}

fn unknown_code() -> AuthError {
    AuthError::not_found("flow_state_not_found", "invalid flow state, no valid flow state found")
}
