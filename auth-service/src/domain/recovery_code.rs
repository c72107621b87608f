//! Each recovery code replaces the app once. They are shown once; only their hashes are stored.

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// How many codes an account gets at a time.
pub const CODES: usize = 10;
const BYTES: usize = 10;
const LETTERS_PER_GROUP: usize = 4;

/// 80 random bits as four groups of four letters and digits.
pub fn random() -> String {
    let mut bytes = [0_u8; BYTES];
    platform::random::fill(&mut bytes);
    let letters = base32::encode(base32::Alphabet::Rfc4648Lower { padding: false }, &bytes);
    let groups: Vec<_> = letters.as_bytes().chunks(LETTERS_PER_GROUP).map(String::from_utf8_lossy).collect();
    groups.join("-")
}

/// The stored hash of a code as a user typed it. With 80 random bits, it needs no key.
pub fn hash(account: Uuid, typed: &str) -> Vec<u8> {
    let letters: String = typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| match letter.to_ascii_lowercase() {
            // Base32 has neither 0 nor 1.
            '0' => 'o',
            '1' => 'l',
            letter => letter,
        })
        .collect();
    Sha256::new().chain_update(account).chain_update(letters).finalize().to_vec()
}

/// The id of the account's codes in the API. They aren't a row of their own, so the id follows from the account.
pub fn set_id(account: Uuid) -> Uuid {
    let digest = Sha256::new().chain_update(account).chain_update("recovery codes").finalize();
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&digest[..16]);
    uuid::Builder::from_random_bytes(bytes).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_may_be_typed_in_several_ways() {
        let (account, code) = (Uuid::new_v4(), random());
        assert_eq!(code.len(), 19);
        assert_ne!(code, random());
        let stored = hash(account, &code);
        for typed in
            [code.to_uppercase(), code.replace('-', " "), code.replace('-', ""), format!(" {code}\n")]
        {
            assert_eq!(hash(account, &typed), stored, "{typed}");
        }
        assert_ne!(hash(Uuid::new_v4(), &code), stored);
        assert_eq!(hash(account, "o0l1"), hash(account, "ooll"));
    }
}
