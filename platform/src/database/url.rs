//! The connection string, whose password may be a setting of its own.

use url::Url;

use super::URL;
use crate::env::{ConfigError, Env};
use crate::secret::Secret;

/// Reads `DATABASE_URL`. If it has no password, the setting `password` provides it.
///
/// # Errors
/// Fails when `DATABASE_URL` is missing.
pub fn url(env: &Env, password: &str) -> Result<Secret, ConfigError> {
    let text = env.required(URL)?;
    let completed = env.optional(password).and_then(|password| completed(text, password));
    Ok(Secret::new(completed.unwrap_or_else(|| text.to_owned())))
}

/// `None` when the address has a password, or when it is not a URL, which the connection reports.
fn completed(text: &str, password: &str) -> Option<String> {
    let mut url = Url::parse(text).ok()?;
    if url.password().is_some() || url.query_pairs().any(|(name, _)| name == "password") {
        return None;
    }
    // A URL without a host, such as that of a Unix socket, has no place for a password before its path.
    if url.set_password(Some(password)).is_err() {
        url.query_pairs_mut().append_pair("password", password);
    }
    Some(url.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_of_its_own_completes_the_url() {
        let read = |text: &str| {
            let env = Env::from_iter([("DATABASE_URL", text), ("LOGIN_PASSWORD", "a/b@c")]);
            url(&env, "LOGIN_PASSWORD").unwrap().expose().to_owned()
        };
        assert_eq!(read("postgres://me@db/serasi"), "postgres://me:a%2Fb%40c@db/serasi");
        assert_eq!(read("postgres:///serasi?host=/run"), "postgres:///serasi?host=/run&password=a%2Fb%40c");
        for complete in ["postgres://me:own@db/serasi", "postgres://me@db/serasi?password=own", "no address"]
        {
            assert_eq!(read(complete), complete);
        }
        let without = Env::from_iter([("DATABASE_URL", "postgres://me@db/serasi")]);
        assert_eq!(url(&without, "LOGIN_PASSWORD").unwrap().expose(), "postgres://me@db/serasi");
    }
}
