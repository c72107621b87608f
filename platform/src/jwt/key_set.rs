//! Keys that verify tokens of any issuer, as PostgREST accepts them: a secret, a JSON Web Key or a set of
//! keys.

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Header};

use super::ring_provider;
use crate::claims::Claims;
use crate::token::{self, TokenError};

#[derive(Clone)]
pub struct KeySet(pub(super) Vec<Key>);

#[derive(Clone)]
pub(super) struct Key {
    pub id: Option<String>,
    pub algorithms: Vec<Algorithm>,
    pub key: DecodingKey,
}

impl KeySet {
    pub fn from_secret(secret: &[u8]) -> Self {
        Self(vec![Key::from_secret(secret)])
    }

    /// `None` when a key is malformed or of an unsupported type.
    pub fn from_json(json: &str) -> Option<Self> {
        let keys = match serde_json::from_str::<JwkSet>(json) {
            Ok(set) => set.keys,
            Err(_) => vec![serde_json::from_str::<Jwk>(json).ok()?],
        };
        keys.iter().map(Key::from_jwk).collect::<Option<_>>().map(Self)
    }

    /// The claims, if one of the keys signed the token. They are not checked.
    ///
    /// # Errors
    /// Fails when the token is malformed or of another issuer.
    pub fn verify(&self, token: &str) -> Result<Claims, TokenError> {
        ring_provider::install();
        self.decode(token, &token::header(token)?)
    }

    /// See [`KeySet::verify`].
    pub(super) fn decode(&self, token: &str, header: &Header) -> Result<Claims, TokenError> {
        let candidates = self.0.iter().filter(|key| {
            key.algorithms.contains(&header.alg) && (header.kid.is_none() || key.id == header.kid)
        });
        for key in candidates {
            match token::decode(token, header.alg, &key.key) {
                Err(TokenError::Signature) => {}
                decided => return decided,
            }
        }
        Err(TokenError::Signature)
    }
}

impl Key {
    pub(super) fn from_secret(secret: &[u8]) -> Self {
        Self { id: None, algorithms: vec![Algorithm::HS256], key: DecodingKey::from_secret(secret) }
    }

    fn from_jwk(jwk: &Jwk) -> Option<Self> {
        use Algorithm as A;
        let algorithms = match &jwk.algorithm {
            AlgorithmParameters::OctetKey(_) => vec![A::HS256, A::HS384, A::HS512],
            AlgorithmParameters::RSA(_) => vec![A::RS256, A::RS384, A::RS512, A::PS256, A::PS384, A::PS512],
            AlgorithmParameters::EllipticCurve(_) => vec![A::ES256, A::ES384],
            AlgorithmParameters::OctetKeyPair(_) => vec![A::EdDSA],
            _ => return None,
        };
        Some(Self { id: jwk.common.key_id.clone(), algorithms, key: DecodingKey::from_jwk(jwk).ok()? })
    }
}
