//! `POST /logout?scope=global|local|others`

use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;

use crate::caller::SignedIn;
use crate::error::{AuthError, Result};
use crate::query::QueryParams;
use crate::security_event::SecurityEvent;
use crate::service::Shared;
use crate::store::sessions;

#[derive(Deserialize)]
pub struct Scope {
    #[serde(default)]
    scope: String,
}

pub async fn post(
    State(service): State<Shared>,
    QueryParams(Scope { scope }): QueryParams<Scope>,
    caller: SignedIn,
) -> Result<StatusCode> {
    let session = caller.session.map(|session| session.id);
    let mut connection = service.pool.acquire().await?;
    match (scope.as_str(), session) {
        ("" | "global", _) => sessions::delete_all(&mut connection, caller.user.id).await?,
        ("local", Some(session)) => sessions::delete(&mut connection, session).await?,
        ("local", None) => {}
        ("others", keep) => sessions::delete_others(&mut connection, caller.user.id, keep).await?,
        _ => return Err(AuthError::validation(format!("Unsupported logout scope \"{scope}\""))),
    }
    SecurityEvent::SignedOut.of_account(caller.user.id, &caller.client);
    Ok(StatusCode::NO_CONTENT)
}
