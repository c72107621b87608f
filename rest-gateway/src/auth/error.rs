//! PGRST3xx: JWT errors.

use axum::http::{StatusCode, header};

use crate::error_body::ErrorBody;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JwtError {
    SecretMissing,
    TokenRequired,
    EmptyToken,
    Parts(usize),
    /// None of the configured keys verifies the signature.
    WrongKey,
    BadAlgorithm(&'static str),
    BadCrypto,
    UnreadableClaims,
    Expired,
    NotYetValid,
    IssuedInFuture,
    NotInAudience,
    NotANumber(&'static str),
    BadAudience,
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
            Self::WrongKey => unauthorized("PGRST301").details("None of the keys was able to decode the JWT"),
            Self::BadAlgorithm(details) => unauthorized("PGRST301").details(*details),
            Self::EmptyToken | Self::Parts(_) | Self::BadCrypto => unauthorized("PGRST301"),
            _ => unauthorized("PGRST303"),
        }
    }

    fn message(&self) -> String {
        match self {
            Self::SecretMissing => "Server lacks JWT secret".to_owned(),
            Self::TokenRequired => "Anonymous access is disabled".to_owned(),
            Self::EmptyToken => "Empty JWT is sent in Authorization header".to_owned(),
            Self::Parts(found) => format!("Expected 3 parts in JWT; got {found}"),
            Self::WrongKey => "No suitable key or wrong key type".to_owned(),
            Self::BadAlgorithm(_) => "Wrong or unsupported encoding algorithm".to_owned(),
            Self::BadCrypto => "JWT cryptographic operation failed".to_owned(),
            Self::UnreadableClaims => "Parsing claims failed".to_owned(),
            Self::Expired => "JWT expired".to_owned(),
            Self::NotYetValid => "JWT not yet valid".to_owned(),
            Self::IssuedInFuture => "JWT issued at future".to_owned(),
            Self::NotInAudience => "JWT not in audience".to_owned(),
            Self::NotANumber(claim) => format!("The JWT '{claim}' claim must be a number"),
            Self::BadAudience => "The JWT 'aud' claim must be a string or an array of strings".to_owned(),
        }
    }
}
