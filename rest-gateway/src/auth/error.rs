//! PGRST3xx: JWT errors.

use axum::http::{StatusCode, header};
use platform::token::TokenError;

use crate::error_body::{ErrorBody, Rejection};

pub fn secret_missing() -> Rejection {
    ErrorBody::new(StatusCode::INTERNAL_SERVER_ERROR, "PGRST300", "Server lacks JWT secret")
}

pub fn token_required() -> Rejection {
    ErrorBody::new(StatusCode::UNAUTHORIZED, "PGRST302", "Anonymous access is disabled")
        .header(header::WWW_AUTHENTICATE, "Bearer")
}

pub fn empty_token() -> Rejection {
    unauthorized("PGRST301", "Empty JWT is sent in Authorization header")
}

impl From<TokenError> for Rejection {
    fn from(error: TokenError) -> Self {
        let message = message(error);
        match error {
            TokenError::Signature | TokenError::Algorithm => {
                unauthorized("PGRST301", &message).details("None of the keys was able to decode the JWT")
            }
            TokenError::Unsigned => unauthorized("PGRST301", &message)
                .details("JWT is unsecured but expected 'alg' was not 'none'"),
            TokenError::Parts(_) | TokenError::Malformed => unauthorized("PGRST301", &message),
            _ => unauthorized("PGRST303", &message),
        }
    }
}

fn unauthorized(code: &str, message: &str) -> Rejection {
    let challenge = format!("Bearer error=\"invalid_token\", error_description=\"{message}\"");
    ErrorBody::new(StatusCode::UNAUTHORIZED, code, message).header(header::WWW_AUTHENTICATE, challenge)
}

pub fn message(error: TokenError) -> String {
    match error {
        TokenError::Parts(found) => format!("Expected 3 parts in JWT; got {found}"),
        TokenError::Signature | TokenError::Algorithm => "No suitable key or wrong key type".to_owned(),
        TokenError::Unsigned => "Wrong or unsupported encoding algorithm".to_owned(),
        TokenError::Malformed => "JWT cryptographic operation failed".to_owned(),
        TokenError::UnreadableClaims => "Parsing claims failed".to_owned(),
        TokenError::Expired => "JWT expired".to_owned(),
        TokenError::NotYetValid => "JWT not yet valid".to_owned(),
        TokenError::IssuedInFuture => "JWT issued at future".to_owned(),
        TokenError::WrongAudience => "JWT not in audience".to_owned(),
        TokenError::NotANumber(claim) => format!("The JWT '{claim}' claim must be a number"),
        TokenError::BadAudience => "The JWT 'aud' claim must be a string or an array of strings".to_owned(),
    }
}
