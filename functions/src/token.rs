//! Token verification: no function runs without a valid token.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use platform::claims::Claims;

use crate::error::{FunctionError, Result};
use crate::state::Shared;

/// Tolerated clock skew between two machines.
const SKEW_SECONDS: i64 = 30;

/// A token with a valid signature and timestamps: an API key or an account's token.
pub struct Bearer {
    pub token: String,
    pub claims: Claims,
}

impl FromRequestParts<Shared> for Bearer {
    type Rejection = FunctionError;

    async fn from_request_parts(parts: &mut Parts, functions: &Shared) -> Result<Self> {
        let refused = |reason| FunctionError::by_platform(StatusCode::UNAUTHORIZED, reason);
        let token = bearer(&parts.headers).ok_or_else(|| refused("Missing authorization header"))?;
        let claims = functions.config.jwt.verify(token).map_err(|_| refused("Invalid JWT"))?;
        let now = functions.config.clock.now().timestamp();
        if claims.seconds("exp").is_some_and(|end| end + SKEW_SECONDS <= now) {
            return Err(refused("JWT expired"));
        }
        if claims.seconds("nbf").is_some_and(|start| start > now + SKEW_SECONDS) {
            return Err(refused("JWT not yet valid"));
        }
        Ok(Self { token: token.to_owned(), claims })
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let usable =
        scheme.eq_ignore_ascii_case("bearer") && !token.is_empty() && !token.contains(char::is_whitespace);
    usable.then_some(token)
}
