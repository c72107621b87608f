//! Names, defaults and errors of settings.

use super::*;
use crate::config::database::TxEnd;

fn error(variables: &[(&str, &str)]) -> String {
    Config::from_env(&variables.iter().copied().collect()).unwrap_err().to_string()
}

#[test]
fn deprecated_names_still_work() {
    let both = [("PGRST_DB_SCHEMA", "old"), ("PGRST_MAX_ROWS", "5"), ("PGRST_DB_MAX_ROWS", "7")];
    let config = Config::from_env(&both.into_iter().collect()).unwrap();
    assert_eq!((config.database.schemas, config.database.max_rows), (vec!["old".to_owned()], Some(7)));
}

#[test]
fn defaults_are_the_same_as_postgrests() {
    let config = Config::from_env(&Env::default()).unwrap();
    assert_eq!(config.database.schemas, ["public"]);
    assert_eq!(config.database.pool_size, 10);
    assert_eq!(config.database.tx_end, TxEnd { rolls_back: false, client_decides: false });
    assert_eq!(config.server.port, 3000);
    assert!(!config.database.aggregates_enabled);
    assert!(!config.database.require_filter && !config.database.strict_booleans);
}

#[test]
fn pool_settings_have_postgrests_names_and_defaults() {
    let of = |variables: &[(&str, &str)]| {
        let database = Config::from_env(&variables.iter().copied().collect()).unwrap().database;
        let seconds = [database.pool_timeout, database.max_idle_time, database.max_lifetime];
        (seconds.map(|duration| duration.as_secs()), database.automatic_recovery)
    };
    assert_eq!(of(&[]), ([10, 30, 1800], true));
    let all = [
        ("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "1"),
        ("PGRST_DB_POOL_MAX_IDLETIME", "2"),
        ("PGRST_DB_POOL_MAX_LIFETIME", "3"),
        ("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "false"),
    ];
    assert_eq!(of(&all), ([1, 2, 3], false));
    let alias = [("PGRST_DB_POOL_MAX_IDLETIME", "2"), ("PGRST_DB_POOL_TIMEOUT", "9")];
    assert_eq!(of(&alias).0[1], 9);
    for name in ["PGRST_DB_POOL_MAX_IDLETIME", "PGRST_DB_POOL_MAX_LIFETIME"] {
        assert!(error(&[(name, "-1")]).starts_with(name));
    }
    assert!(error(&[("PGRST_DB_POOL_TIMEOUT", "x")]).starts_with("PGRST_DB_POOL_MAX_IDLETIME: "));
    assert!(error(&[("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "maybe")]).contains("maybe"));
}

#[test]
fn flags_accept_the_same_values_as_postgrest() {
    for (text, on) in
        [("TRUE", true), ("\"true\"", true), ("2", true), ("0", false), ("off", false), ("", true)]
    {
        let config = Config::from_env(&[("PGRST_DB_CONFIG", text)].into_iter().collect()).unwrap();
        assert_eq!(config.loads_database_settings, on, "{text}");
    }
}

#[test]
fn errors_name_unknown_and_malformed_settings() {
    assert_eq!(error(&[("PGRST_DB_SCHMEAS", "x")]), "PGRST_DB_SCHMEAS: is not a setting of the gateway");
    assert!(error(&[("PGRST_DB_TX_END", "maybe")]).starts_with("PGRST_DB_TX_END: "));
    assert!(error(&[("PGRST_DB_MAX_ROWS", "many")]).starts_with("PGRST_DB_MAX_ROWS: "));
    assert!(error(&[("PGRST_JWT_SECRET", "short")]).starts_with("PGRST_JWT_SECRET: "));
    assert!(error(&[("PGRST_JWT_ROLE_CLAIM_KEY", "role")]).starts_with("PGRST_JWT_ROLE_CLAIM_KEY: "));
}

#[test]
fn settings_of_earlier_versions_are_accepted() {
    let env = [("PGRST_DB_CONFIG", "false"), ("PGRST_DB_USE_LEGACY_GUCS", "false")];
    assert!(Config::from_env(&env.into_iter().collect()).is_ok());
}

#[test]
fn application_settings_accept_any_name() {
    let config = Config::from_env(&[("PGRST_APP_SETTINGS_MY_KEY", "v")].into_iter().collect()).unwrap();
    assert_eq!(config.database.app_settings, [("app.settings.my_key".to_owned(), "v".to_owned())]);
}

#[test]
fn database_settings_override_changeable_settings() {
    let env: Env = [("PGRST_DB_MAX_ROWS", "10"), ("PGRST_DB_POOL", "3")].into_iter().collect();
    let config = Config::from_env(&env).unwrap();
    let settings = [("db_max_rows", "5"), ("db_plan_enabled", "true"), ("db_pool", "99"), ("nothing", "x")];
    let settings: Vec<_> = settings.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    let config = config.with_database_settings(&settings).unwrap();
    assert_eq!(config.database.max_rows, Some(5));
    assert!(config.database.plan_enabled);
    assert_eq!(config.database.pool_size, 3);
    let malformed = [("db_tx_end".to_owned(), "never".to_owned())];
    assert_eq!(config.with_database_settings(&malformed).unwrap_err().variable, "PGRST_DB_TX_END");
}

/// All of PostgREST's settings that can change while it runs, and the gateway's own.
#[test]
fn the_table_says_which_settings_can_be_in_the_database() {
    let names: Vec<String> = settings::in_database().collect();
    assert_eq!(names.len(), 29, "{names:?}");
    for name in ["db_schemas", "jwt_secret", "jwt_secret_is_base64", "db_require_filter"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    for name in ["db_pool", "db_uri", "server_port", "log_level", "gateway_queue_length"] {
        assert!(names.iter().all(|known| known != name), "{name}");
    }
}
