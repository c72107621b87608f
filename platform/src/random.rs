//! Unguessable text for secrets and tokens, from the operating system's generator.

use rand::TryRngCore;
use rand::rngs::OsRng;

const LOWER_ALPHANUMERIC: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// `length` characters of `a-z0-9` with 5.17 bits each, so 25 characters have 129 bits.
///
/// # Panics
/// Panics when the operating system provides no randomness, because nothing safe can continue.
pub fn token(length: usize) -> String {
    // 252 is the largest multiple of 36 in a byte; larger values would favor the first letters.
    let mut text = String::with_capacity(length);
    let mut bytes = [0_u8; 64];
    while text.len() < length {
        fill(&mut bytes);
        let letters = bytes.iter().filter(|byte| **byte < 252);
        text.extend(
            letters
                .map(|byte| char::from(LOWER_ALPHANUMERIC[usize::from(byte % 36)]))
                .take(length - text.len()),
        );
    }
    text
}

/// # Panics
/// See [`token`].
#[expect(clippy::expect_used, reason = "without randomness, no secret may be generated")]
pub fn fill(bytes: &mut [u8]) {
    OsRng.try_fill_bytes(bytes).expect("the operating system's random generator");
}

#[cfg(test)]
mod tests {
    #[test]
    fn tokens_have_the_asked_length_and_differ() {
        let (one, two) = (super::token(40), super::token(40));
        assert_eq!(one.len(), 40);
        assert!(one.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()));
        assert_ne!(one, two);
    }
}
