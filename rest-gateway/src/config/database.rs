//! The database connection, and what the API exposes.

use std::time::Duration;

use platform::env::{ConfigError, Env};
use platform::secret::Secret;

use super::connection::{self, ConnectionConfig, ReplicaConfig};
use super::settings::{APP_SETTINGS, EXTRA_SEARCH_PATH};
use super::{choice, flag, list, number, positive, seconds, text};

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

/// How transactions end, and whether clients may override it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TxEnd {
    pub rolls_back: bool,
    pub client_decides: bool,
}

const TX_ENDS: [(&str, TxEnd); 4] = [
    ("commit", TxEnd { rolls_back: false, client_decides: false }),
    ("commit-allow-override", TxEnd { rolls_back: false, client_decides: true }),
    ("rollback", TxEnd { rolls_back: true, client_decides: false }),
    ("rollback-allow-override", TxEnd { rolls_back: true, client_decides: true }),
];

impl DatabaseConfig {
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let uri = connection::uri(env)?;
        let connection = connection::parse("PGRST_DB_URI", &uri, env)?;
        let listens = flag(env, "PGRST_DB_CHANNEL_ENABLED")?;
        let max_rows = env.optional("PGRST_DB_MAX_ROWS").map(|_| number(env, "PGRST_DB_MAX_ROWS"));
        let function_named = |name| env.optional(name).map(function);
        Ok(Self {
            direct: connection::direct(env)?.unwrap_or_else(|| connection.clone()),
            connection,
            replicas: connection::replicas(env)?,
            replica_lag: Duration::from_secs(env.parse_or("DATABASE_REPLICA_LAG_SECONDS", 5)?),
            uri: Secret::new(uri),
            pool_size: positive(env, "PGRST_DB_POOL")?,
            pool_timeout: seconds(env, "PGRST_DB_POOL_ACQUISITION_TIMEOUT")?,
            max_idle_time: seconds(env, "PGRST_DB_POOL_MAX_IDLETIME")?,
            max_lifetime: seconds(env, "PGRST_DB_POOL_MAX_LIFETIME")?,
            automatic_recovery: flag(env, "PGRST_DB_POOL_AUTOMATIC_RECOVERY")?,
            prepared_statements: flag(env, "PGRST_DB_PREPARED_STATEMENTS")?,
            largest_row: positive(env, "GATEWAY_MAX_RESPONSE_BYTES")?,
            schemas: schemas(env)?,
            extra_search_path: list(env.given(EXTRA_SEARCH_PATH).unwrap_or_default()),
            anon_role: text(env, "PGRST_DB_ANON_ROLE"),
            max_rows: max_rows.transpose()?,
            pre_config: function_named("PGRST_DB_PRE_CONFIG"),
            pre_request: function_named("PGRST_DB_PRE_REQUEST"),
            root_spec: text(env, "PGRST_DB_ROOT_SPEC"),
            tx_end: choice(env, "PGRST_DB_TX_END", "transaction termination", &TX_ENDS)?,
            plan_enabled: flag(env, "PGRST_DB_PLAN_ENABLED")?,
            aggregates_enabled: flag(env, "PGRST_DB_AGGREGATES_ENABLED")?,
            require_filter: flag(env, "PGRST_DB_REQUIRE_FILTER")?,
            exact_counts: flag(env, "PGRST_DB_EXACT_COUNTS")?,
            strict_booleans: flag(env, "PGRST_DB_STRICT_BOOLEANS")?,
            returns_warnings: flag(env, "PGRST_DB_WARNINGS_ENABLED")?,
            hoisted_settings: list(env.required("PGRST_DB_HOISTED_TX_SETTINGS")?),
            channel: text(env, "PGRST_DB_CHANNEL").filter(|_| listens),
            app_settings: app_settings(env),
            schema_cache_delay: schema_cache_delay(env)?,
        })
    }
}

/// The schema, if there is one, and the name.
pub fn function(text: &str) -> (Option<String>, String) {
    match text.split_once('.') {
        Some((schema, name)) => (Some(schema.to_owned()), name.to_owned()),
        None => (None, text.to_owned()),
    }
}

fn schemas(env: &Env) -> Result<Vec<String>, ConfigError> {
    let schemas = list(env.required("PGRST_DB_SCHEMAS")?);
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
