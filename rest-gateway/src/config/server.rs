//! Where the standalone gateway listens.

use platform::env::{ConfigError, Env};

use super::list;

pub const VARIABLES: &[&str] = &[
    "PGRST_ADMIN_SERVER_HOST",
    "PGRST_ADMIN_SERVER_PORT",
    "PGRST_LOG_LEVEL",
    "PGRST_SERVER_CORS_ALLOWED_ORIGINS",
    "PGRST_SERVER_HOST",
    "PGRST_SERVER_PORT",
    "PGRST_SERVER_TIMING_ENABLED",
    "PGRST_SERVER_TRACE_HEADER",
    "PGRST_SERVER_UNIX_SOCKET",
];

#[derive(Debug, Clone)]
pub struct ServerConfig {
    pub host: String,
    pub port: u16,
    /// Used instead of host and port.
    pub unix_socket: Option<String>,
    pub admin_host: String,
    pub admin_port: Option<u16>,
    /// A level for the `tracing` filter.
    pub log_level: &'static str,
    /// Allowed origins; `None` allows all.
    pub cors_origins: Option<Vec<String>>,
    /// Send a `Server-Timing` header.
    pub timing: bool,
    /// A request header that is copied to the response.
    pub trace_header: Option<String>,
}

impl ServerConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let host = listen_address(env.optional("PGRST_SERVER_HOST").unwrap_or("!4"));
        Ok(Self {
            port: env.parse_or("PGRST_SERVER_PORT", 3000)?,
            unix_socket: env.optional("PGRST_SERVER_UNIX_SOCKET").map(str::to_owned),
            admin_host: env.optional("PGRST_ADMIN_SERVER_HOST").map_or_else(|| host.clone(), listen_address),
            admin_port: match env.optional("PGRST_ADMIN_SERVER_PORT") {
                None => None,
                Some(_) => Some(env.parse_or("PGRST_ADMIN_SERVER_PORT", 0)?),
            },
            log_level: log_level(env)?,
            cors_origins: env.optional("PGRST_SERVER_CORS_ALLOWED_ORIGINS").map(list),
            timing: env.flag_or("PGRST_SERVER_TIMING_ENABLED", false)?,
            trace_header: env.optional("PGRST_SERVER_TRACE_HEADER").map(str::to_ascii_lowercase),
            host,
        })
    }
}

/// Translates PostgREST's special values for "any address".
fn listen_address(host: &str) -> String {
    match host {
        "*" | "!4" | "*4" => "0.0.0.0".to_owned(),
        "!6" | "*6" => "::".to_owned(),
        other => other.to_owned(),
    }
}

fn log_level(env: &Env) -> Result<&'static str, ConfigError> {
    match env.optional("PGRST_LOG_LEVEL").unwrap_or("error") {
        "crit" | "error" => Ok("error"),
        "warn" => Ok("warn"),
        "info" => Ok("info"),
        "debug" => Ok("debug"),
        other => Err(ConfigError::new(
            "PGRST_LOG_LEVEL",
            format!("`{other}` is not crit, error, warn, info or debug"),
        )),
    }
}
