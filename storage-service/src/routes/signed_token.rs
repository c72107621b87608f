//! Tokens of signed URLs. Each grants access to one object. They have no role, so they can't authenticate a
//! caller.

use platform::claims::Claims;
use platform::token::TokenError;
use serde::{Deserialize, Serialize};

use super::json_body::at_least;
use super::object_target::ObjectTarget;
use crate::caller::fault;
use crate::error::{ApiError, Result};
use crate::render::options::Transformation;
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
    owner: Option<&'a str>,
    /// Bucket and key.
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    upsert: Option<bool>,
    /// The image's transformation.
    #[serde(skip_serializing_if = "Option::is_none")]
    transformations: Option<String>,
    scope: Scope,
    iat: i64,
    exp: i64,
}

/// `?token=`
#[derive(Deserialize)]
pub struct TokenQuery {
    pub token: String,
}

pub fn no_token() -> ApiError {
    ApiError::Schema("querystring must have required property 'token'".to_owned())
}

impl<'a> SignedClaims<'a> {
    pub fn download(
        bucket: &str,
        key: &str,
        transformation: Option<&Transformation>,
        now: i64,
        life: i64,
    ) -> Self {
        let url = format!("{bucket}/{key}");
        Self {
            owner: None,
            url,
            upsert: None,
            transformations: transformation.map(Transformation::to_text),
            scope: Scope::Download,
            iat: now,
            exp: now.saturating_add(life),
        }
    }

    pub fn upload(
        bucket: &str,
        key: &str,
        owner: Option<&'a str>,
        upsert: bool,
        now: i64,
        life: i64,
    ) -> Self {
        let url = format!("{bucket}/{key}");
        Self {
            owner,
            url,
            upsert: Some(upsert),
            transformations: None,
            scope: Scope::Upload,
            iat: now,
            exp: now.saturating_add(life),
        }
    }

    pub fn sign(&self, state: &AppState) -> Result<String> {
        state.keys.sign(self).map_err(|error| ApiError::Internal(error.into()))
    }
}

/// Verifies the signature, then the scope, the object and the expiry.
pub fn verify(state: &AppState, token: &str, scope: Scope, target: &ObjectTarget) -> Result<Claims> {
    let invalid = |error| ApiError::InvalidJwt(fault(error));
    let claims = state.keys.verify(token).map_err(invalid)?;
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
