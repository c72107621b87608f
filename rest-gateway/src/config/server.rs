//! Listeners, log and HTTP headers of the gateway.

use std::path::PathBuf;

use platform::env::{ConfigError, Env};

use super::{choice, flag, list, number};

/// Target of messages that a standalone gateway logs at every level: startup, reloads and SQL.
pub const STATUS_LOG: &str = "rest_gateway::status";

#[derive(Debug, Clone)]
pub struct ServerConfig {
    pub host: Host,
    pub port: u16,
    /// Other processes may listen on the same port.
    pub reuse_port: bool,
    /// Used instead of host and port.
    pub unix_socket: Option<UnixSocket>,
    pub admin_host: Host,
    pub admin_port: Option<u16>,
    pub admin_unix_socket: Option<UnixSocket>,
    pub log_level: LogLevel,
    /// Log the SQL of requests that the log level includes.
    pub log_query: bool,
    /// Allowed origins; `None` allows all.
    pub cors_origins: Option<Vec<String>>,
    /// Send a `Server-Timing` header.
    pub timing: bool,
    /// A request header that is copied to the response.
    pub trace_header: Option<String>,
}

/// An address, a host name, or one of PostgREST's names for any address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host(pub String);

impl Host {
    pub fn is_wildcard(&self) -> bool {
        matches!(self.0.as_str(), "*" | "*4" | "!4" | "*6" | "!6")
    }

    pub fn address(&self) -> &str {
        match self.0.as_str() {
            "*" | "!4" | "*4" => "0.0.0.0",
            "!6" | "*6" => "::",
            other => other,
        }
    }

    /// Whether IPv4 clients are rejected.
    pub fn is_only_v6(&self) -> bool {
        self.0 == "!6"
    }
}

#[derive(Debug, Clone)]
pub struct UnixSocket {
    pub path: PathBuf,
    /// The file's permissions.
    pub mode: u32,
}

/// PostgREST's levels. Each one includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    Crit,
    /// Responses with status 5xx.
    Error,
    /// Responses with status 4xx.
    Warn,
    /// All requests.
    Info,
    Debug,
}

impl LogLevel {
    /// The level of the `tracing` filter. PostgREST's debug messages have the target [`STATUS_LOG`].
    pub fn filter(self) -> &'static str {
        match self {
            Self::Crit | Self::Error => "error",
            Self::Warn => "warn",
            Self::Info | Self::Debug => "info",
        }
    }

    pub fn includes(self, status: u16) -> bool {
        match self {
            Self::Crit => false,
            Self::Error => status >= 500,
            Self::Warn => status >= 400,
            Self::Info | Self::Debug => true,
        }
    }
}

const LOG_LEVELS: [(&str, LogLevel); 5] = [
    ("crit", LogLevel::Crit),
    ("error", LogLevel::Error),
    ("warn", LogLevel::Warn),
    ("info", LogLevel::Info),
    ("debug", LogLevel::Debug),
];

impl ServerConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let host = Host(env.required("PGRST_SERVER_HOST")?.to_owned());
        let port = number(env, "PGRST_SERVER_PORT")?;
        Ok(Self {
            port,
            reuse_port: flag(env, "PGRST_SERVER_REUSEPORT")?,
            unix_socket: unix_socket(env, "PGRST_SERVER_UNIX_SOCKET", "PGRST_SERVER_UNIX_SOCKET_MODE")?,
            admin_host: Host(env.optional("PGRST_ADMIN_SERVER_HOST").unwrap_or(&host.0).to_owned()),
            admin_port: admin_port(env, port)?,
            admin_unix_socket: unix_socket(
                env,
                "PGRST_ADMIN_SERVER_UNIX_SOCKET",
                "PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE",
            )?,
            log_level: choice(env, "PGRST_LOG_LEVEL", "logging level", &LOG_LEVELS)?,
            log_query: flag(env, "PGRST_LOG_QUERY")?,
            cors_origins: env.optional("PGRST_SERVER_CORS_ALLOWED_ORIGINS").map(list),
            timing: flag(env, "PGRST_SERVER_TIMING_ENABLED")?,
            trace_header: env.optional("PGRST_SERVER_TRACE_HEADER").map(str::to_ascii_lowercase),
            host,
        })
    }
}

fn admin_port(env: &Env, port: u16) -> Result<Option<u16>, ConfigError> {
    let name = "PGRST_ADMIN_SERVER_PORT";
    if env.optional(name).is_none() {
        return Ok(None);
    }
    let admin = number(env, name)?;
    if admin == port {
        return Err(ConfigError::new(name, "admin-server-port cannot be the same as server-port"));
    }
    Ok(Some(admin))
}

fn unix_socket(env: &Env, path: &str, mode_name: &str) -> Result<Option<UnixSocket>, ConfigError> {
    let text = env.required(mode_name)?;
    let mode = u32::from_str_radix(text, 8)
        .map_err(|_| ConfigError::new(mode_name, format!("`{text}` is not an octal number")))?;
    if !(0o600..=0o777).contains(&mode) {
        return Err(ConfigError::new(mode_name, "needs to be between 600 and 777"));
    }
    Ok(env.optional(path).map(|path| UnixSocket { path: path.into(), mode }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(variables: &[(&str, &str)]) -> Result<ServerConfig, ConfigError> {
        crate::Config::from_env(&variables.iter().copied().collect()).map(|config| config.server)
    }

    #[test]
    fn a_sockets_mode_is_octal() {
        let mode = |mode| {
            let all = [("PGRST_SERVER_UNIX_SOCKET", "/tmp/x"), ("PGRST_SERVER_UNIX_SOCKET_MODE", mode)];
            parsed(&all).map(|server| server.unix_socket.unwrap().mode)
        };
        assert_eq!((mode("").unwrap(), mode("777").unwrap()), (0o660, 0o777));
        for wrong in ["800", "577", "1000", "rw"] {
            assert_eq!(mode(wrong).unwrap_err().variable, "PGRST_SERVER_UNIX_SOCKET_MODE", "{wrong}");
        }
    }

    #[test]
    fn log_levels_include_responses_by_status() {
        let included = |level: &str| {
            let level = parsed(&[("PGRST_LOG_LEVEL", level)]).unwrap().log_level;
            [500, 404, 200].map(|status| level.includes(status))
        };
        assert_eq!(included("crit"), [false, false, false]);
        assert_eq!(included(""), [true, false, false]);
        assert_eq!(included("warn"), [true, true, false]);
        assert_eq!((included("info"), included("debug")), ([true; 3], [true; 3]));
        assert!(parsed(&[("PGRST_LOG_LEVEL", "never")]).is_err());
    }

    #[test]
    fn the_admin_port_differs_from_the_public_port() {
        assert_eq!(parsed(&[("PGRST_ADMIN_SERVER_PORT", "3001")]).unwrap().admin_port, Some(3001));
        assert_eq!(
            parsed(&[("PGRST_ADMIN_SERVER_PORT", "3000")]).unwrap_err().variable,
            "PGRST_ADMIN_SERVER_PORT"
        );
    }
}
