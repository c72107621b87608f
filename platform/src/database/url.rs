//! The connection string, whose password may be in a separate setting.

use super::address::Address;
use crate::env::{ConfigError, Env};
use crate::secret::Secret;

/// Reads the connection string in `name`. If it has no password, the setting `password` provides it.
///
/// # Errors
/// Fails when the variable is missing.
pub fn url(env: &Env, name: &str, password: &str) -> Result<Secret, ConfigError> {
    let text = env.required(name)?;
    let completed = env.optional(password).and_then(|password| completed(text, password));
    Ok(Secret::new(completed.unwrap_or_else(|| text.to_owned())))
}

/// The connection string with another login, or `None` when it is not a URL.
pub fn with_login(text: &str, user: &str, password: &str) -> Option<Secret> {
    Address::parse(text).map(|address| Secret::new(address.with_login(user, password)))
}

/// Splits the connection string for PostgreSQL's programs: returns the URL without the password, and the password, which such a
/// program reads from its environment. `None` if the text is not a URL.
pub fn without_password(text: &str) -> Option<(String, Option<Secret>)> {
    let (url, password) = Address::parse(text)?.without_password();
    Some((url, password.map(Secret::new)))
}

/// `None` when the address has a password, or when it is not a URL, which the connection reports.
fn completed(text: &str, password: &str) -> Option<String> {
    Address::parse(text)
        .filter(|address| !address.has_password())
        .map(|address| address.with_password(password))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_of_its_own_completes_the_url() {
        let read = |text: &str| {
            let env = Env::from_iter([("DATABASE_URL", text), ("LOGIN_PASSWORD", "a/b@c")]);
            url(&env, "DATABASE_URL", "LOGIN_PASSWORD").unwrap().expose().to_owned()
        };
        assert_eq!(read("postgres://me@db/serasi"), "postgres://me:a%2Fb%40c@db/serasi");
        assert_eq!(read("postgres://me@a:1,b:2/serasi"), "postgres://me:a%2Fb%40c@a:1,b:2/serasi");
        assert_eq!(read("postgres:///serasi?host=/run"), "postgres:///serasi?host=/run&password=a%2Fb%40c");
        for complete in ["postgres://me:own@db/serasi", "postgres://me@db/serasi?password=own", "no address"]
        {
            assert_eq!(read(complete), complete);
        }
        let without = Env::from_iter([("DATABASE_URL", "postgres://me@db/serasi")]);
        assert_eq!(
            url(&without, "DATABASE_URL", "LOGIN_PASSWORD").unwrap().expose(),
            "postgres://me@db/serasi"
        );
    }
}
