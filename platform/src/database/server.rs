//! The address of the database. sqlx supports only one host, so the choice between several is made here.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgSslMode};
use sqlx::{Connection as _, Executor as _, PgConnection};
use tokio::time::timeout;

use super::address::Address;
use super::failure::unavailable;
use super::race::race;
use super::target::TargetSession;
use super::{LISTEN_URL, URL, url};
use crate::env::{ConfigError, Env};

/// One or several hosts. A matching one is used.
#[derive(Clone)]
pub struct Server {
    hosts: Vec<PgConnectOptions>,
    wanted: TargetSession,
}

/// Two addresses of the same database. They are the same unless a pooler such as PgBouncer is in front of it.
#[derive(Clone)]
pub struct Servers {
    /// The address for transactions, which may share a pooler's connections with other clients.
    pub pooled: Server,
    /// The address for everything that needs a session: `LISTEN` and session-level locks.
    pub direct: Server,
}

impl Servers {
    /// Reads `DATABASE_URL`, `DATABASE_LISTEN_URL` and libpq's variables for encryption. The setting `password`
    /// provides the password for a URL without one.
    ///
    /// # Errors
    /// Fails when `DATABASE_URL` is missing, or one of the settings is malformed.
    pub fn from_env(env: &Env, password: &str) -> Result<Self, ConfigError> {
        let read = |name| Server::parse(name, url(env, name, password)?.expose(), env);
        let pooled = read(URL)?;
        let direct = if env.optional(LISTEN_URL).is_some() { read(LISTEN_URL)? } else { pooled.clone() };
        Ok(Self { pooled, direct })
    }

    /// Sets the `application_name` of all connections.
    #[must_use]
    pub fn application_name(self, name: &str) -> Self {
        let named = |options: PgConnectOptions| options.application_name(name);
        Self { pooled: self.pooled.map(named), direct: self.direct.map(named) }
    }
}

impl From<PgConnectOptions> for Servers {
    fn from(options: PgConnectOptions) -> Self {
        let server = Server { hosts: vec![options], wanted: TargetSession::Any };
        Self { pooled: server.clone(), direct: server }
    }
}

impl FromStr for Servers {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let server = Server::parse(URL, text, &Env::default())?;
        Ok(Self { pooled: server.clone(), direct: server })
    }
}

impl Server {
    /// Parses a connection URL. `name` is the setting that an error names.
    ///
    /// # Errors
    /// Fails when it is malformed. The message contains no password.
    pub fn parse(name: &str, text: &str, env: &Env) -> Result<Self, ConfigError> {
        let invalid = |problem: String| ConfigError::new(name, problem);
        let address = Address::parse(text)
            .ok_or_else(|| invalid("is not a URL that begins with postgres://".to_owned()))?;
        let own = ["target_session_attrs", "sslmode", "sslrootcert"];
        let urls = address.of_single_hosts(&own).map_err(invalid)?;
        let setting = |parameter: &str, variable: &str| {
            address.parameter(parameter).or_else(|| env.optional(variable).map(str::to_owned))
        };
        let (mode, root) = (setting("sslmode", "PGSSLMODE"), setting("sslrootcert", "PGSSLROOTCERT"));
        let encryption = Encryption::of(mode.as_deref(), root.as_deref()).map_err(invalid)?;
        let hosts = urls.iter().map(|url| {
            let options: PgConnectOptions =
                url.parse().map_err(|error| invalid(format!("is not a connection URL: {error}")))?;
            // PgBouncer rejects this parameter, and values are exact without it.
            Ok(encryption.apply(options).extra_float_digits(None))
        });
        let hosts = hosts.collect::<Result<Vec<_>, ConfigError>>()?;
        let wanted = match setting("target_session_attrs", "PGTARGETSESSIONATTRS") {
            Some(text) => text.parse().map_err(invalid)?,
            // All services write.
            None if hosts.len() > 1 => TargetSession::ReadWrite,
            None => TargetSession::Any,
        };
        Ok(Self { hosts, wanted })
    }

    #[must_use]
    pub fn map(mut self, change: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        self.hosts = self.hosts.into_iter().map(change).collect();
        self
    }

    /// The options of a host. There is always at least one.
    pub fn host(&self, index: usize) -> &PgConnectOptions {
        &self.hosts[index.min(self.hosts.len() - 1)]
    }

    pub fn wanted(&self) -> TargetSession {
        self.wanted
    }

    /// Connects to a matching host, within `limit`.
    ///
    /// # Errors
    /// Fails when there is none.
    pub async fn connect(&self, limit: Duration) -> sqlx::Result<PgConnection> {
        self.connect_first(0, limit).await.map(|(_, connection)| connection)
    }

    /// Tries the host `first` before the others. Returns the index of the matching host.
    pub(super) async fn connect_first(
        &self,
        first: usize,
        limit: Duration,
    ) -> sqlx::Result<(usize, PgConnection)> {
        let connected = timeout(limit, self.race(first)).await;
        connected.unwrap_or_else(|_| Err(unavailable("no answer")))
    }

    async fn race(&self, first: usize) -> sqlx::Result<(usize, PgConnection)> {
        let attempt = |index: usize| async move {
            let mut connection = pinned(self.host(index)).await?;
            let rank = self.wanted.rank(&mut connection).await?;
            Ok((connection, rank))
        };
        race(self.hosts.len(), first, attempt)
            .await
            .map_err(|error| error.unwrap_or_else(|| unavailable("no host")))
    }
}

/// Resolves names in `pg_catalog` only. With another schema in the path, a function there that fits the arguments better is
/// called instead of PostgreSQL's, with all privileges of the session.
pub const PIN: &str = "set search_path = pg_catalog, pg_temp";

/// Connects with a pinned `search_path`. Every session with privileges begins here; a test looks for others.
///
/// # Errors
/// Fails when the server is unreachable or rejects the connection.
pub async fn pinned(options: &PgConnectOptions) -> sqlx::Result<PgConnection> {
    let mut connection = PgConnection::connect_with(options).await?;
    connection.execute(PIN).await?;
    Ok(connection)
}

/// The URLs of the hosts that a connection URL names.
///
/// # Errors
/// The error says what is wrong with the URL.
pub fn single_hosts(text: &str) -> Result<Vec<String>, String> {
    let address = Address::parse(text).ok_or("is not a URL that begins with postgres://")?;
    address.of_single_hosts(&["target_session_attrs"])
}

/// `sslmode` and `sslrootcert`, with libpq's meaning: if a certificate is named, the server's certificate is
/// verified.
struct Encryption<'t> {
    mode: PgSslMode,
    root: Option<&'t str>,
    is_system: bool,
}

impl<'t> Encryption<'t> {
    fn of(mode: Option<&str>, root: Option<&'t str>) -> Result<Self, String> {
        let mode = match (mode.unwrap_or_default(), root) {
            ("" | "verify-full", Some("system")) | ("verify-full", _) => PgSslMode::VerifyFull,
            (_, Some("system")) => {
                return Err("allows sslrootcert=system only with sslmode=verify-full".to_owned());
            }
            ("disable", _) => PgSslMode::Disable,
            // sqlx's own `allow` never encrypts.
            ("" | "prefer" | "allow", _) => PgSslMode::Prefer,
            ("verify-ca", _) | ("require", Some(_)) => PgSslMode::VerifyCa,
            ("require", None) => PgSslMode::Require,
            (other, _) => {
                let choices = "disable, allow, prefer, require, verify-ca or verify-full";
                return Err(format!("has an invalid sslmode value: \"{other}\". Choose {choices}"));
            }
        };
        let is_system = root == Some("system");
        let root = root.filter(|_| !is_system);
        if let Some(path) = root {
            // Otherwise the error would only appear with the first connection.
            let text = std::fs::read_to_string(path)
                .map_err(|error| format!("names an sslrootcert that can't be read: {path}: {error}"))?;
            if !text.contains("-----BEGIN CERTIFICATE-----") {
                return Err(format!("names an sslrootcert without a PEM certificate: {path}"));
            }
        }
        Ok(Self { mode, root, is_system })
    }

    fn apply(&self, options: PgConnectOptions) -> PgConnectOptions {
        let options = options.ssl_mode(self.mode);
        match self.root {
            Some(path) => options.ssl_root_cert(path),
            // Replaces `system`, which sqlx may have read from the environment as a path.
            None if self.is_system => options.ssl_root_cert_from_pem(Vec::new()),
            None => options,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, env: &[(&str, &str)]) -> Result<Server, ConfigError> {
        Server::parse(URL, text, &env.iter().copied().collect())
    }

    #[test]
    fn several_hosts_have_options_of_their_own() {
        let server = parse("postgres://me@a:1,b:2/d?target_session_attrs=primary", &[]).unwrap();
        let hosts: Vec<_> = server.hosts.iter().map(|host| (host.get_host(), host.get_port())).collect();
        assert_eq!(hosts, [("a", 1), ("b", 2)]);
        assert_eq!(server.wanted, TargetSession::Primary);
        assert_eq!(parse("postgres://a,b/d", &[]).unwrap().wanted, TargetSession::ReadWrite);
        assert_eq!(parse("postgres://a/d", &[]).unwrap().wanted, TargetSession::Any);
    }

    #[test]
    fn encryption_means_what_libpq_means() {
        let folder = std::env::temp_dir().join(format!("platform-server-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("ca.pem").display().to_string();
        std::fs::write(&file, "-----BEGIN CERTIFICATE-----\n").unwrap();
        let mode = |parameters: &str, env: &[(&str, &str)]| {
            let server = parse(&format!("postgres://h/d{parameters}"), env)?;
            Ok::<_, ConfigError>(format!("{:?}", server.hosts[0].get_ssl_mode()))
        };
        for (parameters, expected) in [
            ("", "Prefer"),
            ("?sslmode=disable", "Disable"),
            ("?sslmode=require", "Require"),
            ("?sslmode=verify-ca", "VerifyCa"),
            ("?sslmode=verify-full", "VerifyFull"),
            ("?sslrootcert=system", "VerifyFull"),
        ] {
            assert_eq!(mode(parameters, &[]).unwrap(), expected, "{parameters}");
        }
        assert_eq!(mode(&format!("?sslmode=require&sslrootcert={file}"), &[]).unwrap(), "VerifyCa");
        assert_eq!(mode("", &[("PGSSLMODE", "require"), ("PGSSLROOTCERT", &file)]).unwrap(), "VerifyCa");
        assert_eq!(mode("?sslmode=disable", &[("PGSSLMODE", "require")]).unwrap(), "Disable");
        for (parameters, problem) in [
            ("?sslmode=on", "\"on\""),
            ("?sslmode=require&sslrootcert=system", "verify-full"),
            ("?sslrootcert=/no/such/file", "/no/such/file"),
            ("?sslrootcert=/dev/null", "/dev/null"),
            ("?target_session_attrs=x", "\"x\""),
        ] {
            let error = mode(parameters, &[]).unwrap_err().to_string();
            assert!(error.starts_with(URL) && error.contains(problem), "{error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn errors_contain_no_password() {
        for text in
            ["postgres://u:hidden@h:port/d", "u:hidden@h", "postgres://u:hidden@/d?host=a,b&port=1,2,3"]
        {
            let error = parse(text, &[]).err().unwrap().to_string();
            assert!(error.starts_with(URL) && !error.contains("hidden"), "{error}");
        }
    }
}
