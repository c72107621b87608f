//! The URLs of the database, for programs and services.

use anyhow::Context;
use platform::database::with_login;
use platform::secret::Secret;

use super::{DEVELOPER, Database};
use crate::keys::Keys;

/// # Errors
/// When the URL is not one of PostgreSQL.
pub fn url_with_login(url: &Secret, login: &str, password: &Secret) -> anyhow::Result<Secret> {
    let url = with_login(url.expose(), login, password.expose());
    url.context("the URL of the database does not begin with postgres://")
}

impl Database {
    /// The superuser's URL without a pooler, for programs of PostgreSQL that this process starts.
    pub fn direct_url(&self) -> &Secret {
        &self.direct
    }

    /// The superuser URL, for migrations and for psql.
    pub fn admin_url(&self) -> &Secret {
        &self.url
    }

    /// The superuser's URL of another database on the same server.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn url_of(&self, name: &str) -> anyhow::Result<Secret> {
        let url = self.direct.expose();
        let (scheme, rest) =
            url.split_once("://").context("DATABASE_URL is not a URL that begins with postgres://")?;
        let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
        let server = address.split('/').next().unwrap_or_default();
        Ok(Secret::new(format!("{scheme}://{server}/{name}?{query}").trim_end_matches('?')))
    }

    /// The URL of developers, for psql.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn developer_url(&self, keys: &Keys) -> anyhow::Result<Secret> {
        url_with_login(&self.url, DEVELOPER, &keys.login_password(DEVELOPER))
    }

    /// The connection URL for a service's login.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn login_url(&self, login: &str, keys: &Keys) -> anyhow::Result<Secret> {
        let url = if self.is_embedded() { &self.direct } else { &self.url };
        url_with_login(url, login, &keys.login_password(login))
    }

    /// The same without a pooler. Empty, which counts as absent, if there is no pooler.
    ///
    /// # Errors
    /// When `DATABASE_LISTEN_URL` is not a URL.
    pub fn direct_login_url(&self, login: &str, keys: &Keys) -> anyhow::Result<String> {
        if self.is_embedded() || self.url.expose() == self.direct.expose() {
            return Ok(String::new());
        }
        let url = url_with_login(&self.direct, login, &keys.login_password(login))?;
        Ok(url.expose().to_owned())
    }
}
