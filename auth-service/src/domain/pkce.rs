//! Proof Key for Code Exchange (RFC 7636): the client that starts a flow keeps a secret, so the link alone
//! does not sign anyone in.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use sha2::{Digest, Sha256};

use super::one_time_token::equal;

/// Lifetime of the code a followed link returns. Only a redirect lies between the link and the exchange.
pub const CODE_LIFE: TimeDelta = TimeDelta::minutes(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ChallengeError {
    #[error("PKCE flow requires code_challenge_method and code_challenge")]
    Incomplete,
    #[error("code challenge has to be between 43 and 128 characters")]
    Length,
    #[error(
        "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes"
    )]
    Characters,
    #[error("code_challenge_method must be s256 or plain")]
    UnknownMethod,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChallengeMethod {
    S256,
    Plain,
}

impl ChallengeMethod {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S256 => "s256",
            Self::Plain => "plain",
        }
    }

    pub fn parse(text: &str) -> Result<Self, ChallengeError> {
        match text.to_ascii_lowercase().as_str() {
            "s256" => Ok(Self::S256),
            "plain" => Ok(Self::Plain),
            _ => Err(ChallengeError::UnknownMethod),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenge {
    pub text: String,
    pub method: ChallengeMethod,
}

impl Challenge {
    /// `None` when both are empty: the flow does not use PKCE.
    ///
    /// # Errors
    /// Fails when only one is given or either is malformed.
    pub fn parse(challenge: &str, method: &str) -> Result<Option<Self>, ChallengeError> {
        if challenge.is_empty() && method.is_empty() {
            return Ok(None);
        }
        if challenge.is_empty() || method.is_empty() {
            return Err(ChallengeError::Incomplete);
        }
        if !(43..=128).contains(&challenge.len()) {
            return Err(ChallengeError::Length);
        }
        if !challenge.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) {
            return Err(ChallengeError::Characters);
        }
        Ok(Some(Self { text: challenge.to_owned(), method: ChallengeMethod::parse(method)? }))
    }

    pub fn is_met_by(&self, verifier: &str) -> bool {
        match self.method {
            ChallengeMethod::S256 => {
                equal(&self.text, &BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier)))
            }
            ChallengeMethod::Plain => equal(&self.text, verifier),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_rfc_verifies() {
        let challenge =
            Challenge::parse("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "S256").unwrap().unwrap();
        assert!(challenge.is_met_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"));
        assert!(!challenge.is_met_by("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXl"));
        assert!(!challenge.is_met_by(&challenge.text));
    }

    #[test]
    fn a_plain_challenge_is_its_own_verifier() {
        let challenge = Challenge::parse(&"x".repeat(43), "plain").unwrap().unwrap();
        assert!(challenge.is_met_by(&"x".repeat(43)) && !challenge.is_met_by(&"x".repeat(44)));
    }

    #[test]
    fn challenge_and_method_must_come_together_and_be_well_formed() {
        let good = "x".repeat(43);
        assert_eq!(Challenge::parse("", ""), Ok(None));
        assert!(Challenge::parse(&"~".repeat(128), "plain").is_ok());
        for (challenge, method, error) in [
            (good.as_str(), "", ChallengeError::Incomplete),
            ("", "s256", ChallengeError::Incomplete),
            (&good[1..], "s256", ChallengeError::Length),
            (&good.repeat(3), "s256", ChallengeError::Length),
            (&format!("{good}="), "s256", ChallengeError::Characters),
            (&good, "md5", ChallengeError::UnknownMethod),
        ] {
            assert_eq!(Challenge::parse(challenge, method), Err(error), "{challenge} {method}");
        }
    }
}
