//! The checks of tokens that all services share: the format, the signature, the timestamps, the audience.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use serde_json::Value;

use crate::claims::Claims;

/// Tolerated clock skew between two machines.
const SKEW_SECONDS: i64 = 30;

/// Why a token is rejected. Each API has its own messages for these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("token has {0} parts instead of 3")]
    Parts(usize),
    /// The header or the signature can't be decoded.
    #[error("token is malformed")]
    Malformed,
    #[error("token is unsigned")]
    Unsigned,
    #[error("token has an unsupported algorithm")]
    Algorithm,
    /// None of our keys verifies the signature.
    #[error("token signature is invalid")]
    Signature,
    #[error("token has unreadable claims")]
    UnreadableClaims,
    #[error("token has a {0} claim that is not a number")]
    NotANumber(&'static str),
    #[error("token has an aud claim that is neither a string nor an array of strings")]
    BadAudience,
    #[error("token has invalid audience")]
    WrongAudience,
    #[error("token is expired")]
    Expired,
    #[error("token is not valid yet")]
    NotYetValid,
    #[error("token was issued in the future")]
    IssuedInFuture,
}

/// The header names the algorithm and the key. It is not trustworthy before [`decode`].
pub(crate) fn header(token: &str) -> Result<Header, TokenError> {
    let parts = token.split('.').count();
    if parts != 3 {
        return Err(TokenError::Parts(parts));
    }
    jsonwebtoken::decode_header(token).map_err(|_| match is_unsigned(token) {
        true => TokenError::Unsigned,
        false => TokenError::Malformed,
    })
}

/// `alg: none`, in any letter case.
fn is_unsigned(token: &str) -> bool {
    let header = token.split('.').next().and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let header: Option<Value> = header.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    header
        .and_then(|header| Some(header.get("alg")?.as_str()?.eq_ignore_ascii_case("none")))
        .unwrap_or_default()
}

/// The claims of a token that `key` signed. They are not checked.
pub(crate) fn decode(token: &str, algorithm: Algorithm, key: &DecodingKey) -> Result<Claims, TokenError> {
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_nbf, validation.validate_aud) = (false, false, false);
    match jsonwebtoken::decode(token, key, &validation) {
        Ok(decoded) => Ok(decoded.claims),
        Err(error) => Err(match error.kind() {
            ErrorKind::Json(_) | ErrorKind::Utf8(_) => TokenError::UnreadableClaims,
            ErrorKind::Base64(_) => TokenError::Malformed,
            _ => TokenError::Signature,
        }),
    }
}

/// The audiences of `aud`. `None`: the token has no particular audience.
///
/// # Errors
/// Fails when `aud` is neither a string nor a list of strings, which jsonwebtoken ignores.
pub fn audiences(claims: &Claims) -> Result<Option<Vec<&str>>, TokenError> {
    match claims.0.get("aud") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(audience)) => Ok(Some(vec![audience])),
        Some(Value::Array(audiences)) => {
            let audiences: Option<_> = audiences.iter().map(Value::as_str).collect();
            audiences.ok_or(TokenError::BadAudience).map(Some)
        }
        Some(_) => Err(TokenError::BadAudience),
    }
}

/// When a token is valid. Without a timestamp, it has no limit in that direction.
#[derive(Debug, Clone, Copy, Default)]
pub struct Times {
    expires: Option<i64>,
    not_before: Option<i64>,
    issued: Option<i64>,
}

impl Times {
    /// # Errors
    /// Fails when a timestamp is not a number.
    pub fn of(claims: &Claims) -> Result<Self, TokenError> {
        let number = |name| match claims.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Number(_)) => Ok(claims.seconds(name)),
            Some(_) => Err(TokenError::NotANumber(name)),
        };
        Ok(Self { expires: number("exp")?, not_before: number("nbf")?, issued: number("iat")? })
    }

    /// When the token was issued, in seconds since 1970.
    pub fn issued(&self) -> Option<i64> {
        self.issued
    }

    /// The claim that made [`Self::check`] or [`Self::check_issued`] fail, and its time.
    pub fn claim(&self, error: &TokenError) -> Option<(&'static str, i64)> {
        let (name, time) = match error {
            TokenError::Expired => ("exp", self.expires),
            TokenError::NotYetValid => ("nbf", self.not_before),
            TokenError::IssuedInFuture => ("iat", self.issued),
            _ => return None,
        };
        Some((name, time?))
    }

    /// PostgREST's rule: a token is valid up to and including 30 seconds before `nbf` and after `exp`.
    ///
    /// # Errors
    /// Fails outside of that time.
    pub fn check(&self, now: i64) -> Result<(), TokenError> {
        if self.expires.is_some_and(|expires| now - SKEW_SECONDS > expires) {
            return Err(TokenError::Expired);
        }
        if self.not_before.is_some_and(|start| now + SKEW_SECONDS < start) {
            return Err(TokenError::NotYetValid);
        }
        Ok(())
    }

    /// PostgREST and Supabase Auth also check when a token was issued. The libraries of Supabase Storage and of
    /// the functions don't.
    ///
    /// # Errors
    /// Fails when that is more than 30 seconds from now.
    pub fn check_issued(&self, now: i64) -> Result<(), TokenError> {
        if self.issued.is_some_and(|issued| now + SKEW_SECONDS < issued) {
            return Err(TokenError::IssuedInFuture);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn check(claims: Value) -> Result<(), TokenError> {
        let times = Times::of(&serde_json::from_value(claims).unwrap())?;
        times.check(NOW).and_then(|()| times.check_issued(NOW))
    }

    #[test]
    fn timestamps_are_checked_to_the_second() {
        assert_eq!(check(json!({})), Ok(()));
        assert_eq!(check(json!({ "exp": null })), Ok(()));
        assert_eq!(check(json!({ "exp": NOW - 30 })), Ok(()));
        assert_eq!(check(json!({ "exp": NOW as f64 - 29.5 })), Ok(()));
        assert_eq!(check(json!({ "exp": NOW - 31 })), Err(TokenError::Expired));
        assert_eq!(check(json!({ "nbf": NOW + 30, "iat": NOW + 30 })), Ok(()));
        assert_eq!(check(json!({ "nbf": NOW + 31 })), Err(TokenError::NotYetValid));
        assert_eq!(check(json!({ "iat": NOW + 31 })), Err(TokenError::IssuedInFuture));
    }

    #[test]
    fn extreme_timestamps_do_not_overflow() {
        assert_eq!(check(json!({ "exp": i64::MAX, "nbf": i64::MIN, "iat": i64::MIN })), Ok(()));
        assert_eq!(check(json!({ "exp": i64::MIN })), Err(TokenError::Expired));
        assert_eq!(check(json!({ "exp": u64::MAX })), Ok(()));
        assert_eq!(check(json!({ "nbf": 1e300 })), Err(TokenError::NotYetValid));
    }

    #[test]
    fn timestamps_that_are_not_numbers_are_rejected() {
        for name in ["exp", "nbf", "iat"] {
            assert_eq!(check(json!({ name: "soon" })), Err(TokenError::NotANumber(name)));
        }
    }
}
