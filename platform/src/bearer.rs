//! Bearer tokens of requests: read from the header, verified, and checked against the clock.

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;

use crate::claims::Claims;
use crate::clock::Clock;
use crate::jwt::JwtKeys;
use crate::token::{Times, TokenError};

/// The text after `Bearer`, even if it is empty or can't be a token. Other schemes are ignored.
pub fn credentials(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ').unwrap_or((value, ""));
    scheme.eq_ignore_ascii_case("bearer").then_some(token)
}

/// The token, as strictly as Supabase Auth reads it: after one space, without further spaces.
pub fn token(headers: &HeaderMap) -> Option<&str> {
    credentials(headers).filter(|token| !token.is_empty() && !token.contains(char::is_whitespace))
}

/// The claims of one of our tokens that is currently valid. `iat` is not checked, see
/// [`Times::check_issued`].
///
/// # Errors
/// The error names what is wrong with the token.
pub fn verify(token: &str, keys: &JwtKeys, clock: &Clock) -> Result<Claims, TokenError> {
    let claims = keys.verify(token)?;
    Times::of(&claims)?.check(clock.now().timestamp())?;
    Ok(claims)
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderValue;
    use serde_json::json;

    use super::*;
    use crate::secret::Secret;

    #[test]
    fn the_header_is_read_leniently_or_strictly() {
        for (value, lenient, strict) in [
            ("Bearer a.b", Some("a.b"), Some("a.b")),
            ("bEARER a.b", Some("a.b"), Some("a.b")),
            ("Bearer  a.b", Some(" a.b"), None),
            ("Bearer a b", Some("a b"), None),
            ("Bearer ", Some(""), None),
            ("Bearer", Some(""), None),
            ("Basic YTpi", None, None),
            ("", None, None),
        ] {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))]);
            assert_eq!((credentials(&headers), token(&headers)), (lenient, strict), "{value:?}");
        }
        assert_eq!(credentials(&HeaderMap::new()), None);
    }

    #[test]
    fn a_signed_token_is_valid_until_it_expires() {
        let (keys, clock) = (JwtKeys::from_secret(Secret::new("a".repeat(32))).unwrap(), Clock::system());
        let clock = Clock::fixed(clock.now());
        let token = keys.sign(&json!({ "sub": "x", "exp": clock.now().timestamp() + 60 })).unwrap();
        assert_eq!(verify(&token, &keys, &clock).unwrap().text("sub"), Some("x"));
        clock.advance(chrono::TimeDelta::seconds(91));
        assert_eq!(verify(&token, &keys, &clock), Err(TokenError::Expired));
        assert_eq!(verify("a.b", &keys, &clock), Err(TokenError::Parts(2)));
    }
}
