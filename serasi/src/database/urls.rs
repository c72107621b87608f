//! The URLs of the database, for programs and services.

use anyhow::Context;
use platform::database::with_login;
use platform::secret::Secret;

use super::{DEVELOPER, Database, NAME};
use crate::keys::Keys;

/// # Errors
/// When the URL is not one of PostgreSQL.
pub fn url_with_login(url: &Secret, login: &str, password: &Secret) -> anyhow::Result<Secret> {
    let url = with_login(url.expose(), login, password.expose());
    url.context("DATABASE_URL is not a URL that begins with postgres://")
}

impl Database {
    /// The superuser's URL without a pooler, for programs of PostgreSQL that this process starts.
    pub fn direct_url(&self) -> Secret {
        match self {
            Self::Remote { direct, .. } => direct.clone(),
            Self::Embedded { server } => Secret::new(server.own_url(NAME)),
        }
    }

    /// The superuser URL, for migrations and for psql.
    pub fn admin_url(&self) -> Secret {
        match self {
            Self::Remote { url, .. } => url.clone(),
            Self::Embedded { server } => Secret::new(server.superuser_url(NAME)),
        }
    }

    /// The superuser's URL of another database on the same server.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn url_of(&self, name: &str) -> anyhow::Result<Secret> {
        let url = match self {
            Self::Embedded { server } => return Ok(Secret::new(server.own_url(name))),
            Self::Remote { direct, .. } => direct.expose(),
        };
        let (address, query) = url.split_once('?').map_or((url, ""), |(address, query)| (address, query));
        let rest =
            address.split_once("://").context("DATABASE_URL is not a URL that begins with postgres://")?.1;
        let server = &address[..address.len() - rest.split_once('/').map_or(0, |(_, name)| name.len() + 1)];
        let query = if query.is_empty() { String::new() } else { format!("?{query}") };
        Ok(Secret::new(format!("{server}/{name}{query}")))
    }

    /// The URL of developers, for psql.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn developer_url(&self, keys: &Keys) -> anyhow::Result<Secret> {
        url_with_login(&self.admin_url(), DEVELOPER, &keys.login_password(DEVELOPER))
    }

    /// The connection URL for a service's login.
    ///
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn login_url(&self, login: &str, keys: &Keys) -> anyhow::Result<Secret> {
        let password = keys.login_password(login);
        match self {
            Self::Embedded { server } => Ok(Secret::new(server.login_url(login, &password, NAME))),
            Self::Remote { url, .. } => url_with_login(url, login, &password),
        }
    }

    /// The same without a pooler, or `None` if there is none.
    ///
    /// # Errors
    /// When `DATABASE_LISTEN_URL` is not a URL.
    pub fn direct_login_url(&self, login: &str, keys: &Keys) -> anyhow::Result<Option<Secret>> {
        match self {
            Self::Remote { url, direct, .. } if url.expose() != direct.expose() => {
                with_login(direct.expose(), login, keys.login_password(login).expose())
                    .context("DATABASE_LISTEN_URL is not a URL that begins with postgres://")
                    .map(Some)
            }
            _ => Ok(None),
        }
    }
}
