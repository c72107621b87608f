//! Signing and verifying tokens (HS256) with the one secret that all services share.
//! Only the signature is judged here: each API words a missing or stale claim in its own way.

use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::Serialize;
use serde_json::json;

use crate::claims::Claims;
use crate::clock::Clock;
use crate::env::{ConfigError, Env};
use crate::secret::Secret;

/// Shorter secrets can be guessed offline from any token.
pub const MIN_SECRET_BYTES: usize = 32;

/// Ten years: the public and the service key are settings, replaced by changing the secret.
const KEY_LIFE_SECONDS: i64 = 10 * 365 * 24 * 3600;

#[derive(Clone)]
pub struct JwtKeys {
    secret: Secret,
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

pub use jsonwebtoken::errors::{Error as JwtError, ErrorKind as JwtErrorKind};

impl JwtKeys {
    /// # Errors
    /// When `JWT_SECRET` is absent or shorter than [`MIN_SECRET_BYTES`].
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        Self::from_secret(Secret::new(env.required("JWT_SECRET")?))
    }

    /// # Errors
    /// When the secret is shorter than [`MIN_SECRET_BYTES`].
    pub fn from_secret(secret: Secret) -> Result<Self, ConfigError> {
        let bytes = secret.expose().as_bytes();
        if bytes.len() < MIN_SECRET_BYTES {
            return Err(ConfigError::new(
                "JWT_SECRET",
                format!("needs at least {MIN_SECRET_BYTES} bytes, has {}", bytes.len()),
            ));
        }
        let mut validation = Validation::new(Algorithm::HS256);
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_nbf, validation.validate_aud) = (false, false, false);
        Ok(Self {
            encoding: EncodingKey::from_secret(bytes),
            decoding: DecodingKey::from_secret(bytes),
            validation,
            secret,
        })
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// # Errors
    /// When the claims can't be written as JSON.
    pub fn sign(&self, claims: &impl Serialize) -> Result<String, JwtError> {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.encoding)
    }

    /// The claims of a token whose signature is right. `exp`, `nbf`, `aud` are the caller's to check.
    ///
    /// # Errors
    /// When the token is malformed, of another algorithm or signed with another key.
    pub fn verify(&self, token: &str) -> Result<Claims, JwtError> {
        jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation).map(|data| data.claims)
    }

    /// The key a browser carries (`anon`) or a trusted service (`service_role`).
    ///
    /// # Errors
    /// As [`JwtKeys::sign`].
    pub fn role_key(&self, role: &str, clock: &Clock) -> Result<String, JwtError> {
        let now = clock.now().timestamp();
        self.sign(&json!({ "iss": "serasi", "role": role, "iat": now, "exp": now + KEY_LIFE_SECONDS }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(letter: &str) -> JwtKeys {
        JwtKeys::from_secret(Secret::new(letter.repeat(32))).unwrap()
    }

    #[test]
    fn a_short_secret_is_refused() {
        assert!(JwtKeys::from_secret(Secret::new("x".repeat(31))).is_err());
    }

    #[test]
    fn only_our_own_signature_is_accepted() {
        let token = keys("a").role_key("anon", &Clock::system()).unwrap();
        assert_eq!(keys("a").verify(&token).unwrap().role(), Some("anon"));
        assert_eq!(keys("b").verify(&token).unwrap_err().kind(), &JwtErrorKind::InvalidSignature);
    }

    #[test]
    fn an_unsigned_token_is_refused() {
        // {"alg":"none"}.{"role":"service_role"}.
        let token = "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.";
        assert!(keys("a").verify(token).is_err());
    }
}
