//! Encrypts the secrets of second factors, so that a dump of the database gives access to no account. The key
//! derives from the JWT secret. While that is being replaced, data that the previous secrets encrypted can
//! also be read.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use hmac::{Hmac, Mac};
use platform::secret::Secret;
use sha2::Sha256;
use uuid::Uuid;

use super::hex;
use super::totp::TotpSecret;

const NONCE_BYTES: usize = 24;

#[derive(Clone)]
pub struct FactorKeys {
    current: FactorKey,
    previous: Vec<FactorKey>,
}

#[derive(Clone)]
struct FactorKey {
    cipher: XChaCha20Poly1305,
    id: String,
}

impl FactorKey {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    fn new(jwt_secret: &Secret) -> Self {
        let keyed = <Hmac<Sha256> as Mac>::new_from_slice(jwt_secret.expose().as_bytes())
            .expect("any key length fits");
        let derived = |purpose: &[u8]| keyed.clone().chain_update(purpose).finalize().into_bytes();
        let key = Key::from(<[u8; 32]>::from(derived(b"second factors")));
        Self { cipher: XChaCha20Poly1305::new(&key), id: hex(&derived(b"second factors: key id")[..8]) }
    }

    fn decrypt(&self, factor: Uuid, stored: &[u8]) -> Option<TotpSecret> {
        let (nonce, text) = stored.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload { msg: text, aad: factor.as_bytes() };
        let bytes = self.cipher.decrypt(&XNonce::from(*nonce), payload).ok()?;
        TotpSecret::of_bytes(&bytes)
    }
}

impl FactorKeys {
    pub fn new<'a>(jwt_secret: &Secret, previous: impl IntoIterator<Item = &'a Secret>) -> Self {
        Self {
            current: FactorKey::new(jwt_secret),
            previous: previous.into_iter().map(FactorKey::new).collect(),
        }
    }

    /// Identifies the encryption key without revealing anything about it.
    pub fn id(&self) -> &str {
        &self.current.id
    }

    /// `factor` is authenticated, so that no secret can be moved to another factor.
    #[expect(clippy::expect_used, reason = "fails for gigabytes only")]
    pub fn encrypt(&self, factor: Uuid, secret: &TotpSecret) -> Vec<u8> {
        let mut nonce = [0_u8; NONCE_BYTES];
        platform::random::fill(&mut nonce);
        let payload = Payload { msg: secret.bytes(), aad: factor.as_bytes() };
        let text = self.current.cipher.encrypt(&XNonce::from(nonce), payload).expect("a short text");
        [&nonce[..], &text].concat()
    }

    /// `None` if another secret encrypted it, or if it was changed.
    pub fn decrypt(&self, factor: Uuid, stored: &[u8]) -> Option<TotpSecret> {
        std::iter::once(&self.current).chain(&self.previous).find_map(|key| key.decrypt(factor, stored))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(letter: &str) -> Secret {
        Secret::new(letter.repeat(32))
    }

    #[test]
    fn a_secret_is_readable_with_its_key_and_factor_only() {
        let (factor, plain) = (Uuid::new_v4(), TotpSecret::random());
        let old = FactorKeys::new(&secret("a"), []);
        let stored = old.encrypt(factor, &plain);

        assert!(!stored.windows(8).any(|window| plain.bytes().starts_with(window)));
        assert!(old.decrypt(factor, &stored) == Some(plain));
        assert!(old.decrypt(Uuid::new_v4(), &stored).is_none());
        assert!(FactorKeys::new(&secret("b"), []).decrypt(factor, &stored).is_none());
        let rotated = FactorKeys::new(&secret("b"), [&secret("a")]);
        assert!(rotated.decrypt(factor, &stored) == Some(plain));
        assert_ne!(rotated.id(), old.id());
        for place in [0, 30, stored.len() - 1] {
            let mut changed = stored.clone();
            changed[place] ^= 1;
            assert!(old.decrypt(factor, &changed).is_none(), "{place}");
        }
        assert!(old.decrypt(factor, &stored[..10]).is_none());
    }
}
