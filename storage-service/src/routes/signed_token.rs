//! Tokens of signed URLs. Each grants access to one object. They have no role, so they can't authenticate a
//! caller.

use axum::http::Uri;
use platform::claims::Claims;
use platform::token::TokenError;
use serde::{Deserialize, Serialize};

use super::download::query;
use super::json_body::at_least;
use super::object_target::ObjectTarget;
use crate::caller::fault;
use crate::error::{ApiError, Result};
use crate::state::AppState;

/// One year, in seconds.
const MAX_LIFE_SECONDS: i64 = 365 * 24 * 3600;

/// # Errors
/// Fails when the lifetime is too long or not positive.
pub fn life(seconds: i64) -> Result<i64> {
    match at_least(1, "expiresIn", seconds)? {
        seconds if seconds > MAX_LIFE_SECONDS => {
            Err(ApiError::Schema(format!("body/expiresIn must be <= {MAX_LIFE_SECONDS} (one year)")))
        }
        seconds => Ok(seconds),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    Download,
    Upload,
}

#[derive(Serialize)]
pub struct SignedClaims<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<&'a str>,
    /// Bucket and key.
    pub url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upsert: Option<bool>,
    /// The image's transformation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transformations: Option<String>,
    pub scope: Scope,
    pub iat: i64,
    pub exp: i64,
}

#[derive(Deserialize)]
struct TokenQuery {
    token: String,
}

/// Verifies the signature of the token in a URL's query, then the scope, the object and the expiry.
pub fn verify(state: &AppState, uri: &Uri, scope: Scope, target: &ObjectTarget) -> Result<Claims> {
    let no_token = |_| ApiError::Schema("querystring must have required property 'token'".to_owned());
    let TokenQuery { token } = query(uri).map_err(no_token)?;
    let invalid = |error| ApiError::InvalidJwt(fault(error));
    let claims = state.keys.verify(&token).map_err(invalid)?;
    let (wanted, wrong_scope) = match scope {
        Scope::Download => ("download", "Token is not scoped for download"),
        Scope::Upload => ("upload", "Token is not scoped for upload"),
    };
    if claims.text("scope") != Some(wanted) {
        return Err(ApiError::InvalidSignature(wrong_scope));
    }
    if claims.text("url") != Some(&format!("{}/{}", target.bucket, target.key)) {
        return Err(ApiError::InvalidSignature("Invalid signature"));
    }
    // We never issue tokens without an expiry.
    if claims.seconds("exp").is_none_or(|end| end <= state.clock.now().timestamp()) {
        return Err(invalid(TokenError::Expired));
    }
    // Rejects tokens issued before the maximum lifetime was introduced.
    let began = claims.seconds("iat").unwrap_or_default();
    if claims.seconds("exp").is_some_and(|end| end.saturating_sub(began) > MAX_LIFE_SECONDS) {
        return Err(ApiError::InvalidJwt("the signed URL is valid for more than a year, sign another one"));
    }
    Ok(claims)
}
