//! Tokens that prove an address: an unguessable link, and six digits to type instead.
//!
//! The database stores only a keyed hash of each, so a leaked dump gives access to no account: without the
//! key, the million possible codes can't be tried. Guesses at a code are rate-limited where they are made.

use std::net::IpAddr;

use hmac::{Hmac, Mac};
use platform::secret::Secret;
use sha2::{Digest, Sha224, Sha256};

use super::hex;

/// Links that continue a PKCE flow carry this prefix, as GoTrue clients expect.
pub const PKCE_PREFIX: &str = "pkce_";
const LINK_BYTES: usize = 28;

/// The purpose of a token. An account has at most one token of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Confirmation,
    Recovery,
    EmailChangeCurrent,
    EmailChangeNew,
    Reauthentication,
}

impl TokenKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation_token",
            Self::Recovery => "recovery_token",
            Self::EmailChangeCurrent => "email_change_token_current",
            Self::EmailChangeNew => "email_change_token_new",
            Self::Reauthentication => "reauthentication_token",
        }
    }
}

/// A fresh token in plain text. It is shown once and never stored.
#[derive(Debug, Clone)]
pub struct OneTimeToken {
    pub link: Secret,
    pub code: Secret,
}

impl OneTimeToken {
    /// Creates a token to be mailed.
    pub fn random(pkce: bool) -> Self {
        let mut bytes = [0_u8; LINK_BYTES];
        platform::random::fill(&mut bytes);
        let prefix = if pkce { PKCE_PREFIX } else { "" };
        Self { link: Secret::new(format!("{prefix}{}", hex(&bytes))), code: code() }
    }

    /// Creates a token for an operator, who may compute the link's token from address and code as GoTrue
    /// allows. Either half reveals the other, so this token is never mailed.
    pub fn derived(address: &str) -> Self {
        let code = code();
        let link = hex(&Sha224::new().chain_update(address).chain_update(code.expose()).finalize());
        Self { link: Secret::new(link), code }
    }
}

fn code() -> Secret {
    let mut bytes = [0_u8; 8];
    platform::random::fill(&mut bytes);
    // 2^64 is so much larger than a million that the modulo bias is negligible.
    Secret::new(format!("{:06}", u64::from_be_bytes(bytes) % 1_000_000))
}

/// Computes the stored hashes. The key derives from the JWT secret. While the secret is being replaced, the hashes of the
/// previous ones are accepted, too.
#[derive(Clone)]
pub struct Digests {
    key: Hmac<Sha256>,
    previous: Vec<Self>,
}

impl Digests {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub fn new<'a>(jwt_secret: &Secret, previous: impl IntoIterator<Item = &'a Secret>) -> Self {
        let keyed = |key: &[u8]| Hmac::<Sha256>::new_from_slice(key).expect("any key length fits");
        let key =
            keyed(jwt_secret.expose().as_bytes()).chain_update(b"one-time tokens").finalize().into_bytes();
        let previous = previous.into_iter().map(|secret| Self::new(secret, [])).collect();
        Self { key: keyed(&key), previous }
    }

    /// A presented token's hash with every secret, to look it up. The first one is the current secret's.
    pub fn accepted(&self, hash: impl Fn(&Self) -> String) -> Vec<String> {
        std::iter::once(self).chain(&self.previous).map(hash).collect()
    }

    pub fn of_link(&self, link: &str) -> String {
        hex(&self.key.clone().chain_update(b"link").chain_update(link).finalize().into_bytes())
    }

    /// Hashes the code that a followed link returns in a PKCE flow.
    pub fn of_auth_code(&self, code: &str) -> String {
        hex(&self.key.clone().chain_update(b"auth code").chain_update(code).finalize().into_bytes())
    }

    /// Hashes an address used in a sign-in attempt, to count failures. It may be unknown or malformed.
    pub fn of_address(&self, address: &str) -> String {
        hex(&self.key.clone().chain_update(b"address").chain_update(address).finalize().into_bytes())
    }

    /// Hashes the client address of a sign-in attempt, to count failures.
    pub fn of_client(&self, client: IpAddr) -> String {
        hex(&self
            .key
            .clone()
            .chain_update(b"client")
            .chain_update(client.to_string())
            .finalize()
            .into_bytes())
    }

    /// Hashes the code together with the address it was sent to, so that no code proves another address.
    pub fn of_code(&self, address: &str, code: &str) -> String {
        let bound = self.key.clone().chain_update(b"code").chain_update(address).chain_update(b"\0");
        hex(&bound.chain_update(code).finalize().into_bytes())
    }
}

/// Compares in constant time.
pub fn equal(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().zip(other.bytes()).fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digests(letter: &str) -> Digests {
        Digests::new(&Secret::new(letter.repeat(32)), [])
    }

    #[test]
    fn a_code_has_six_digits_and_a_link_224_bits() {
        for pkce in [false, true] {
            let (one, other) = (OneTimeToken::random(pkce), OneTimeToken::random(pkce));
            assert!(
                one.code.expose().len() == 6 && one.code.expose().bytes().all(|byte| byte.is_ascii_digit())
            );
            assert_eq!(one.link.expose().starts_with(PKCE_PREFIX), pkce);
            assert_eq!(one.link.expose().trim_start_matches(PKCE_PREFIX).len(), 56);
            assert_ne!(one.link, other.link);
        }
    }

    #[test]
    fn an_operators_link_derives_from_address_and_code() {
        let token = OneTimeToken::derived("a@b.co");
        let expected = hex(&Sha224::digest(format!("a@b.co{}", token.code.expose())));
        assert_eq!(token.link.expose(), expected);
    }

    #[test]
    fn the_stored_hash_depends_on_key_address_and_code() {
        let stored = digests("a").of_code("a@b.co", "123456");
        assert_eq!(stored, digests("a").of_code("a@b.co", "123456"));
        for other in [
            digests("b").of_code("a@b.co", "123456"),
            digests("a").of_code("a@b.c", "o123456"),
            digests("a").of_code("a@b.co", "123457"),
            digests("a").of_link("a@b.co123456"),
        ] {
            assert!(!equal(&stored, &other));
        }
        assert!(equal(&stored, &stored.clone()) && !equal(&stored, ""));
    }

    #[test]
    fn debug_output_hides_the_token() {
        let token = OneTimeToken::derived("a@b.co");
        assert_eq!(format!("{token:?}"), "OneTimeToken { link: …, code: … }");
    }
}
