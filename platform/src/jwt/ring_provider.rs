//! The cryptography of tokens, computed by ring, which TLS also uses. jsonwebtoken's alternative, aws-lc, is
//! a C library that would take a tenth of the first build.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{self, Signer, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature as algorithms;
use ring::signature::{EcdsaKeyPair, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};

/// An ES256 private key, as [`EncodingKey`] holds it: the number, then the public point.
pub(super) const PRIVATE_BYTES: usize = 32;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: signer,
    verifier_factory: verifier,
    // For conversions of keys to JSON Web Keys, which we write ourselves.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes jsonwebtoken use ring. May be called any number of times.
pub fn install() {
    let _ = PROVIDER.install_default();
}

/// `sign` has the key.
struct RingSigner<F> {
    algorithm: Algorithm,
    sign: F,
}

fn signer(algorithm: &Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    if !key.family().algorithms().contains(algorithm) {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    let (algorithm, bytes) = (*algorithm, key.as_bytes());
    if algorithm == Algorithm::ES256 {
        let pair = ecdsa(bytes).ok_or(ErrorKind::InvalidEcdsaKey)?;
        let sign =
            move |message: &[u8]| Some(pair.sign(&SystemRandom::new(), message).ok()?.as_ref().to_vec());
        return Ok(Box::new(RingSigner { algorithm, sign }));
    }
    let key = hmac::Key::new(hmac_of(algorithm).ok_or(ErrorKind::InvalidAlgorithm)?, bytes);
    let sign = move |message: &[u8]| Some(hmac::sign(&key, message).as_ref().to_vec());
    Ok(Box::new(RingSigner { algorithm, sign }))
}

/// `None` when the number and the point don't match.
pub(super) fn ecdsa(private_and_point: &[u8]) -> Option<EcdsaKeyPair> {
    let (private, point) = private_and_point.split_at_checked(PRIVATE_BYTES)?;
    let algorithm = &algorithms::ECDSA_P256_SHA256_FIXED_SIGNING;
    EcdsaKeyPair::from_private_key_and_public_key(algorithm, private, point, &SystemRandom::new()).ok()
}

impl<F: Fn(&[u8]) -> Option<Vec<u8>>> Signer<Vec<u8>> for RingSigner<F> {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, signature::Error> {
        (self.sign)(message).ok_or_else(signature::Error::new)
    }
}

impl<F: Fn(&[u8]) -> Option<Vec<u8>>> JwtSigner for RingSigner<F> {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    if !key.family().algorithms().contains(algorithm) {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    Ok(Box::new(RingVerifier { algorithm: *algorithm, key: key.clone() }))
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), signature::Error> {
        let verified = match self.key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => rsa_of(self.algorithm)
                .and_then(|rsa| RsaPublicKeyComponents { n, e }.verify(rsa, message, signature).ok()),
            DecodingKeyKind::SecretOrDer(bytes) => match hmac_of(self.algorithm) {
                Some(hash) => hmac::verify(&hmac::Key::new(hash, bytes), message, signature).ok(),
                None => public_key_algorithm(self.algorithm).and_then(|algorithm| {
                    UnparsedPublicKey::new(algorithm, bytes).verify(message, signature).ok()
                }),
            },
        };
        verified.ok_or_else(signature::Error::new)
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

fn hmac_of(algorithm: Algorithm) -> Option<hmac::Algorithm> {
    match algorithm {
        Algorithm::HS256 => Some(hmac::HMAC_SHA256),
        Algorithm::HS384 => Some(hmac::HMAC_SHA384),
        Algorithm::HS512 => Some(hmac::HMAC_SHA512),
        _ => None,
    }
}

fn rsa_of(algorithm: Algorithm) -> Option<&'static RsaParameters> {
    match algorithm {
        Algorithm::RS256 => Some(&algorithms::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Some(&algorithms::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Some(&algorithms::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Some(&algorithms::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Some(&algorithms::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Some(&algorithms::RSA_PSS_2048_8192_SHA512),
        _ => None,
    }
}

fn public_key_algorithm(algorithm: Algorithm) -> Option<&'static dyn algorithms::VerificationAlgorithm> {
    match algorithm {
        Algorithm::ES256 => Some(&algorithms::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Some(&algorithms::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Some(&algorithms::ED25519),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::jwt::key_set::KeySet;

    /// One token for each algorithm, with its key. Node.js signed them.
    const FOREIGN: &str = include_str!("foreign_tokens.json");

    #[test]
    fn tokens_of_other_issuers_verify_and_tampered_ones_do_not() {
        let foreign: Vec<serde_json::Value> = serde_json::from_str(FOREIGN).unwrap();
        assert_eq!(foreign.len(), 12);
        for entry in foreign {
            let (algorithm, token) = (&entry["alg"], entry["token"].as_str().unwrap());
            let keys = KeySet::from_json(&entry["key"].to_string()).unwrap();
            assert_eq!(keys.verify(token).unwrap().role(), Some("author"), "{algorithm}");
            let (signed, signature) = token.rsplit_once('.').unwrap();
            for at in [0, signature.len() / 2] {
                let mut tampered = signature.to_owned();
                let other = if &tampered[at..=at] == "A" { "B" } else { "A" };
                tampered.replace_range(at..=at, other);
                assert!(keys.verify(&format!("{signed}.{tampered}")).is_err(), "{algorithm}");
            }
        }
    }

    #[test]
    fn a_key_of_another_family_verifies_nothing() {
        let foreign: Vec<serde_json::Value> = serde_json::from_str(FOREIGN).unwrap();
        for (one, other) in foreign.iter().zip(foreign.iter().cycle().skip(4)) {
            let keys = KeySet::from_json(&one["key"].to_string()).unwrap();
            if one["key"] != other["key"] {
                assert!(
                    keys.verify(other["token"].as_str().unwrap()).is_err(),
                    "{} {}",
                    one["alg"],
                    other["alg"]
                );
            }
        }
    }
}
