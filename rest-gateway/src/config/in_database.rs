//! Settings stored in the database: `alter role authenticator set pgrst.db_schemas = '…'`, or set by the
//! function that `db-pre-config` names. They override the file and the environment, and are reloaded on the
//! notification `reload config`.

use platform::env::ConfigError;

use super::Config;
use super::source::Values;

/// Settings that can change while the gateway runs. All others are ignored.
pub const CHANGEABLE: &[&str] = &[
    "client_error_verbosity",
    "db_aggregates_enabled",
    "db_anon_role",
    "db_extra_search_path",
    "db_hoisted_tx_settings",
    "db_max_rows",
    "db_plan_enabled",
    "db_pre_config",
    "db_pre_request",
    "db_prepared_statements",
    "db_exact_counts",
    "db_require_filter",
    "db_root_spec",
    "db_schemas",
    "db_strict_booleans",
    "db_tx_end",
    "db_warnings_enabled",
    "jwt_aud",
    "jwt_cache_max_entries",
    "jwt_role_claim_key",
    "jwt_secret",
    "jwt_secret_is_base64",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_cors_allowed_origins",
    "server_timing_enabled",
    "server_trace_header",
    "url_use_legacy_target_names",
];

impl Config {
    /// Returns the configuration with the database settings applied.
    ///
    /// # Errors
    /// When one of these settings is malformed.
    pub(crate) fn with_database_settings(&self, settings: &[(String, String)]) -> Result<Self, ConfigError> {
        let known = settings.iter().filter(|(name, _)| CHANGEABLE.contains(&name.as_str()));
        let values = known.fold(self.values.0.clone(), |env, (name, value)| {
            env.with(&format!("PGRST_{}", name.to_ascii_uppercase()), value)
        });
        Ok(Self {
            ignored: self.ignored.clone(),
            source: self.source.clone(),
            ..Self::from_values(Values(values))?
        })
    }
}

#[cfg(test)]
mod tests {
    use platform::env::Env;

    use super::*;

    #[test]
    fn database_settings_override_changeable_settings() {
        let env: Env = [("PGRST_DB_MAX_ROWS", "10"), ("PGRST_DB_POOL", "3")].into_iter().collect();
        let config = Config::from_env(&env).unwrap();
        let settings =
            [("db_max_rows", "5"), ("db_plan_enabled", "true"), ("db_pool", "99"), ("nothing", "x")];
        let settings: Vec<_> = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let config = config.with_database_settings(&settings).unwrap();
        assert_eq!(config.database.max_rows, Some(5));
        assert!(config.database.plan_enabled);
        assert_eq!(config.database.pool_size, 3);
        let malformed = [("db_tx_end".to_owned(), "never".to_owned())];
        assert_eq!(config.with_database_settings(&malformed).unwrap_err().variable, "PGRST_DB_TX_END");
    }
}
