//! The database connection, and what the API exposes.

use std::str::FromStr;
use std::time::Duration;

use platform::env::{ConfigError, Env};
use platform::secret::Secret;

use super::connection::{self, ConnectionConfig, ReplicaConfig};
use super::{APP_SETTINGS, flag, list, positive};

pub const VARIABLES: &[&str] = &[
    "PGRST_DB_AGGREGATES_ENABLED",
    "PGRST_DB_ANON_ROLE",
    "PGRST_DB_CHANNEL",
    "PGRST_DB_CHANNEL_ENABLED",
    "PGRST_DB_EXTRA_SEARCH_PATH",
    "PGRST_DB_HOISTED_TX_SETTINGS",
    connection::LISTEN_URI,
    "PGRST_DB_MAX_ROWS",
    "PGRST_DB_PLAN_ENABLED",
    "PGRST_DB_POOL",
    "PGRST_DB_POOL_ACQUISITION_TIMEOUT",
    "PGRST_DB_POOL_AUTOMATIC_RECOVERY",
    "PGRST_DB_POOL_MAX_IDLETIME",
    "PGRST_DB_POOL_MAX_LIFETIME",
    "PGRST_DB_PRE_CONFIG",
    "PGRST_DB_PREPARED_STATEMENTS",
    "PGRST_DB_PRE_REQUEST",
    connection::REPLICA_URI,
    "PGRST_DB_REQUIRE_FILTER",
    "PGRST_DB_ROOT_SPEC",
    "PGRST_DB_SCHEMAS",
    "PGRST_DB_EXACT_COUNTS",
    "PGRST_DB_STRICT_BOOLEANS",
    "PGRST_DB_TX_END",
    "PGRST_DB_URI",
    "PGRST_DB_WARNINGS_ENABLED",
    "PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP",
    "PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP_BEFORE_QUERIES",
];

#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    pub connection: ConnectionConfig,
    /// The address without a pooler, for notifications and for reading the schema.
    pub direct: ConnectionConfig,
    /// Standbys that serve reads.
    pub replicas: Vec<ReplicaConfig>,
    /// A replica that is further behind is not used.
    pub replica_lag: Duration,
    /// The connection string.
    pub uri: Secret,
    pub pool_size: usize,
    /// How long a request waits for a connection.
    pub pool_timeout: Duration,
    /// Connections that were not used for this long are closed.
    pub max_idle_time: Duration,
    /// Older connections are closed when they become idle.
    pub max_lifetime: Duration,
    /// Reconnect after the connection to the database was lost. If disabled, the gateway stops.
    pub automatic_recovery: bool,
    pub prepared_statements: bool,
    /// The largest row of a result in bytes. A response is one row.
    pub largest_row: usize,
    pub schemas: Vec<String>,
    pub extra_search_path: Vec<String>,
    /// The role of requests without a token. If unset, anonymous access is disabled.
    pub anon_role: Option<String>,
    pub max_rows: Option<i64>,
    /// A function that sets settings with `set_config('pgrst.…', …)`. The schema is optional.
    pub pre_config: Option<(Option<String>, String)>,
    /// A function that every transaction calls first. The schema is optional.
    pub pre_request: Option<(Option<String>, String)>,
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
    /// Errors in responses contain the warnings that PostgreSQL raised earlier in the request.
    pub returns_warnings: bool,
    /// Function settings that apply to the whole transaction.
    pub hoisted_settings: Vec<String>,
    /// The channel for schema reload notifications; `None` disables listening.
    pub channel: Option<String>,
    pub app_settings: Vec<(String, String)>,
    /// PostgREST's settings for its tests: the schema cache is read after this time.
    pub schema_cache_delay: Option<Duration>,
}

/// Not one of PostgREST's settings.
const REPLICA_LAG: &str = "DATABASE_REPLICA_LAG_SECONDS";
/// Also not one of PostgREST's settings.
pub const LARGEST_RESPONSE: &str = "GATEWAY_MAX_RESPONSE_BYTES";
const DEFAULT_LARGEST_RESPONSE: usize = 128 * 1024 * 1024;

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
            _ => Err(
                "Invalid transaction termination. Check your configuration. Choose commit, commit-allow-override, rollback or rollback-allow-override",
            ),
        }
    }
}

impl DatabaseConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let list_or = |name, default: &str| list(env.optional(name).unwrap_or(default));
        let schemas = schemas(env)?;
        let channel = env.optional("PGRST_DB_CHANNEL").unwrap_or("pgrst").to_owned();
        let seconds = |name, default| env.parse_or(name, default).map(Duration::from_secs);
        let uri = connection::uri(env)?;
        let connection = connection::parse("PGRST_DB_URI", &uri, env)?;
        Ok(Self {
            direct: connection::direct(env)?.unwrap_or_else(|| connection.clone()),
            connection,
            replicas: connection::replicas(env)?,
            replica_lag: seconds(REPLICA_LAG, 5)?,
            uri: Secret::new(uri),
            pool_size: positive(env, "PGRST_DB_POOL", 10)?,
            pool_timeout: seconds("PGRST_DB_POOL_ACQUISITION_TIMEOUT", 10)?,
            max_idle_time: seconds("PGRST_DB_POOL_MAX_IDLETIME", 30)?,
            max_lifetime: seconds("PGRST_DB_POOL_MAX_LIFETIME", 1800)?,
            automatic_recovery: flag(env, "PGRST_DB_POOL_AUTOMATIC_RECOVERY", true)?,
            prepared_statements: flag(env, "PGRST_DB_PREPARED_STATEMENTS", true)?,
            largest_row: positive(env, LARGEST_RESPONSE, DEFAULT_LARGEST_RESPONSE)?,
            schemas,
            // If the value is empty, only the exposed schema is searched.
            extra_search_path: list(env.given("PGRST_DB_EXTRA_SEARCH_PATH").unwrap_or("public")),
            anon_role: env.optional("PGRST_DB_ANON_ROLE").map(str::to_owned),
            max_rows: max_rows(env)?,
            pre_config: env.optional("PGRST_DB_PRE_CONFIG").map(function),
            pre_request: env.optional("PGRST_DB_PRE_REQUEST").map(function),
            root_spec: env.optional("PGRST_DB_ROOT_SPEC").map(str::to_owned),
            tx_end: env.parse_or("PGRST_DB_TX_END", TxEnd::Commit)?,
            plan_enabled: flag(env, "PGRST_DB_PLAN_ENABLED", false)?,
            aggregates_enabled: flag(env, "PGRST_DB_AGGREGATES_ENABLED", false)?,
            require_filter: flag(env, "PGRST_DB_REQUIRE_FILTER", false)?,
            exact_counts: flag(env, "PGRST_DB_EXACT_COUNTS", false)?,
            strict_booleans: flag(env, "PGRST_DB_STRICT_BOOLEANS", false)?,
            returns_warnings: flag(env, "PGRST_DB_WARNINGS_ENABLED", false)?,
            hoisted_settings: list_or(
                "PGRST_DB_HOISTED_TX_SETTINGS",
                "statement_timeout, plan_filter.statement_cost_limit, default_transaction_isolation",
            ),
            channel: flag(env, "PGRST_DB_CHANNEL_ENABLED", true)?.then_some(channel),
            app_settings: app_settings(env),
            schema_cache_delay: schema_cache_delay(env)?,
        })
    }
}

/// The schema, if there is one, and the name.
fn function(text: &str) -> (Option<String>, String) {
    match text.split_once('.') {
        Some((schema, name)) => (Some(schema.to_owned()), name.to_owned()),
        None => (None, text.to_owned()),
    }
}

fn schemas(env: &Env) -> Result<Vec<String>, ConfigError> {
    let schemas = list(env.optional("PGRST_DB_SCHEMAS").unwrap_or("public"));
    if let Some(internal) =
        schemas.iter().find(|schema| matches!(schema.as_str(), "pg_catalog" | "information_schema"))
    {
        return Err(ConfigError::new(
            "PGRST_DB_SCHEMAS",
            format!("db-schemas does not allow schema: '{internal}'"),
        ));
    }
    if schemas.is_empty() {
        return Err(ConfigError::new("PGRST_DB_SCHEMAS", "names no schema"));
    }
    Ok(schemas)
}

fn max_rows(env: &Env) -> Result<Option<i64>, ConfigError> {
    match env.optional("PGRST_DB_MAX_ROWS") {
        None => Ok(None),
        Some(_) => env.parse_or("PGRST_DB_MAX_ROWS", 0).map(Some),
    }
}

fn schema_cache_delay(env: &Env) -> Result<Option<Duration>, ConfigError> {
    let before = env.parse_or("PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP_BEFORE_QUERIES", 0)?;
    let milliseconds: u64 = env.parse_or("PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP", before)?;
    Ok((milliseconds > 0).then(|| Duration::from_millis(milliseconds)))
}

fn app_settings(env: &Env) -> Vec<(String, String)> {
    env.names_with_prefix(APP_SETTINGS)
        .filter_map(|name| {
            let key = name.strip_prefix(APP_SETTINGS)?.to_ascii_lowercase();
            Some((format!("app.settings.{key}"), env.optional(name)?.to_owned()))
        })
        .collect()
}
