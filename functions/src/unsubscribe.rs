//! `POST /unsubscribe`: unsubscribes from the kind of e-mail that a mailed link names. Mail clients post to
//! the address of the header `List-Unsubscribe` (RFC 8058), with the token in the query; the page
//! `/unsubscribe` posts it as JSON.
//!
//! No sign-in is needed, because only the e-mail has the token. A repeated request succeeds, too.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, Request, State};
use axum::http::StatusCode;
use axum::response::Redirect;
use serde::{Deserialize, Serialize};

use crate::body::JsonObject;
use crate::error::{FunctionError, Result};
use crate::state::Shared;

const TOKEN_LENGTH: usize = 64;

#[derive(Deserialize)]
pub struct Link {
    token: Option<String>,
}

#[derive(Serialize)]
pub struct Answer {
    /// The kind of notification that is no longer mailed, or `digest`.
    kind: String,
}

pub async fn post(
    State(functions): State<Shared>,
    link: Result<Query<Link>, QueryRejection>,
    request: Request,
) -> Result<Json<Answer>> {
    let Query(link) = link.map_err(|_| FunctionError::bad_request("The query may have one token"))?;
    let token = match link.token {
        Some(token) => token,
        None => posted(request, &functions).await?,
    };
    let kind = if is_token(&token) { functions.gateway.unsubscribe(&token).await? } else { None };
    kind.map(|kind| Json(Answer { kind })).ok_or_else(|| {
        FunctionError::new(StatusCode::NOT_FOUND, "This link has expired. Sign in to choose your e-mails.")
    })
}

async fn posted(request: Request, functions: &Shared) -> Result<String> {
    let JsonObject(body) = JsonObject::read(request, functions.config.body_timeout).await?;
    let token = body.get("token").and_then(serde_json::Value::as_str);
    token.map(str::to_owned).ok_or_else(|| FunctionError::bad_request("A token is required"))
}

/// Redirects a browser that opens the address to the page, which asks for confirmation, because mail scanners
/// open addresses, too.
pub async fn get(link: Result<Query<Link>, QueryRejection>) -> Redirect {
    let token = link.ok().and_then(|Query(link)| link.token).filter(|token| is_token(token));
    let token = token.unwrap_or_default();
    Redirect::to(&format!("/unsubscribe?token={token}"))
}

fn is_token(text: &str) -> bool {
    text.len() == TOKEN_LENGTH && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}
