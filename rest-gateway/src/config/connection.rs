//! The connection string, and libpq's environment variables for the parameters that it omits.

use std::time::Duration;

use platform::env::{ConfigError, Env};
use tokio_postgres::config::SslMode;

const URI: &str = "PGRST_DB_URI";

/// Reads the connection string, which may be in a file (`@file`).
pub fn uri(env: &Env) -> Result<String, ConfigError> {
    let text = env.optional(URI).unwrap_or("postgresql://");
    let Some(file) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
    std::fs::read_to_string(file)
        .map(|uri| uri.trim().to_owned())
        .map_err(|error| ConfigError::new(URI, format!("`{file}` can't be read: {error}")))
}

pub fn parse(uri: &str, env: &Env) -> Result<tokio_postgres::Config, ConfigError> {
    let is_name = !uri.is_empty() && !uri.contains("://") && !uri.contains('=');
    let mut connection = if is_name {
        let mut connection = tokio_postgres::Config::new();
        connection.dbname(uri);
        connection
    } else {
        // The error message omits the value, because it may contain a password.
        uri.parse().map_err(|_| ConfigError::new(URI, "is not a PostgreSQL connection string"))?
    };
    add_libpq_variables(&mut connection, env)?;
    if connection.get_ssl_mode() == SslMode::Require {
        return Err(ConfigError::new(
            URI,
            "requests TLS, which the gateway does not support for database connections",
        ));
    }
    if connection.get_application_name().is_none() {
        connection.application_name(env.optional("PGAPPNAME").unwrap_or("rest-gateway"));
    }
    detect_dead_connections(&mut connection);
    Ok(connection)
}

fn add_libpq_variables(connection: &mut tokio_postgres::Config, env: &Env) -> Result<(), ConfigError> {
    if connection.get_hosts().is_empty() && connection.get_hostaddrs().is_empty() {
        for host in env.optional("PGHOST").unwrap_or("localhost").split(',') {
            connection.host(host);
        }
    }
    if connection.get_ports().is_empty() && env.optional("PGPORT").is_some() {
        connection.port(env.parse_or("PGPORT", 5432)?);
    }
    if connection.get_user().is_none()
        && let Some(user) = env.optional("PGUSER")
    {
        connection.user(user);
    }
    if connection.get_password().is_none()
        && let Some(password) = env.optional("PGPASSWORD")
    {
        connection.password(password);
    }
    if connection.get_dbname().is_none()
        && let Some(name) = env.optional("PGDATABASE")
    {
        connection.dbname(name);
    }
    if connection.get_options().is_none()
        && let Some(options) = env.optional("PGOPTIONS")
    {
        connection.options(options);
    }
    if connection.get_connect_timeout().is_none() && env.optional("PGCONNECT_TIMEOUT").is_some() {
        connection.connect_timeout(Duration::from_secs(env.parse_or("PGCONNECT_TIMEOUT", 3)?));
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use tokio_postgres::config::Host;

    use super::*;

    fn parsed(uri: &str, env: &[(&str, &str)]) -> tokio_postgres::Config {
        parse(uri, &env.iter().copied().collect()).unwrap()
    }

    #[test]
    fn libpqs_variables_complete_the_connection_string() {
        let env = [
            ("PGHOST", "/run/pg"),
            ("PGPORT", "5433"),
            ("PGUSER", "u"),
            ("PGPASSWORD", "p"),
            ("PGDATABASE", "d"),
            ("PGAPPNAME", "a"),
        ];
        let all = parsed("postgresql://", &env);
        assert_eq!(all.get_hosts(), [Host::Unix("/run/pg".into())]);
        assert_eq!((all.get_ports(), all.get_user(), all.get_dbname()), (&[5433][..], Some("u"), Some("d")));
        assert_eq!((all.get_password(), all.get_application_name()), (Some(&b"p"[..]), Some("a")));
        let given = parsed("postgres://me:secret@db.example:1/mine?application_name=b", &env);
        assert_eq!(given.get_hosts(), [Host::Tcp("db.example".to_owned())]);
        assert_eq!(
            (given.get_ports(), given.get_user(), given.get_dbname()),
            (&[1][..], Some("me"), Some("mine"))
        );
        assert_eq!((given.get_password(), given.get_application_name()), (Some(&b"secret"[..]), Some("b")));
        assert_eq!(parsed("postgresql://", &[]).get_hosts(), [Host::Tcp("localhost".to_owned())]);
        assert_eq!(parsed("mine", &env).get_dbname(), Some("mine"));
    }

    #[test]
    fn errors_do_not_contain_the_connection_string() {
        let error = parse("postgres://u:hidden@h:port", &Env::default()).unwrap_err().to_string();
        assert!(error.starts_with(URI) && !error.contains("hidden"), "{error}");
    }
}
