//! The connection string, and libpq's environment variables for the parameters that it omits.

mod defaults;
mod parameters;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

use platform::database::{LISTEN_URL, REPLICA_URL, TargetSession, single_hosts};
use platform::env::{ConfigError, Env};
use tokio_postgres::config::{Host, SslMode};

use super::POSTGREST_VERSION;
use super::tls::{TlsConfig, TlsMode};
use defaults::Defaults;
use parameters::Separated;

const URI: &str = "PGRST_DB_URI";
const LISTEN_URI: &str = "PGRST_DB_LISTEN_URI";
const REPLICA_URI: &str = "PGRST_DB_REPLICA_URI";

/// Reads the connection string, which may be in a file (`@file`).
pub fn uri(env: &Env) -> Result<String, ConfigError> {
    let text = env.required(URI)?;
    let Some(file) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    std::fs::read_to_string(file)
        .map(|uri| uri.trim().to_owned())
        .map_err(|error| ConfigError::new(URI, format!("`{file}` can't be read: {error}")))
}

/// How to reach the database.
#[derive(Debug, Clone)]
pub struct ConnectionConfig {
    pub server: tokio_postgres::Config,
    pub tls: TlsConfig,
    /// Which of several hosts to use.
    pub wanted: TargetSession,
    /// The index of the last used address. Clones share it.
    pub preferred: Arc<AtomicUsize>,
}

/// A standby that serves reads.
#[derive(Debug, Clone)]
pub struct ReplicaConfig {
    /// The name in logs and metrics.
    pub name: String,
    pub connection: ConnectionConfig,
}

/// The connection string without a pooler, if there is one.
pub fn direct(env: &Env) -> Result<Option<ConnectionConfig>, ConfigError> {
    let found = [LISTEN_URI, LISTEN_URL].into_iter().find_map(|name| Some((name, env.optional(name)?)));
    found.map(|(name, uri)| parse(name, uri, env)).transpose()
}

/// One replica for each host. That it is a standby is checked while it is used.
pub fn replicas(env: &Env) -> Result<Vec<ReplicaConfig>, ConfigError> {
    let found = [REPLICA_URI, REPLICA_URL].into_iter().find_map(|name| Some((name, env.optional(name)?)));
    let Some((name, text)) = found else { return Ok(Vec::new()) };
    let urls = single_hosts(text).map_err(|problem| ConfigError::new(name, problem))?;
    let replica = |url: &String| {
        let connection = parse(name, url, env)?;
        let connection = ConnectionConfig { wanted: TargetSession::Any, ..connection };
        let [host, port, ..] = target(&connection.server);
        Ok(ReplicaConfig { name: format!("{host}:{port}"), connection })
    };
    urls.iter().map(replica).collect()
}

/// `name` is the setting that an error names.
pub fn parse(name: &str, uri: &str, env: &Env) -> Result<ConnectionConfig, ConfigError> {
    let is_name = !uri.is_empty() && !uri.contains("://") && !uri.contains('=');
    // The error message omits the value, because it may contain a password.
    let invalid = || ConfigError::new(name, "is not a PostgreSQL connection string");
    let mut parameters = Separated::default();
    let mut server = tokio_postgres::Config::new();
    if is_name {
        server.dbname(uri);
    } else {
        parameters = Separated::parse(uri).ok_or_else(invalid)?;
        server = parameters.supported.parse().map_err(|_| invalid())?;
    }
    let defaults = Defaults::new(env, parameters.get("service"))?;
    complete(&mut server, &defaults)?;
    if server.get_password().is_none() {
        let in_file =
            defaults.password(parameters.get("passfile"), target(&server).each_ref().map(String::as_str));
        // Serasi's own setting for all services, so that the connection string contains no secret.
        if let Some(password) = in_file.as_deref().or(env.optional("LOGIN_PASSWORD")) {
            server.password(password);
        }
    }
    if server.get_application_name().is_none() {
        let own = format!("PostgREST {POSTGREST_VERSION}");
        server.application_name(defaults.get("application_name", "PGAPPNAME").unwrap_or(&own));
    }
    // The gateway encrypts connections itself.
    server.ssl_mode(SslMode::Disable);
    detect_dead_connections(&mut server);
    let wanted = parameters
        .get("target_session_attrs")
        .or_else(|| defaults.get("target_session_attrs", "PGTARGETSESSIONATTRS"))
        .map_or(Ok(TargetSession::Any), str::parse);
    let wrong = |problem| ConfigError::new(name, problem);
    Ok(ConnectionConfig {
        server,
        tls: tls(&parameters, &defaults).map_err(wrong)?,
        wanted: wanted.map_err(wrong)?,
        preferred: Arc::default(),
    })
}

/// As in libpq, `sslrootcert` strengthens `sslmode`.
fn tls(parameters: &Separated, defaults: &Defaults<'_>) -> Result<TlsConfig, String> {
    let of_java = parameters.get("ssl").filter(|ssl| *ssl == "true").map(|_| "require");
    let mode = parameters.get("sslmode").or(of_java).or_else(|| defaults.get("sslmode", "PGSSLMODE"));
    let root = parameters.get("sslrootcert").or_else(|| defaults.get("sslrootcert", "PGSSLROOTCERT"));
    let mode = mode.map(str::parse).transpose()?;
    let mode = match (mode, root) {
        (None | Some(TlsMode::VerifyFull), Some("system")) => TlsMode::VerifyFull,
        (Some(_), Some("system")) => {
            return Err("allows sslrootcert=system only with sslmode=verify-full".to_owned());
        }
        // If certificates are named, the server's certificate is verified.
        (Some(TlsMode::Require), Some(_)) => TlsMode::VerifyCa,
        (mode, _) => mode.unwrap_or_default(),
    };
    Ok(TlsConfig { mode, root_certificate: root.filter(|root| *root != "system").map(PathBuf::from) })
}

/// Host, port, database and user, as in a password file.
fn target(server: &tokio_postgres::Config) -> [String; 4] {
    let host = match server.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        #[cfg(unix)]
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => String::new(),
    };
    let user = server.get_user().unwrap_or_default();
    let port = server.get_ports().first().copied().unwrap_or(5432);
    [host, port.to_string(), server.get_dbname().unwrap_or(user).to_owned(), user.to_owned()]
}

fn complete(server: &mut tokio_postgres::Config, defaults: &Defaults<'_>) -> Result<(), ConfigError> {
    if server.get_hosts().is_empty() && server.get_hostaddrs().is_empty() {
        for host in defaults.get("host", "PGHOST").unwrap_or("localhost").split(',') {
            server.host(host);
        }
    }
    if server.get_ports().is_empty() {
        for port in defaults.get("port", "PGPORT").into_iter().flat_map(|ports| ports.split(',')) {
            server.port(number("PGPORT", port, 5432)?);
        }
    }
    let unless = |is_given: bool, name, variable| defaults.get(name, variable).filter(|_| !is_given);
    if let Some(user) = unless(server.get_user().is_some(), "user", "PGUSER") {
        server.user(user);
    }
    if let Some(password) = unless(server.get_password().is_some(), "password", "PGPASSWORD") {
        server.password(password);
    }
    if let Some(name) = unless(server.get_dbname().is_some(), "dbname", "PGDATABASE") {
        server.dbname(name);
    }
    if let Some(options) = unless(server.get_options().is_some(), "options", "PGOPTIONS") {
        server.options(options);
    }
    let has_timeout = server.get_connect_timeout().is_some();
    if let Some(seconds) = unless(has_timeout, "connect_timeout", "PGCONNECT_TIMEOUT") {
        server.connect_timeout(Duration::from_secs(number("PGCONNECT_TIMEOUT", seconds, 3)?));
    }
    Ok(())
}

fn number<T: FromStr>(name: &'static str, text: &str, default: T) -> Result<T, ConfigError> {
    if text.is_empty() {
        return Ok(default);
    }
    text.trim().parse().map_err(|_| ConfigError::new(name, format!("`{text}` is not a number")))
}

/// Detects an unreachable database and half-open connections within seconds. Values in the connection
/// string take precedence.
fn detect_dead_connections(connection: &mut tokio_postgres::Config) {
    let unset = tokio_postgres::Config::new();
    if connection.get_connect_timeout().is_none() {
        connection.connect_timeout(Duration::from_secs(3));
    }
    if connection.get_tcp_user_timeout().is_none() {
        connection.tcp_user_timeout(Duration::from_secs(8));
    }
    if connection.get_keepalives_idle() == unset.get_keepalives_idle() {
        connection.keepalives_idle(Duration::from_secs(15));
    }
    if connection.get_keepalives_interval().is_none() {
        connection.keepalives_interval(Duration::from_secs(5));
    }
    if connection.get_keepalives_retries().is_none() {
        connection.keepalives_retries(3);
    }
}
