//! Asymmetric keys (ES256) for account tokens: holders of the public keys can verify tokens but not issue
//! them.
//!
//! `JWT_SIGNING_KEYS` is a JSON Web Key Set on P-256, or `@` followed by a file name. The first key signs,
//! all of them verify. To rotate, append the new key, move it to the front once all services have loaded it
//! (public-key responses are cached for ten minutes), and remove the old key once its last token has expired.
//! Services that only verify need only the public keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use ring::agreement::{self, ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use serde::Deserialize;
use serde_json::{Value, json};

use super::key_set::Key;
use super::ring_provider;
use crate::env::{ConfigError, Env};

pub(super) const VARIABLE: &str = "JWT_SIGNING_KEYS";

/// The length of a P-256 coordinate and of a private key.
const BYTES: usize = ring_provider::PRIVATE_BYTES;
/// The first byte of an uncompressed point in SEC 1.
const UNCOMPRESSED: u8 = 4;
const POINT_BYTES: usize = 1 + 2 * BYTES;
/// Where a PKCS#8 document for P-256 has the private key.
const PRIVATE_AT: usize = 36;

#[derive(Clone, Default)]
pub(super) struct SigningKeys(Vec<SigningKey>);

#[derive(Clone)]
struct SigningKey {
    id: String,
    public: Value,
    verifies: DecodingKey,
    signs: Option<EncodingKey>,
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<Jwk>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Jwk {
    kty: String,
    crv: String,
    kid: String,
    x: String,
    y: String,
    d: Option<String>,
}

impl SigningKeys {
    pub(super) fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let Some(value) = env.optional(VARIABLE) else { return Ok(Self::default()) };
        let text = match value.strip_prefix('@') {
            Some(file) => std::fs::read_to_string(file)
                .map_err(|error| problem(format!("`{file}` can't be read: {error}")))?,
            None => value.to_owned(),
        };
        // Never serde's own message, which may quote a key.
        let set: KeySet = serde_json::from_str(&text)
            .map_err(|_| problem("is not a JSON Web Key Set such as {\"keys\": [{\"kty\": \"EC\", …}]}"))?;
        let keys = set.keys.iter().enumerate().map(|(index, key)| SigningKey::read(index, key));
        let keys: Vec<SigningKey> = keys.collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(problem("has no key"));
        }
        for (index, key) in keys.iter().enumerate() {
            if keys[..index].iter().any(|earlier| earlier.id == key.id) {
                return Err(problem(format!("has two keys with the kid `{}`", key.id)));
            }
        }
        Ok(Self(keys))
    }

    pub(super) fn are_configured(&self) -> bool {
        !self.0.is_empty()
    }

    /// The header and key for a new token; `None` when the first key has no private key.
    pub(super) fn signer(&self) -> Option<(Header, &EncodingKey)> {
        let key = self.0.first()?;
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(key.id.clone());
        key.signs.as_ref().map(|signs| (header, signs))
    }

    pub(super) fn verifying(&self) -> impl Iterator<Item = Key> {
        self.0.iter().map(|key| Key {
            id: Some(key.id.clone()),
            algorithms: vec![Algorithm::ES256],
            key: key.verifies.clone(),
        })
    }

    pub(super) fn public_keys(&self) -> Vec<Value> {
        self.0.iter().map(|key| key.public.clone()).collect()
    }
}

impl SigningKey {
    fn read(index: usize, key: &Jwk) -> Result<Self, ConfigError> {
        let wrong = |what: &str| problem(format!("key {}: {what}", index + 1));
        if key.kty != "EC" || key.crv != "P-256" {
            return Err(wrong("kty must be `EC` and crv `P-256`"));
        }
        if key.kid.is_empty() {
            return Err(wrong("needs a kid, by which tokens name it"));
        }
        let half = |text: &str| coordinate(text).unwrap_or_default();
        let point = [vec![UNCOMPRESSED], half(&key.x), half(&key.y)].concat();
        if point.len() != POINT_BYTES {
            return Err(wrong("x and y must be 32 bytes each, as base64url"));
        }
        if !is_on_the_curve(&point) {
            return Err(wrong("x and y are not a point on P-256"));
        }
        let signs = key.d.as_deref().map(|private| {
            let private = coordinate(private).ok_or_else(|| wrong("d must be 32 bytes, as base64url"))?;
            let pair = [private, point.clone()].concat();
            ring_provider::ecdsa(&pair).ok_or_else(|| wrong("d does not belong to x and y"))?;
            Ok(EncodingKey::from_ec_der(&pair))
        });
        Ok(Self {
            id: key.kid.clone(),
            public: json!({
                "kty": "EC", "crv": "P-256", "kid": key.kid, "x": key.x, "y": key.y,
                "alg": "ES256", "use": "sig", "key_ops": ["verify"],
            }),
            verifies: DecodingKey::from_ec_der(&point),
            signs: signs.transpose()?,
        })
    }
}

/// Generates a key pair, in the format of `JWT_SIGNING_KEYS`.
///
/// # Panics
/// Panics when the operating system provides no randomness.
#[expect(clippy::expect_used, reason = "without randomness, no key may be generated")]
pub fn generate() -> Value {
    // A PKCS#8 document, which ends with the private key, a header, and the public point.
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
    let document = document.expect("the random generator");
    let (rest, point) = document.as_ref().split_at(document.as_ref().len() - POINT_BYTES);
    let private = &rest[PRIVATE_AT..][..BYTES];
    ring_provider::ecdsa(&[private, point].concat()).expect("the two halves of the document");
    let (x, y) = point[1..].split_at(BYTES);
    let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    json!({
        "kty": "EC", "crv": "P-256", "kid": crate::random::token(16),
        "x": text(x), "y": text(y), "d": text(private), "alg": "ES256", "use": "sig",
    })
}

/// ring checks a point only when it is used.
fn is_on_the_curve(point: &[u8]) -> bool {
    let Ok(key) = EphemeralPrivateKey::generate(&ECDH_P256, &SystemRandom::new()) else { return false };
    agreement::agree_ephemeral(key, &UnparsedPublicKey::new(&ECDH_P256, point), |_| ()).is_ok()
}

fn coordinate(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok().filter(|bytes| bytes.len() == BYTES)
}

fn problem(text: impl Into<String>) -> ConfigError {
    ConfigError::new(VARIABLE, text)
}
