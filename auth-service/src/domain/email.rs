//! An e-mail address, validated once and always in lower case.

/// Messages are part of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum EmailError {
    #[error("An email address is required")]
    Missing,
    #[error("An email address is too long")]
    TooLong,
    #[error("Unable to validate email address: invalid format")]
    Malformed,
}

/// The longest deliverable address (RFC 5321), and the database's limit.
const MAX_BYTES: usize = 254;
const MAX_LABEL_BYTES: usize = 63;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// Accepts the syntax of HTML's `input type=email`: no quoting, no comments, nothing that could break a
    /// mail header.
    ///
    /// # Errors
    /// Fails when the text is empty, too long or not an address.
    pub fn parse(text: &str) -> Result<Self, EmailError> {
        if text.is_empty() {
            return Err(EmailError::Missing);
        }
        if text.len() > MAX_BYTES {
            return Err(EmailError::TooLong);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(EmailError::Malformed)?;
        let well_formed =
            !local.is_empty() && local.bytes().all(is_local_byte) && domain.split('.').all(is_label);
        if well_formed { Ok(Self(text.to_ascii_lowercase())) } else { Err(EmailError::Malformed) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_local_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte)
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && label.len() <= MAX_LABEL_BYTES
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_kept_in_lower_case() {
        assert_eq!(
            Email::parse("Ana.Maria+x@Demo.Serasi.TEST").unwrap().as_str(),
            "ana.maria+x@demo.serasi.test"
        );
        assert_eq!(Email::parse("o'hara@a-b.co").unwrap().as_str(), "o'hara@a-b.co");
    }

    #[test]
    fn an_empty_address_is_missing() {
        assert_eq!(Email::parse(""), Err(EmailError::Missing));
    }

    #[test]
    fn the_longest_address_has_254_bytes() {
        let of_length = |length: usize| format!("{}@a.co", "x".repeat(length - 5));
        assert!(Email::parse(&of_length(254)).is_ok());
        assert_eq!(Email::parse(&of_length(255)), Err(EmailError::TooLong));
    }

    #[test]
    fn malformed_addresses_are_rejected() {
        for text in [
            "plain",
            "@a.co",
            "a@",
            "a@b..co",
            "a@-b.co",
            "a@b-.co",
            "a b@c.co",
            "a@b.co,c@d.co",
            "a@b.co\r\nBcc: x@y.z",
            "\"><script>@a.co",
            "a@b c.co",
            "ä@b.co",
            "a@b.co ",
            " a@b.co",
            "a@b_c.co",
            "a\0@b.co",
        ] {
            assert_eq!(Email::parse(text), Err(EmailError::Malformed), "{text:?}");
        }
    }
}
