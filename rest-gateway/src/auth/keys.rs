//! Keys that verify token signatures.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation};
use platform::env::ConfigError;
use serde_json::{Map, Value};

use super::error::JwtError;
use crate::config::jwt::JwtSecret;

pub struct Keys(Vec<Key>);

struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

impl Keys {
    /// # Errors
    /// When a JSON Web Key is malformed or of an unsupported type.
    pub fn new(secret: &JwtSecret) -> Result<Self, ConfigError> {
        let symmetric = |bytes: &[u8]| {
            Self(vec![Key {
                id: None,
                algorithms: vec![Algorithm::HS256],
                key: DecodingKey::from_secret(bytes),
            }])
        };
        match secret {
            JwtSecret::Text(text) => Ok(symmetric(text.expose().as_bytes())),
            JwtSecret::Bytes(bytes) => Ok(symmetric(&bytes.0)),
            JwtSecret::Keys(json) => {
                let problem =
                    || ConfigError::new("PGRST_JWT_SECRET", "is not a usable JSON Web Key or set of keys");
                let keys = match serde_json::from_str::<JwkSet>(json.expose()) {
                    Ok(set) => set.keys,
                    Err(_) => vec![serde_json::from_str::<Jwk>(json.expose()).map_err(|_| problem())?],
                };
                keys.iter()
                    .map(|key| Key::from_jwk(key).ok_or_else(problem))
                    .collect::<Result<_, _>>()
                    .map(Self)
            }
        }
    }

    /// Returns the claims if one of the keys signed the token.
    pub fn verify(&self, token: &str) -> Result<Map<String, Value>, JwtError> {
        let parts = token.split('.').count();
        if parts != 3 {
            return Err(JwtError::Parts(parts));
        }
        let header = read_header(token)?;
        let candidates = self.0.iter().filter(|key| {
            key.algorithms.contains(&header.alg) && (header.kid.is_none() || key.id == header.kid)
        });
        for key in candidates {
            match jsonwebtoken::decode::<Map<String, Value>>(token, &key.key, &validation(header.alg)) {
                Ok(data) => return Ok(data.claims),
                Err(error) => match error.kind() {
                    ErrorKind::Json(_) | ErrorKind::Utf8(_) => return Err(JwtError::UnreadableClaims),
                    ErrorKind::Base64(_) => return Err(JwtError::BadCrypto),
                    _ => {}
                },
            }
        }
        Err(JwtError::WrongKey)
    }
}

impl Key {
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

/// Checks the signature only. The authenticator checks the claims.
fn validation(algorithm: Algorithm) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.required_spec_claims.clear();
    (validation.validate_exp, validation.validate_nbf, validation.validate_aud) = (false, false, false);
    validation
}

fn read_header(token: &str) -> Result<Header, JwtError> {
    match jsonwebtoken::decode_header(token) {
        Ok(header) => Ok(header),
        Err(_) if is_unsecured(token) => {
            Err(JwtError::BadAlgorithm("JWT is unsecured but expected 'alg' was not 'none'"))
        }
        Err(_) => Err(JwtError::BadCrypto),
    }
}

/// `alg: none`, in any letter case, means that the token is unsigned.
fn is_unsecured(token: &str) -> bool {
    let header = token.split('.').next().and_then(|part| URL_SAFE_NO_PAD.decode(part).ok());
    let header: Option<Value> = header.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    header
        .and_then(|header| Some(header.get("alg")?.as_str()?.eq_ignore_ascii_case("none")))
        .unwrap_or_default()
}
