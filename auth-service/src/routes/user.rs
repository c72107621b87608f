//! `GET /user`, `PUT /user`: the caller's own account.

mod change;
mod new_password;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;

use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::error::{AuthError, Result};
use crate::redirect_to::RedirectTo;
use crate::service::Shared;
use crate::shape::user::User;

pub async fn get(headers: HeaderMap, caller: SignedIn) -> Result<Json<User>> {
    let wanted =
        headers.get("x-jwt-aud").and_then(|value| value.to_str().ok()).filter(|wanted| !wanted.is_empty());
    if wanted.is_some_and(|wanted| caller.claims.text("aud") != Some(wanted)) {
        return Err(AuthError::validation("Token audience doesn't match request audience"));
    }
    Ok(Json(User::new(caller.user, caller.identities)))
}

pub async fn put(
    State(service): State<Shared>,
    caller: SignedIn,
    redirect_to: RedirectTo,
    JsonBody(body): JsonBody<change::Request>,
) -> Result<Json<User>> {
    change::apply(&service, caller, &redirect_to, body).await.map(Json)
}
