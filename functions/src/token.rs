//! Token verification: no function runs without a valid token.

use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use platform::bearer;
use platform::claims::Claims;
use platform::token::TokenError;

use crate::error::{FunctionError, Result};
use crate::state::Shared;

/// A token with a valid signature and timestamps: an API key or an account's token.
pub struct Bearer {
    pub token: String,
    pub claims: Claims,
}

impl FromRequestParts<Shared> for Bearer {
    type Rejection = FunctionError;

    async fn from_request_parts(parts: &mut Parts, functions: &Shared) -> Result<Self> {
        let refused = |reason| FunctionError::by_platform(StatusCode::UNAUTHORIZED, reason);
        let token = bearer::token(&parts.headers).ok_or_else(|| refused("Missing authorization header"))?;
        let config = &functions.config;
        let claims = bearer::verify(token, &config.jwt, &config.clock).map_err(|error| match error {
            TokenError::Expired => refused("JWT expired"),
            TokenError::NotYetValid => refused("JWT not yet valid"),
            _ => refused("Invalid JWT"),
        })?;
        Ok(Self { token: token.to_owned(), claims })
    }
}
