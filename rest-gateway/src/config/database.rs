//! The database connection and what the API exposes of the database.

use std::str::FromStr;
use std::time::Duration;

use platform::env::{ConfigError, Env};
use tokio_postgres::config::SslMode;

use super::{APP_SETTINGS, list, positive};

pub const VARIABLES: &[&str] = &[
    "PGRST_DB_AGGREGATES_ENABLED",
    "PGRST_DB_ANON_ROLE",
    "PGRST_DB_CHANNEL",
    "PGRST_DB_CHANNEL_ENABLED",
    "PGRST_DB_EXTRA_SEARCH_PATH",
    "PGRST_DB_HOISTED_TX_SETTINGS",
    "PGRST_DB_MAX_ROWS",
    "PGRST_DB_PLAN_ENABLED",
    "PGRST_DB_POOL",
    "PGRST_DB_POOL_ACQUISITION_TIMEOUT",
    "PGRST_DB_PREPARED_STATEMENTS",
    "PGRST_DB_PRE_REQUEST",
    "PGRST_DB_REQUIRE_FILTER",
    "PGRST_DB_ROOT_SPEC",
    "PGRST_DB_SCHEMAS",
    "PGRST_DB_EXACT_COUNTS",
    "PGRST_DB_STRICT_BOOLEANS",
    "PGRST_DB_TX_END",
    "PGRST_DB_URI",
];

#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    pub connection: tokio_postgres::Config,
    pub pool_size: usize,
    pub pool_timeout: Duration,
    pub prepared_statements: bool,
    pub schemas: Vec<String>,
    pub extra_search_path: Vec<String>,
    /// The role of requests without a token. If unset, anonymous access is disabled.
    pub anon_role: Option<String>,
    pub max_rows: Option<i64>,
    /// Schema and name of a function that every transaction calls first.
    pub pre_request: Option<(String, String)>,
    /// A function that serves the root endpoint instead of the OpenAPI description.
    pub root_spec: Option<String>,
    pub tx_end: TxEnd,
    pub plan_enabled: bool,
    pub aggregates_enabled: bool,
    /// Reject updates and deletes without a filter.
    pub require_filter: bool,
    /// Return exact counts even if the client asks for an estimate. Estimates come from statistics, which
    /// include rows that RLS hides.
    pub exact_counts: bool,
    /// Accept only JSON booleans for boolean columns, not `"yes"` or `1`.
    pub strict_booleans: bool,
    /// Function settings that apply to the whole transaction.
    pub hoisted_settings: Vec<String>,
    /// The channel for schema reload notifications; `None` disables listening.
    pub channel: Option<String>,
    pub app_settings: Vec<(String, String)>,
}

/// How transactions end, and whether clients may override it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TxEnd {
    Commit,
    CommitAllowOverride,
    Rollback,
    RollbackAllowOverride,
}

impl TxEnd {
    pub fn client_decides(self) -> bool {
        matches!(self, Self::CommitAllowOverride | Self::RollbackAllowOverride)
    }

    pub fn rolls_back(self) -> bool {
        matches!(self, Self::Rollback | Self::RollbackAllowOverride)
    }
}

impl FromStr for TxEnd {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "commit" => Ok(Self::Commit),
            "commit-allow-override" => Ok(Self::CommitAllowOverride),
            "rollback" => Ok(Self::Rollback),
            "rollback-allow-override" => Ok(Self::RollbackAllowOverride),
            _ => Err("choose commit, commit-allow-override, rollback or rollback-allow-override"),
        }
    }
}

impl DatabaseConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let list_or = |name, default: &str| list(env.optional(name).unwrap_or(default));
        let schemas = list_or("PGRST_DB_SCHEMAS", "public");
        if let Some(internal) =
            schemas.iter().find(|schema| matches!(schema.as_str(), "pg_catalog" | "information_schema"))
        {
            return Err(ConfigError::new(
                "PGRST_DB_SCHEMAS",
                format!("`{internal}` is a system schema and can't be exposed"),
            ));
        }
        if schemas.is_empty() {
            return Err(ConfigError::new("PGRST_DB_SCHEMAS", "names no schema"));
        }
        let channel = env.optional("PGRST_DB_CHANNEL").unwrap_or("pgrst").to_owned();
        let default_schema = schemas.first().cloned().unwrap_or_default();
        Ok(Self {
            connection: connection(env)?,
            pool_size: positive(env, "PGRST_DB_POOL", 10)?,
            pool_timeout: Duration::from_secs(env.parse_or("PGRST_DB_POOL_ACQUISITION_TIMEOUT", 10)?),
            prepared_statements: env.flag_or("PGRST_DB_PREPARED_STATEMENTS", true)?,
            schemas,
            // An empty value means that only the exposed schema is searched.
            extra_search_path: list(env.given("PGRST_DB_EXTRA_SEARCH_PATH").unwrap_or("public")),
            anon_role: env.optional("PGRST_DB_ANON_ROLE").map(str::to_owned),
            max_rows: max_rows(env)?,
            pre_request: env.optional("PGRST_DB_PRE_REQUEST").map(|name| match name.split_once('.') {
                Some((schema, function)) => (schema.to_owned(), function.to_owned()),
                None => (default_schema, name.to_owned()),
            }),
            root_spec: env.optional("PGRST_DB_ROOT_SPEC").map(str::to_owned),
            tx_end: env.parse_or("PGRST_DB_TX_END", TxEnd::Commit)?,
            plan_enabled: env.flag_or("PGRST_DB_PLAN_ENABLED", false)?,
            aggregates_enabled: env.flag_or("PGRST_DB_AGGREGATES_ENABLED", false)?,
            require_filter: env.flag_or("PGRST_DB_REQUIRE_FILTER", false)?,
            exact_counts: env.flag_or("PGRST_DB_EXACT_COUNTS", false)?,
            strict_booleans: env.flag_or("PGRST_DB_STRICT_BOOLEANS", false)?,
            hoisted_settings: list_or(
                "PGRST_DB_HOISTED_TX_SETTINGS",
                "statement_timeout, plan_filter.statement_cost_limit, default_transaction_isolation",
            ),
            channel: env.flag_or("PGRST_DB_CHANNEL_ENABLED", true)?.then_some(channel),
            app_settings: app_settings(env),
        })
    }
}

fn connection(env: &Env) -> Result<tokio_postgres::Config, ConfigError> {
    let text = env.optional("PGRST_DB_URI").unwrap_or("postgresql://localhost");
    // The error message omits the value, because it may contain a password.
    let mut connection: tokio_postgres::Config = text
        .parse()
        .map_err(|_| ConfigError::new("PGRST_DB_URI", "is not a PostgreSQL connection string"))?;
    if connection.get_ssl_mode() == SslMode::Require {
        return Err(ConfigError::new(
            "PGRST_DB_URI",
            "requests TLS, which the gateway does not support for database connections",
        ));
    }
    if connection.get_application_name().is_none() {
        connection.application_name("rest-gateway");
    }
    detect_dead_connections(&mut connection);
    Ok(connection)
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

fn max_rows(env: &Env) -> Result<Option<i64>, ConfigError> {
    match env.optional("PGRST_DB_MAX_ROWS") {
        None => Ok(None),
        Some(_) => env.parse_or("PGRST_DB_MAX_ROWS", 0).map(Some),
    }
}

fn app_settings(env: &Env) -> Vec<(String, String)> {
    env.names_with_prefix(APP_SETTINGS)
        .filter_map(|name| {
            let key = name.strip_prefix(APP_SETTINGS)?.to_ascii_lowercase();
            Some((format!("app.settings.{key}"), env.optional(name)?.to_owned()))
        })
        .collect()
}
