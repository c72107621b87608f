//! The connection string, and libpq's environment variables for the parameters that it omits.

mod parameters;
mod password_file;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use platform::database::{LISTEN_URL, REPLICA_URL, TargetSession, single_hosts};
use platform::env::{ConfigError, Env};
use tokio_postgres::config::{Host, SslMode};

use super::POSTGREST_VERSION;
use super::tls::{TlsConfig, TlsMode};
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
    let mut parameters =
        if is_name { Separated::default() } else { Separated::parse(uri).ok_or_else(invalid)? };
    if is_name {
        parameters.add("dbname", uri);
    }
    let mut server = complete(&mut parameters, env, invalid)?;
    if server.get_password().is_none() {
        let target = target(&server);
        let in_file =
            password_file::password(parameters.get("passfile"), env, target.each_ref().map(String::as_str));
        // Serasi's own setting for all services, so that the connection string contains no secret.
        if let Some(password) = in_file.as_deref().or(env.optional("LOGIN_PASSWORD")) {
            server.password(password);
        }
    }
    // The gateway encrypts connections itself.
    server.ssl_mode(SslMode::Disable);
    let wanted = parameters
        .get("target_session_attrs")
        .or_else(|| env.optional("PGTARGETSESSIONATTRS"))
        .map_or(Ok(TargetSession::Any), str::parse);
    let wrong = |problem| ConfigError::new(name, problem);
    Ok(ConnectionConfig {
        server,
        tls: tls(&parameters, env).map_err(wrong)?,
        wanted: wanted.map_err(wrong)?,
        preferred: Arc::default(),
    })
}

/// Adds libpq's variables and defaults for what the connection string omits. The default timeouts detect an unreachable
/// database and half-open connections within seconds.
fn complete(
    parameters: &mut Separated,
    env: &Env,
    invalid: impl Fn() -> ConfigError,
) -> Result<tokio_postgres::Config, ConfigError> {
    let mut server: tokio_postgres::Config = parameters.supported.parse().map_err(|_| invalid())?;
    let unset = tokio_postgres::Config::new();
    let application = format!("PostgREST {POSTGREST_VERSION}");
    let has_host = !server.get_hosts().is_empty() || !server.get_hostaddrs().is_empty();
    let has_idle = server.get_keepalives_idle() != unset.get_keepalives_idle();
    for (is_given, parameter, variable, default) in [
        (has_host, "host", "PGHOST", "localhost"),
        (!server.get_ports().is_empty(), "port", "PGPORT", ""),
        (server.get_user().is_some(), "user", "PGUSER", ""),
        (server.get_password().is_some(), "password", "PGPASSWORD", ""),
        (server.get_dbname().is_some(), "dbname", "PGDATABASE", ""),
        (server.get_options().is_some(), "options", "PGOPTIONS", ""),
        (server.get_application_name().is_some(), "application_name", "PGAPPNAME", &application),
        (server.get_connect_timeout().is_some(), "connect_timeout", "PGCONNECT_TIMEOUT", "3"),
        (server.get_tcp_user_timeout().is_some(), "tcp_user_timeout", "", "8"),
        (has_idle, "keepalives_idle", "", "15"),
        (server.get_keepalives_interval().is_some(), "keepalives_interval", "", "5"),
        (server.get_keepalives_retries().is_some(), "keepalives_retries", "", "3"),
    ] {
        let value = env.optional(variable).unwrap_or(default);
        if !is_given && !value.is_empty() {
            parameters.add(parameter, value);
            let problem = |_| ConfigError::new(variable, format!("`{value}` is not a valid {parameter}"));
            server = parameters.supported.parse().map_err(problem)?;
        }
    }
    Ok(server)
}

/// As in libpq, `sslrootcert` strengthens `sslmode`.
fn tls(parameters: &Separated, env: &Env) -> Result<TlsConfig, String> {
    let of_java = parameters.get("ssl").filter(|ssl| *ssl == "true").map(|_| "require");
    let mode = parameters.get("sslmode").or(of_java).or_else(|| env.optional("PGSSLMODE"));
    let root = parameters.get("sslrootcert").or_else(|| env.optional("PGSSLROOTCERT"));
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
pub fn target(server: &tokio_postgres::Config) -> [String; 4] {
    let host = match server.get_hosts().first() {
        Some(Host::Tcp(name)) => name.clone(),
        Some(Host::Unix(folder)) => folder.display().to_string(),
        None => server.get_hostaddrs().first().map(ToString::to_string).unwrap_or_default(),
    };
    let user = server.get_user().unwrap_or_default();
    let port = server.get_ports().first().copied().unwrap_or(5432);
    [host, port.to_string(), server.get_dbname().unwrap_or(user).to_owned(), user.to_owned()]
}
