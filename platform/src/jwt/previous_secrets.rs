//! Secrets that are being replaced, so that a new secret does not sign anyone out.

use crate::env::{ConfigError, Env};
use crate::secret::Secret;

/// Shorter secrets can be guessed offline from any token.
pub const MIN_SECRET_BYTES: usize = 32;

/// Secrets that verify tokens but sign none, separated by white space.
const PREVIOUS: &str = "JWT_PREVIOUS_SECRETS";
/// Every unverifiable token is tried with all of them.
const MAX_PREVIOUS: usize = 3;

pub(super) fn check_length(setting: &str, secret: &Secret) -> Result<(), ConfigError> {
    let length = secret.expose().len();
    if length < MIN_SECRET_BYTES {
        let problem = format!("needs at least {MIN_SECRET_BYTES} bytes, has {length}");
        return Err(ConfigError::new(setting, problem));
    }
    Ok(())
}

pub(super) fn from_env(env: &Env) -> Result<Vec<Secret>, ConfigError> {
    let texts = env.optional(PREVIOUS).unwrap_or_default().split_whitespace();
    let secrets: Vec<Secret> = texts.map(Secret::new).collect();
    if secrets.len() > MAX_PREVIOUS {
        return Err(ConfigError::new(
            PREVIOUS,
            format!("has {} secrets, at most {MAX_PREVIOUS}", secrets.len()),
        ));
    }
    secrets.iter().try_for_each(|secret| check_length(PREVIOUS, secret))?;
    Ok(secrets)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{JwtKeys, key_set};
    use super::*;
    use crate::token::TokenError;

    fn keys(letter: &str) -> JwtKeys {
        JwtKeys::from_secret(Secret::new(letter.repeat(32))).unwrap()
    }

    fn rotated(current: &str, previous: &str) -> Result<JwtKeys, ConfigError> {
        JwtKeys::from_env(&Env::from_iter([("JWT_SECRET", current), ("JWT_PREVIOUS_SECRETS", previous)]))
    }

    #[test]
    fn a_previous_secret_verifies_and_never_signs() {
        let [a, b, c] = ["a", "b", "c"].map(|letter| letter.repeat(32));
        let both = rotated(&b, &format!("{a}\n{c}\n")).unwrap();
        for old in ["a", "c"] {
            let token = keys(old).role_key("service_role").unwrap();
            assert_eq!(both.verify(&token).unwrap().role(), Some("service_role"));
        }
        let token = both.role_key("anon").unwrap();
        assert!(keys("b").verify(&token).is_ok() && keys("a").verify(&token).is_err());
        let stranger = keys("d").role_key("anon").unwrap();
        assert_eq!(both.verify(&stranger), Err(TokenError::Signature));
        // A token of the previous secret for another audience is not ours either.
        let token = keys("a").sign(&json!({ "aud": "x" })).unwrap();
        assert_eq!(both.verify(&token), Err(TokenError::WrongAudience));
    }

    #[test]
    fn the_gateway_gets_every_secret() {
        let set = rotated(&"b".repeat(32), &"a".repeat(32)).unwrap().verifying_keys();
        let gateway = key_set::KeySet::from_json(set.expose()).unwrap();
        for (signer, is_accepted) in [("a", true), ("b", true), ("c", false)] {
            let token = keys(signer).role_key("anon").unwrap();
            assert_eq!(gateway.verify(&token).is_ok(), is_accepted, "{signer}");
        }
    }

    #[test]
    fn previous_secrets_are_checked_like_the_current_one() {
        let current = "b".repeat(32);
        for unusable in ["short", &format!("{current} short"), &[current.as_str(); 4].join(" ")] {
            let error = rotated(&current, unusable).err().unwrap();
            assert_eq!(error.variable, "JWT_PREVIOUS_SECRETS");
            assert!(!error.problem.contains("short") && !error.problem.contains(&current), "{error}");
        }
        assert!(rotated(&current, " ").is_ok());
    }
}
