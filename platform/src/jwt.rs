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
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use serde::Serialize;
use serde_json::{Value, json};

use self::previous_secrets::PreviousSecret;
use self::signing_keys::SigningKeys;

use crate::claims::Claims;
use crate::clock::Clock;
use crate::env::{ConfigError, Env};
use crate::secret::Secret;
use crate::token::{self, TokenError};

/// The audience of account tokens. The anon key and the service key have none.
const AUDIENCE: &str = "authenticated";

/// Ten years: the anon key and the service key are configuration, revoked by changing the secret.
const KEY_LIFE_SECONDS: i64 = 10 * 365 * 24 * 3600;

#[derive(Clone)]
pub struct JwtKeys {
    secret: Secret,
    encoding: EncodingKey,
    decoding: DecodingKey,
    previous: Vec<PreviousSecret>,
    signing: SigningKeys,
}

pub use self::previous_secrets::MIN_SECRET_BYTES;
pub use self::signing_keys::generate as generate_signing_key;
pub use jsonwebtoken::errors::Error as SigningError;

impl JwtKeys {
    /// # Errors
    /// Fails when `JWT_SECRET` is missing or shorter than [`MIN_SECRET_BYTES`], or when `JWT_PREVIOUS_SECRETS` or
    /// `JWT_SIGNING_KEYS` is invalid.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let keys = Self::from_secret(Secret::new(env.required("JWT_SECRET")?))?;
        Ok(Self { signing: SigningKeys::from_env(env)?, previous: previous_secrets::from_env(env)?, ..keys })
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
        let bytes = secret.expose().as_bytes();
        previous_secrets::check_length("JWT_SECRET", bytes)?;
        ring_provider::install();
        Ok(Self {
            encoding: EncodingKey::from_secret(bytes),
            decoding: DecodingKey::from_secret(bytes),
            previous: Vec::new(),
            signing: SigningKeys::default(),
            secret,
        })
    }

    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The secrets that are being replaced.
    pub fn previous_secrets(&self) -> impl Iterator<Item = &Secret> {
        self.previous.iter().map(|previous| &previous.secret)
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
        let claims = match (header.alg, header.kid.as_deref()) {
            (Algorithm::HS256, None) => self.verify_with_secrets(token)?,
            (Algorithm::ES256, Some(id)) => {
                let key = self.signing.verifier(id).ok_or(TokenError::Signature)?;
                token::decode(token, header.alg, key)?
            }
            (Algorithm::HS256 | Algorithm::ES256, _) => return Err(TokenError::Signature),
            _ => return Err(TokenError::Algorithm),
        };
        let is_ours = token::audiences(&claims)?.is_none_or(|audiences| audiences.contains(&AUDIENCE));
        if is_ours { Ok(claims) } else { Err(TokenError::WrongAudience) }
    }

    fn verify_with_secrets(&self, token: &str) -> Result<Claims, TokenError> {
        let mut verified = token::decode(token, Algorithm::HS256, &self.decoding);
        for previous in &self.previous {
            if verified != Err(TokenError::Signature) {
                break;
            }
            verified = token::decode(token, Algorithm::HS256, &previous.decoding);
        }
        verified
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

    /// Creates the key for browsers (`anon`) or for trusted services (`service_role`).
    ///
    /// # Errors
    /// See [`JwtKeys::sign`].
    pub fn role_key(&self, role: &str, clock: &Clock) -> Result<String, SigningError> {
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
    fn a_short_secret_is_rejected() {
        assert!(JwtKeys::from_secret(Secret::new("x".repeat(31))).is_err());
    }

    #[test]
    fn only_our_own_signature_is_accepted() {
        let token = keys("a").role_key("anon", &Clock::system()).unwrap();
        assert_eq!(keys("a").verify(&token).unwrap().role(), Some("anon"));
        assert_eq!(keys("b").verify(&token), Err(TokenError::Signature));
    }

    #[test]
    fn a_token_for_another_audience_is_rejected() {
        let with_audience = |audience: Value| {
            let token = keys("a").sign(&json!({ "role": "service_role", "aud": audience })).unwrap();
            keys("a").verify(&token)
        };
        for ours in [json!("authenticated"), json!(["x", "authenticated"]), Value::Null] {
            assert!(with_audience(ours.clone()).is_ok(), "{ours}");
        }
        for other in [json!("x"), json!(""), json!("Authenticated"), json!([]), json!(["x"])] {
            assert_eq!(with_audience(other.clone()), Err(TokenError::WrongAudience), "{other}");
        }
        for invalid in [json!(7), json!({}), json!([["authenticated"]])] {
            assert_eq!(with_audience(invalid.clone()), Err(TokenError::BadAudience), "{invalid}");
        }
    }

    #[test]
    fn an_unsigned_token_is_rejected() {
        // {"alg":"none"}.{"role":"service_role"}.
        let token = "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.";
        assert!(keys("a").verify(token).is_err());
    }

    fn set(keys: &[&Value]) -> String {
        json!({ "keys": keys }).to_string()
    }

    fn with_keys(signing_keys: &str) -> Result<JwtKeys, ConfigError> {
        let secret = "a".repeat(32);
        JwtKeys::of_issuer(&Env::from_iter([
            ("JWT_SECRET", secret.as_str()),
            ("JWT_SIGNING_KEYS", signing_keys),
        ]))
    }

    fn without(key: &Value, member: &str) -> Value {
        let mut key = key.clone();
        key.as_object_mut().unwrap().remove(member);
        key
    }

    #[test]
    fn the_first_key_signs_and_older_keys_still_verify() {
        let (old, new) = (generate_signing_key(), generate_signing_key());
        let before = with_keys(&set(&[&old])).unwrap();
        let after = with_keys(&set(&[&new, &without(&old, "d")])).unwrap();
        let claims = json!({ "sub": "x" });
        let (early, late) =
            (before.sign_for_account(&claims).unwrap(), after.sign_for_account(&claims).unwrap());
        assert_eq!(jsonwebtoken::decode_header(&late).unwrap().kid.as_deref(), new["kid"].as_str());
        assert_eq!(after.verify(&early).unwrap().text("sub"), Some("x"));
        assert_eq!(after.verify(&late).unwrap().text("sub"), Some("x"));
        assert!(before.verify(&late).is_err());
        // The anon key and the service key are still signed with the secret.
        assert!(keys("a").verify(&after.role_key("anon", &Clock::system()).unwrap()).is_ok());

        let shown = after.public_keys();
        assert_eq!(shown["keys"].as_array().unwrap().len(), 2);
        assert!(!shown.to_string().contains("\"d\""), "{shown}");
    }

    #[test]
    fn a_header_cannot_choose_the_algorithm_of_a_key() {
        let key = generate_signing_key();
        let ours = with_keys(&set(&[&key])).unwrap();
        let kid = || key["kid"].as_str().map(str::to_owned);
        let claims = json!({ "role": "service_role" });
        let with = |alg, kid, key: &EncodingKey| {
            let mut header = Header::new(alg);
            header.kid = kid;
            jsonwebtoken::encode(&header, &claims, key).unwrap()
        };
        let stranger = with_keys(&set(&[&generate_signing_key()])).unwrap();
        let (header, foreign) = stranger.signing.signer().unwrap();
        let (_, own) = ours.signing.signer().unwrap();
        let public = ours.public_keys();
        let point: Vec<u8> = ["x", "y"]
            .iter()
            .flat_map(|name| URL_SAFE_NO_PAD.decode(public["keys"][0][name].as_str().unwrap()).unwrap())
            .collect();
        let secrets = [
            public.to_string().into_bytes(),
            public["keys"][0].to_string().into_bytes(),
            [vec![4], point.clone()].concat(),
            point,
        ];
        for secret in secrets {
            let secret = EncodingKey::from_secret(&secret);
            assert!(ours.verify(&with(Algorithm::HS256, None, &secret)).is_err());
            assert!(ours.verify(&with(Algorithm::HS256, kid(), &secret)).is_err());
        }
        assert!(ours.verify(&with(Algorithm::HS256, kid(), &ours.encoding)).is_err());
        assert!(ours.verify(&with(Algorithm::HS512, None, &ours.encoding)).is_err());
        assert!(ours.verify(&with(Algorithm::ES256, kid(), foreign)).is_err());
        assert!(ours.verify(&with(Algorithm::ES256, header.kid, foreign)).is_err());
        assert!(ours.verify(&with(Algorithm::ES256, None, own)).is_err());
        assert!(keys("a").verify(&with(Algorithm::ES256, kid(), own)).is_err());
        assert!(ours.verify(&with(Algorithm::ES256, kid(), own)).is_ok());
    }

    #[test]
    fn errors_name_the_setting_without_quoting_keys() {
        let (one, other) = (generate_signing_key(), generate_signing_key());
        let mut mixed = one.clone();
        mixed["d"] = other["d"].clone();
        let mut nowhere = without(&one, "d");
        nowhere["y"] = nowhere["x"].clone();
        for unusable in [
            "nonsense".to_owned(),
            "@/no/such/file".to_owned(),
            set(&[]),
            set(&[&one, &one]),
            set(&[&mixed]),
            set(&[&nowhere]),
            set(&[&without(&one, "d")]),
            set(&[&without(&one, "kid")]),
            set(&[&json!({ "kty": "oct", "kid": "a", "k": "c2VjcmV0" })]),
            format!("{{\"keys\": [{one}]"),
        ] {
            let error = with_keys(&unusable).err().unwrap();
            assert_eq!(error.variable, "JWT_SIGNING_KEYS");
            assert!(!error.problem.contains(one["d"].as_str().unwrap()), "{error}");
        }
        let file = std::env::temp_dir().join(format!("signing-keys-{}.json", crate::random::token(8)));
        std::fs::write(&file, set(&[&one])).unwrap();
        let read = with_keys(&format!("@{}", file.display()));
        std::fs::remove_file(&file).unwrap();
        assert!(read.is_ok());
    }
}
