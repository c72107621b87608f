//! A phone number, validated once and stored as digits only.

/// The message is part of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Invalid phone number format (E.164 required)")]
pub struct PhoneError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone(String);

impl Phone {
    /// Parses E.164 as GoTrue does: spaces and a leading plus are ignored.
    ///
    /// # Errors
    /// Fails when the text is not a phone number.
    pub fn parse(text: &str) -> Result<Self, PhoneError> {
        let text = text.replace(' ', "");
        let digits = text.strip_prefix('+').unwrap_or(&text);
        let well_formed = (2..=15).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if well_formed { Ok(Self(digits.to_owned())) } else { Err(PhoneError) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_two_to_fifteen_digits() {
        for good in ["+60 12 345 6789", "60123456789", "12", "123456789012345"] {
            assert!(Phone::parse(good).is_ok(), "{good}");
        }
        for bad in ["", "+", "1", "+0123", "12x", "1234567890123456", "++12", "１２", "12\0"] {
            assert_eq!(Phone::parse(bad), Err(PhoneError), "{bad}");
        }
    }

    #[test]
    fn equal_numbers_have_one_representation() {
        assert_eq!(Phone::parse("+60 12 345 6789"), Phone::parse("60123456789"));
    }
}
