//! Refresh tokens: their format, their hashes, and how each token derives from the one before.
//!
//! Only hashes are stored, yet a client that missed a response must get the same token again. A child token
//! is therefore derived from its parent with a key: when a client presents the parent, the child can be
//! computed again. Without the key, a stolen old token does not reveal the current one.

use hmac::{Hmac, Mac};
use platform::secret::Secret;
use sha2::{Digest, Sha256};

/// 25 base-36 digits hold the token's 128 bits.
const LENGTH: usize = 25;
/// GoTrue's older format. We never issue it, but accept it as well formed.
const CLASSIC_LENGTH: usize = 12;
const LETTERS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefreshToken(Secret);

pub type TokenHash = [u8; 32];

impl RefreshToken {
    /// `None` when the text can't be a refresh token.
    pub fn parse(text: &str) -> Option<Self> {
        let well_formed = matches!(text.len(), LENGTH | CLASSIC_LENGTH)
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        well_formed.then(|| Self(Secret::new(text)))
    }

    /// The first token of a session.
    pub fn random() -> Self {
        let mut bytes = [0_u8; 16];
        platform::random::fill(&mut bytes);
        Self::of_bits(u128::from_be_bytes(bytes))
    }

    fn of_bits(mut bits: u128) -> Self {
        let mut letters = [b'0'; LENGTH];
        for letter in letters.iter_mut().rev() {
            *letter = LETTERS[(bits % 36) as usize];
            bits /= 36;
        }
        Self(Secret::new(letters.iter().map(|letter| char::from(*letter)).collect::<String>()))
    }

    pub fn expose(&self) -> &str {
        self.0.expose()
    }

    /// The hash that is stored and looked up. The token has 128 random bits, so an unkeyed hash can't be
    /// reversed.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.expose()).into()
    }
}

/// Derives child tokens. The key derives from the JWT secret, so a new secret invalidates open sessions.
#[derive(Clone)]
pub struct Lineage(Hmac<Sha256>);

impl Lineage {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    pub fn new(jwt_secret: &Secret) -> Self {
        let keyed = |key: &[u8]| Hmac::<Sha256>::new_from_slice(key).expect("any key length fits");
        let key = keyed(jwt_secret.expose().as_bytes())
            .chain_update(b"refresh token lineage")
            .finalize()
            .into_bytes();
        Self(keyed(&key))
    }

    pub fn child_of(&self, parent: &RefreshToken) -> RefreshToken {
        let digest =
            self.0.clone().chain_update(b"refresh").chain_update(parent.expose()).finalize().into_bytes();
        let mut bits = [0_u8; 16];
        bits.copy_from_slice(&digest[..16]);
        RefreshToken::of_bits(u128::from_be_bytes(bits))
    }

    /// Finds the descendant with this hash, at most `max_steps` generations down, and its distance.
    pub fn descendant(
        &self,
        ancestor: &RefreshToken,
        hash: &[u8],
        max_steps: u32,
    ) -> Option<(RefreshToken, u32)> {
        let mut token = ancestor.clone();
        for step in 1..=max_steps {
            token = self.child_of(&token);
            if token.hash() == hash {
                return Some((token, step));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lineage(letter: &str) -> Lineage {
        Lineage::new(&Secret::new(letter.repeat(32)))
    }

    proptest! {
        #[test]
        fn tokens_and_their_children_parse_back(bits: u128) {
            let token = RefreshToken::of_bits(bits);
            prop_assert_eq!(RefreshToken::parse(token.expose()), Some(token.clone()));
            let child = lineage("a").child_of(&token);
            prop_assert!(RefreshToken::parse(child.expose()).is_some());
            prop_assert_ne!(&child, &token);
            prop_assert_eq!(&lineage("a").child_of(&token), &child);
            prop_assert_ne!(lineage("b").child_of(&token), child);
        }

        #[test]
        fn different_bits_make_different_tokens(one: u128, other: u128) {
            prop_assert_eq!(one == other, RefreshToken::of_bits(one) == RefreshToken::of_bits(other));
        }

        #[test]
        fn a_descendant_is_found_at_its_exact_distance(steps in 1_u32..20) {
            let lineage = lineage("a");
            let first = RefreshToken::random();
            let mut last = first.clone();
            for _ in 0..steps {
                last = lineage.child_of(&last);
            }
            prop_assert_eq!(lineage.descendant(&first, &last.hash(), steps), Some((last.clone(), steps)));
            prop_assert_eq!(lineage.descendant(&first, &last.hash(), steps - 1), None);
        }
    }

    #[test]
    fn only_the_two_formats_parse() {
        for text in
            ["", "short", "ABCDEFGHIJKL", "abcdefghijk!", "abcdefghijklm", &"x".repeat(26), &"é".repeat(6)]
        {
            assert_eq!(RefreshToken::parse(text), None, "{text:?}");
        }
        assert!(RefreshToken::parse("abcdef123456").is_some());
    }

    #[test]
    fn debug_output_hides_the_token() {
        assert_eq!(format!("{:?}", RefreshToken::random()), "RefreshToken(…)");
    }
}
