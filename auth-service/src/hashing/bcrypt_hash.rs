//! bcrypt hashes of imported accounts. They are verified with bcrypt and replaced at the next sign-in.

use std::str::FromStr;

use bcrypt::HashParts;

use super::HashError;

/// The most expensive hash a sign-in can afford: about 1.5 seconds.
const MOST_COST: u32 = 14;
const LEAST_COST: u32 = 4;
/// KiB that argon2 fills in the time of one bcrypt round, as measured.
const KIB_PER_ROUND: u64 = 100;

pub struct BcryptHash<'a> {
    text: &'a str,
    cost: u32,
}

/// `None` for any other text.
pub fn parse(text: &str) -> Option<BcryptHash<'_>> {
    let is_known = ["$2a$", "$2b$", "$2y$"].iter().any(|prefix| text.starts_with(prefix));
    let cost = HashParts::from_str(text).ok().filter(|_| is_known)?.get_cost();
    (LEAST_COST..=MOST_COST).contains(&cost).then_some(BcryptHash { text, cost })
}

impl BcryptHash<'_> {
    pub fn work(&self) -> u64 {
        KIB_PER_ROUND << self.cost
    }

    pub fn matches(&self, password: &[u8]) -> Result<bool, HashError> {
        Ok(bcrypt::verify(password, self.text)?)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The hash of `elsewhere`.
    pub const CHEAP_HASH: &str = "$2b$04$abcdefghijklmnopqrstuuyaTp1a.0VI4ljv81NKv5yRQHrROVLpG";

    #[test]
    fn imported_hashes_verify() {
        let hash = parse(CHEAP_HASH).unwrap();
        assert!(hash.matches(b"elsewhere").unwrap() && !hash.matches(b"wrong").unwrap());
        assert!(parse(&CHEAP_HASH.replacen("$2b$", "$2y$", 1)).is_some());
    }

    #[test]
    fn hashes_that_cost_too_much_are_rejected() {
        for cost in ["03", "15", "31"] {
            assert!(parse(&CHEAP_HASH.replacen("$04$", &format!("${cost}$"), 1)).is_none(), "{cost}");
        }
        for text in ["", "$2b$04$short", "$2x$04$", "plain"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }
}
