//! Refresh tokens: their format, their hashes, and how each token derives from the one before.
//!
//! Only hashes are stored, but a client that missed a response must get the same token again. A child token
//! is therefore derived from its parent with a key: when a client presents the parent, the child can be
//! computed again. Without the key, a stolen old token does not reveal the current one.

use std::ops::RangeInclusive;

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

/// Derives child tokens. The key derives from the JWT secret. While the secret is being replaced, tokens that derive with
/// a previous one are still found.
#[derive(Clone)]
pub struct Lineage {
    current: Key,
    previous: Vec<Key>,
}

#[derive(Clone)]
struct Key(Hmac<Sha256>);

impl Key {
    #[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
    fn new(jwt_secret: &Secret) -> Self {
        let keyed = |key: &[u8]| Hmac::<Sha256>::new_from_slice(key).expect("any key length fits");
        let key = keyed(jwt_secret.expose().as_bytes())
            .chain_update(b"refresh token lineage")
            .finalize()
            .into_bytes();
        Self(keyed(&key))
    }

    fn child_of(&self, parent: &RefreshToken) -> RefreshToken {
        let digest =
            self.0.clone().chain_update(b"refresh").chain_update(parent.expose()).finalize().into_bytes();
        let mut bits = [0_u8; 16];
        bits.copy_from_slice(&digest[..16]);
        RefreshToken::of_bits(u128::from_be_bytes(bits))
    }

    /// Finds the descendant with this hash. `steps`: the distances to search.
    fn find(
        &self,
        from: &RefreshToken,
        hash: &[u8],
        steps: RangeInclusive<u32>,
    ) -> Option<(RefreshToken, u32)> {
        let mut token = from.clone();
        for step in steps {
            token = self.child_of(&token);
            if token.hash() == hash {
                return Some((token, step));
            }
        }
        None
    }
}

impl Lineage {
    pub fn new<'a>(jwt_secret: &Secret, previous: impl IntoIterator<Item = &'a Secret>) -> Self {
        Self { current: Key::new(jwt_secret), previous: previous.into_iter().map(Key::new).collect() }
    }

    pub fn child_of(&self, parent: &RefreshToken) -> RefreshToken {
        self.current.child_of(parent)
    }

    /// Finds the descendant with this hash, at most `max_steps` generations down, and its distance.
    pub fn descendant(
        &self,
        ancestor: &RefreshToken,
        hash: &[u8],
        max_steps: u32,
    ) -> Option<(RefreshToken, u32)> {
        let found = self.current.find(ancestor, hash, 1..=max_steps);
        found.or_else(|| self.previous.iter().find_map(|key| self.across(key, ancestor, hash, max_steps)))
    }

    /// The first generations derive with a previous key, the later ones with the current key.
    fn across(
        &self,
        previous: &Key,
        ancestor: &RefreshToken,
        hash: &[u8],
        max_steps: u32,
    ) -> Option<(RefreshToken, u32)> {
        let mut token = ancestor.clone();
        for step in 1..=max_steps {
            token = previous.child_of(&token);
            if token.hash() == hash {
                return Some((token, step));
            }
            let later = self.current.find(&token, hash, step + 1..=max_steps);
            if later.is_some() {
                return later;
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
        Lineage::new(&Secret::new(letter.repeat(32)), [])
    }

    #[test]
    fn descendants_are_found_across_a_change_of_the_secret() {
        let (old, new) = (lineage("a"), lineage("b"));
        let previous = Secret::new("a".repeat(32));
        let changed = Lineage::new(&Secret::new("b".repeat(32)), [&previous]);
        let first = RefreshToken::random();
        let before = old.child_of(&first);
        let after = new.child_of(&new.child_of(&before));
        for (token, steps) in [(&before, 1), (&after, 3)] {
            assert_eq!(changed.descendant(&first, &token.hash(), steps), Some((token.clone(), steps)));
            assert_eq!(changed.descendant(&first, &token.hash(), steps - 1), None);
            assert_eq!(new.descendant(&first, &token.hash(), 9), None);
        }
        assert_eq!(changed.child_of(&first), new.child_of(&first));
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
