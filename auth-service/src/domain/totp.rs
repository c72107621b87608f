//! Time-based one-time passwords (RFC 6238) as authenticator apps compute them: SHA-1, 30 seconds, six digits.

use chrono::{DateTime, Utc};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ring::hmac;

pub const SECRET_BYTES: usize = 20;
const DIGITS: usize = 6;
const STEP_SECONDS: i64 = 30;
/// Phones' clocks may be off by one step in either direction.
const SKEW: [i64; 3] = [-1, 0, 1];

/// The secret that server and app share. Never logged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TotpSecret([u8; SECRET_BYTES]);

impl TotpSecret {
    pub fn random() -> Self {
        let mut bytes = [0_u8; SECRET_BYTES];
        platform::random::fill(&mut bytes);
        Self(bytes)
    }

    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The secret in the form that users type into an app.
    pub fn base32(&self) -> String {
        base32::encode(base32::Alphabet::Rfc4648 { padding: false }, &self.0)
    }

    /// The link in the QR code.
    pub fn uri(&self, issuer: &str, account: &str) -> String {
        const KEPT: &AsciiSet =
            &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'@');
        let (issuer, account) = (utf8_percent_encode(issuer, KEPT), utf8_percent_encode(account, KEPT));
        let secret = self.base32();
        format!(
            "otpauth://totp/{issuer}:{account}?algorithm=SHA1&digits={DIGITS}&issuer={issuer}&period={STEP_SECONDS}&secret={secret}"
        )
    }

    /// The step whose code this is: the current one or a neighbor, later than `last_used`. Compares with
    /// every candidate in constant time, so that a wrong, a used and an old code take the same time.
    pub fn step_of(&self, code: &str, last_used: Option<i64>, now: DateTime<Utc>) -> Option<i64> {
        let present = now.timestamp().div_euclid(STEP_SECONDS);
        SKEW.iter().fold(None, |found, skew| {
            let step = present + skew;
            let is_fresh = last_used.is_none_or(|used| step > used);
            let matches = super::one_time_token::equal(&self.code(step), code);
            if matches & is_fresh { Some(step) } else { found }
        })
    }

    fn code(&self, step: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.0);
        let digest = hmac::sign(&key, &step.to_be_bytes());
        let digest = digest.as_ref();
        let offset = digest.last().map_or(0, |last| usize::from(last & 0xf));
        let word = digest[offset..offset + 4].iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
    }
}

/// Whether the text has the form of an app's code. Anything else may be a recovery code.
pub fn is_code(text: &str) -> bool {
    text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RFC: TotpSecret = TotpSecret(*b"12345678901234567890");

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn the_codes_are_those_of_the_rfc() {
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(RFC.step_of(code, None, at(seconds)), Some(seconds / 30), "{seconds}");
        }
    }

    #[test]
    fn a_code_is_accepted_one_step_early_and_late() {
        let code = RFC.code(100);
        for (seconds, accepted) in [(2969, false), (2970, true), (3000, true), (3059, true), (3060, false)] {
            assert_eq!(RFC.step_of(&code, None, at(seconds)).is_some(), accepted, "{seconds}");
        }
    }

    #[test]
    fn a_used_or_older_code_is_rejected() {
        let now = at(3000);
        assert_eq!(RFC.step_of(&RFC.code(100), Some(100), now), None);
        assert_eq!(RFC.step_of(&RFC.code(99), Some(100), now), None);
        assert_eq!(RFC.step_of(&RFC.code(101), Some(100), now), Some(101));
    }

    #[test]
    fn the_link_names_issuer_and_account() {
        let link = RFC.uri("Kopi & Co", "aina@example.test");
        let expected = "otpauth://totp/Kopi%20%26%20Co:aina@example.test?algorithm=SHA1&digits=6\
                        &issuer=Kopi%20%26%20Co&period=30&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
        assert_eq!(link, expected);
    }
}
