//! PGRST3xx: JWT errors.

use axum::http::{StatusCode, header};
use platform::token::TokenError;

use crate::error_body::ErrorBody;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JwtError {
    SecretMissing,
    TokenRequired,
    EmptyToken,
    Invalid(TokenError),
}

impl From<TokenError> for JwtError {
    fn from(error: TokenError) -> Self {
        Self::Invalid(error)
    }
}

impl JwtError {
    pub fn error_body(&self) -> ErrorBody {
        let message = self.message();
        let unauthorized = |code| {
            ErrorBody::new(StatusCode::UNAUTHORIZED, code, message.as_str()).header(
                header::WWW_AUTHENTICATE,
                format!("Bearer error=\"invalid_token\", error_description=\"{message}\""),
            )
        };
        match self {
            Self::SecretMissing => ErrorBody::new(StatusCode::INTERNAL_SERVER_ERROR, "PGRST300", message),
            Self::TokenRequired => ErrorBody::new(StatusCode::UNAUTHORIZED, "PGRST302", message)
                .header(header::WWW_AUTHENTICATE, "Bearer"),
            Self::EmptyToken => unauthorized("PGRST301"),
            Self::Invalid(error) => match error {
                TokenError::Signature | TokenError::Algorithm => {
                    unauthorized("PGRST301").details("None of the keys was able to decode the JWT")
                }
                TokenError::Unsigned => {
                    unauthorized("PGRST301").details("JWT is unsecured but expected 'alg' was not 'none'")
                }
                TokenError::Parts(_) | TokenError::Malformed => unauthorized("PGRST301"),
                _ => unauthorized("PGRST303"),
            },
        }
    }

    pub(super) fn message(&self) -> String {
        match self {
            Self::SecretMissing => "Server lacks JWT secret".to_owned(),
            Self::TokenRequired => "Anonymous access is disabled".to_owned(),
            Self::EmptyToken => "Empty JWT is sent in Authorization header".to_owned(),
            Self::Invalid(error) => invalid(error),
        }
    }
}

fn invalid(error: &TokenError) -> String {
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
