//! The effective configuration in the format of a configuration file, exactly as PostgREST prints it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use platform::env::Env;

use super::connection::{LISTEN_URI, REPLICA_URI};
use super::database::TxEnd;
use super::jwt::JwtSecret;
use super::openapi::OpenApiMode;
use super::{APP_SETTINGS, Config, ErrorVerbosity, with_current_names};

impl Config {
    /// One line per setting, sorted. The text contains secrets.
    pub(crate) fn dump(&self) -> String {
        let env = with_current_names(&self.values.0);
        let database = &self.database;
        let postgrest = self.database_settings(&env).into_iter().chain(self.other_settings(&env));
        let mut settings: Vec<(String, String)> =
            postgrest.map(|(name, value)| (name.to_owned(), value)).collect();
        // The gateway's own settings, and those of later versions, appear only if they are on.
        let own = [
            ("db-exact-counts", database.exact_counts),
            ("db-require-filter", database.require_filter),
            ("db-strict-booleans", database.strict_booleans),
            ("db-warnings-enabled", database.returns_warnings),
        ];
        settings.extend(
            own.into_iter().filter(|(_, on)| *on).map(|(name, on)| (name.to_owned(), on.to_string())),
        );
        let urls = [("db-listen-uri", LISTEN_URI), ("db-replica-uri", REPLICA_URI)];
        settings.extend(
            urls.into_iter()
                .filter_map(|(name, variable)| Some((name.to_owned(), quoted(env.optional(variable)?)))),
        );
        settings.extend(env.names_with_prefix(APP_SETTINGS).map(|name| {
            let key = name.strip_prefix(APP_SETTINGS).unwrap_or_default();
            (format!("app.settings.{key}"), quoted(env.given(name).unwrap_or_default()))
        }));
        let mut lines: Vec<String> =
            settings.into_iter().map(|(name, value)| format!("{name} = {value}\n")).collect();
        lines.sort();
        lines.concat()
    }

    fn database_settings(&self, env: &Env) -> Vec<(&'static str, String)> {
        let database = &self.database;
        let text = |name: &str, default: &str| quoted(env.optional(name).unwrap_or(default));
        let seconds = |duration: std::time::Duration| duration.as_secs().to_string();
        vec![
            ("db-aggregates-enabled", database.aggregates_enabled.to_string()),
            ("db-anon-role", text("PGRST_DB_ANON_ROLE", "")),
            ("db-channel", text("PGRST_DB_CHANNEL", "pgrst")),
            ("db-channel-enabled", database.channel.is_some().to_string()),
            ("db-config", self.loads_database_settings.to_string()),
            ("db-extra-search-path", quoted(&database.extra_search_path.join(","))),
            ("db-hoisted-tx-settings", quoted(&database.hoisted_settings.join(","))),
            ("db-max-rows", number(database.max_rows.map(|rows| rows.to_string()))),
            ("db-plan-enabled", database.plan_enabled.to_string()),
            ("db-pool", database.pool_size.to_string()),
            ("db-pool-acquisition-timeout", seconds(database.pool_timeout)),
            ("db-pool-automatic-recovery", database.automatic_recovery.to_string()),
            ("db-pool-max-idletime", seconds(database.max_idle_time)),
            ("db-pool-max-lifetime", seconds(database.max_lifetime)),
            ("db-pre-config", text("PGRST_DB_PRE_CONFIG", "")),
            ("db-pre-request", text("PGRST_DB_PRE_REQUEST", "")),
            ("db-prepared-statements", database.prepared_statements.to_string()),
            ("db-root-spec", text("PGRST_DB_ROOT_SPEC", "")),
            ("db-schemas", quoted(&database.schemas.join(","))),
            ("db-tx-end", quoted(tx_end(database.tx_end))),
            ("db-uri", quoted(database.uri.expose())),
        ]
    }

    fn other_settings(&self, env: &Env) -> Vec<(&'static str, String)> {
        let server = &self.server;
        let text = |name: &str, default: &str| quoted(env.optional(name).unwrap_or(default));
        let mode = |name: &str| quoted(env.optional(name).unwrap_or("660").trim_start_matches('0'));
        vec![
            ("admin-server-host", quoted(&server.admin_host.0)),
            ("admin-server-port", number(server.admin_port.map(|port| port.to_string()))),
            ("admin-server-unix-socket", text("PGRST_ADMIN_SERVER_UNIX_SOCKET", "")),
            ("admin-server-unix-socket-mode", mode("PGRST_ADMIN_SERVER_UNIX_SOCKET_MODE")),
            ("client-error-verbosity", quoted(verbosity(self.error_verbosity))),
            ("jwt-aud", text("PGRST_JWT_AUD", "")),
            ("jwt-cache-max-entries", self.jwt.cache_entries.to_string()),
            ("jwt-role-claim-key", quoted(&self.jwt.role_claim.to_string().replace('$', "$$"))),
            ("jwt-secret", quoted(&self.jwt.secret.as_ref().map(secret).unwrap_or_default())),
            ("jwt-secret-is-base64", self.jwt.secret_is_base64.to_string()),
            ("log-level", quoted(server.log_level.name())),
            ("log-query", server.log_query.to_string()),
            ("openapi-mode", quoted(openapi_mode(self.openapi.mode))),
            ("openapi-security-active", self.openapi.security.to_string()),
            ("openapi-server-proxy-uri", text("PGRST_OPENAPI_SERVER_PROXY_URI", "")),
            (
                "server-cors-allowed-origins",
                quoted(&server.cors_origins.as_deref().unwrap_or_default().join(",")),
            ),
            ("server-host", quoted(&server.host.0)),
            ("server-port", server.port.to_string()),
            ("server-reuseport", server.reuse_port.to_string()),
            ("server-timing-enabled", server.timing.to_string()),
            ("server-trace-header", text("PGRST_SERVER_TRACE_HEADER", "")),
            ("server-unix-socket", text("PGRST_SERVER_UNIX_SOCKET", "")),
            ("server-unix-socket-mode", mode("PGRST_SERVER_UNIX_SOCKET_MODE")),
            ("url-use-legacy-target-names", self.legacy_target_names.to_string()),
        ]
    }
}

fn number(number: Option<String>) -> String {
    number.unwrap_or_else(|| quoted(""))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}

fn verbosity(verbosity: ErrorVerbosity) -> &'static str {
    match verbosity {
        ErrorVerbosity::Verbose => "verbose",
        ErrorVerbosity::Minimal => "minimal",
    }
}

fn tx_end(end: TxEnd) -> &'static str {
    match end {
        TxEnd::Commit => "commit",
        TxEnd::CommitAllowOverride => "commit-allow-override",
        TxEnd::Rollback => "rollback",
        TxEnd::RollbackAllowOverride => "rollback-allow-override",
    }
}

fn openapi_mode(mode: OpenApiMode) -> &'static str {
    match mode {
        OpenApiMode::FollowPrivileges => "follow-privileges",
        OpenApiMode::IgnorePrivileges => "ignore-privileges",
        OpenApiMode::Disabled => "disabled",
    }
}

fn secret(secret: &JwtSecret) -> String {
    match secret {
        JwtSecret::Text(text) | JwtSecret::Keys(text) => text.expose().to_owned(),
        JwtSecret::Bytes(bytes) => STANDARD.encode(&bytes.0),
    }
}
