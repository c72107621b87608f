//! Telephone numbers. No account has one, but a malformed one is told apart from an unknown one.

/// E.164, as other servers read it: spaces and a leading plus don't count.
pub fn is_well_formed(text: &str) -> bool {
    let digits = text.replace(' ', "");
    let digits = digits.strip_prefix('+').unwrap_or(&digits);
    (2..=15).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_to_fifteen_digits() {
        for good in ["+60 12 345 6789", "60123456789", "12", "123456789012345"] {
            assert!(is_well_formed(good), "{good}");
        }
        for bad in ["", "+", "1", "+0123", "12x", "1234567890123456", "++12", "１２"] {
            assert!(!is_well_formed(bad), "{bad}");
        }
    }
}
