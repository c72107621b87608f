//! Signs and verifies tokens: HS256 with the secret shared by all services and, when signing keys are
//! configured, ES256 for accounts.
//!
//! A token's header selects one of our keys, but never the algorithm used with it: HS256 goes with the secret
//! and has no `kid`, ES256 goes with the key that `kid` names. Everything else is rejected.
//!
//! Only the signature and the audience are checked here; `bearer` also checks the timestamps.

pub mod key_set;
mod previous_secrets;
pub mod ring_provider;
mod signing_keys;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use serde_json::{Value, json};

use self::key_set::{Key, KeySet};
use self::signing_keys::SigningKeys;

use crate::claims::Claims;
use crate::env::{ConfigError, Env};
use crate::secret::Secret;
use crate::token::{self, TokenError};

/// The audience of account tokens. The anon key and the service key have none.
const AUDIENCE: &str = "authenticated";

/// 2020-01-01 and 2100-01-01. The anon key and the service key are configuration, revoked by changing the secret.
/// Fixed dates make them the same at every start.
const KEY_ISSUED: i64 = 1_577_836_800;
const KEY_EXPIRES: i64 = 4_102_444_800;

#[derive(Clone)]
pub struct JwtKeys {
    secret: Secret,
    encoding: EncodingKey,
    /// The secrets that are being replaced.
    previous: Vec<Secret>,
    signing: SigningKeys,
    verifying: KeySet,
}

pub use self::previous_secrets::MIN_SECRET_BYTES;
pub use self::signing_keys::generate as generate_signing_key;
pub use jsonwebtoken::errors::Error as SigningError;

impl JwtKeys {
    /// # Errors
    /// Fails when `JWT_SECRET` is missing or shorter than [`MIN_SECRET_BYTES`], or when `JWT_PREVIOUS_SECRETS` or
    /// `JWT_SIGNING_KEYS` is invalid.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let secret = Secret::new(env.required("JWT_SECRET")?);
        Self::new(secret, previous_secrets::from_env(env)?, SigningKeys::from_env(env)?)
    }

    /// For the service that issues account tokens.
    ///
    /// # Errors
    /// See [`JwtKeys::from_env`]. Also fails when the first signing key has no private key.
    pub fn of_issuer(env: &Env) -> Result<Self, ConfigError> {
        let keys = Self::from_env(env)?;
        if keys.signing.are_configured() && keys.signing.signer().is_none() {
            return Err(ConfigError::new(signing_keys::VARIABLE, "the first key signs, and needs its `d`"));
        }
        Ok(keys)
    }

    /// # Errors
    /// Fails when the secret is shorter than [`MIN_SECRET_BYTES`].
    pub fn from_secret(secret: Secret) -> Result<Self, ConfigError> {
        Self::new(secret, Vec::new(), SigningKeys::default())
    }

    fn new(secret: Secret, previous: Vec<Secret>, signing: SigningKeys) -> Result<Self, ConfigError> {
        previous_secrets::check_length("JWT_SECRET", &secret)?;
        ring_provider::install();
        let secrets = std::iter::once(&secret).chain(&previous).map(|secret| secret.expose().as_bytes());
        let verifying = KeySet(secrets.map(Key::from_secret).chain(signing.verifying()).collect());
        let encoding = EncodingKey::from_secret(secret.expose().as_bytes());
        Ok(Self { secret, encoding, previous, signing, verifying })
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The secrets that are being replaced.
    pub fn previous_secrets(&self) -> impl Iterator<Item = &Secret> {
        self.previous.iter()
    }

    /// # Errors
    /// Fails when the claims can't be serialized.
    pub fn sign(&self, claims: &impl Serialize) -> Result<String, SigningError> {
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), claims, &self.encoding)
    }

    /// Signs an account's token, so that others can verify it without being able to issue one.
    ///
    /// # Errors
    /// See [`JwtKeys::sign`].
    pub fn sign_for_account(&self, claims: &impl Serialize) -> Result<String, SigningError> {
        match self.signing.signer() {
            Some((header, key)) => jsonwebtoken::encode(&header, claims, key),
            None => self.sign(claims),
        }
    }

    /// The claims of a token with a valid signature and our audience. The timestamps are not checked.
    ///
    /// # Errors
    /// Fails when the token is malformed, uses another algorithm or key, or has another audience.
    pub fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        let header = token::header(token)?;
        let claims = match (header.alg, &header.kid) {
            (Algorithm::HS256, None) | (Algorithm::ES256, Some(_)) => {
                self.verifying.decode(token, &header)?
            }
            (Algorithm::HS256 | Algorithm::ES256, _) => return Err(TokenError::Signature),
            _ => return Err(TokenError::Algorithm),
        };
        let is_ours = token::audiences(&claims)?.is_none_or(|audiences| audiences.contains(&AUDIENCE));
        if is_ours { Ok(claims) } else { Err(TokenError::WrongAudience) }
    }

    /// The public keys as a JSON Web Key Set. The shared secret is not included.
    pub fn public_keys(&self) -> Value {
        json!({ "keys": self.signing.public_keys() })
    }

    /// All verification keys in the format of PostgREST's setting: the secret, or a JSON Web Key Set with every secret.
    pub fn verifying_keys(&self) -> Secret {
        if !self.signing.are_configured() && self.previous.is_empty() {
            return self.secret.clone();
        }
        let mut keys = self.signing.public_keys();
        for secret in std::iter::once(&self.secret).chain(self.previous_secrets()) {
            let secret = URL_SAFE_NO_PAD.encode(secret.expose());
            keys.push(json!({ "kty": "oct", "k": secret, "alg": "HS256", "use": "sig" }));
        }
        Secret::new(json!({ "keys": keys }).to_string())
    }

    /// Creates the key for browsers (`anon`) or for trusted services (`service_role`). A secret always creates the
    /// same keys.
    ///
    /// # Errors
    /// See [`JwtKeys::sign`].
    pub fn role_key(&self, role: &str) -> Result<String, SigningError> {
        self.sign(&json!({ "iss": "serasi", "role": role, "iat": KEY_ISSUED, "exp": KEY_EXPIRES }))
    }
}

#[cfg(test)]
mod tests;
