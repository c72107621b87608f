//! The table of all settings is `settings.conf`: names, types, defaults and where they can be set. `--example` prints it.

use std::sync::LazyLock;

use platform::env::Env;

/// Lines that begin with one # are settings without a default. Their value is an example.
pub const EXAMPLE: &str = include_str!("settings.conf");
/// The heading of the settings that PostgREST's dump does not show.
const OWN: &str = "## Settings that PostgREST does not have";
const IN_DATABASE: &str = " # (*)";

/// Prefix of custom application settings, which are set in every transaction.
pub const APP_SETTINGS: &str = "PGRST_APP_SETTINGS_";
/// Prefix of settings that PostgREST does not have.
pub const GATEWAY: &str = "GATEWAY_";
/// If it is empty, only the exposed schema is searched.
pub const EXTRA_SEARCH_PATH: &str = "PGRST_DB_EXTRA_SEARCH_PATH";

/// PostgREST's settings for its tests, and settings of earlier versions, which have no effect. They are accepted so
/// that an existing environment works unchanged.
const UNLISTED: &[&str] = &[
    "PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP",
    "PGRST_INTERNAL_SCHEMA_CACHE_QUERY_SLEEP_BEFORE_QUERIES",
    "PGRST_ADMIN_SERVER_CONFIG_ENABLED",
    "PGRST_DB_TIMEZONE_ENABLED",
    "PGRST_DB_USE_LEGACY_GUCS",
    "PGRST_JWT_CACHE_MAX_LIFETIME",
    "PGRST_RAW_MEDIA_TYPES",
];

/// Deprecated names and their current ones.
const DEPRECATED: &[(&str, &str)] = &[
    ("PGRST_DB_SCHEMA", "PGRST_DB_SCHEMAS"),
    ("PGRST_MAX_ROWS", "PGRST_DB_MAX_ROWS"),
    ("PGRST_PRE_REQUEST", "PGRST_DB_PRE_REQUEST"),
    ("PGRST_ROLE_CLAIM_KEY", "PGRST_JWT_ROLE_CLAIM_KEY"),
    ("PGRST_ROOT_SPEC", "PGRST_DB_ROOT_SPEC"),
    ("PGRST_SECRET_IS_BASE64", "PGRST_JWT_SECRET_IS_BASE64"),
    ("PGRST_SERVER_PROXY_URI", "PGRST_OPENAPI_SERVER_PROXY_URI"),
    (PREFERRED, "PGRST_DB_POOL_MAX_IDLETIME"),
];
/// As in PostgREST, this deprecated name takes precedence.
const PREFERRED: &str = "PGRST_DB_POOL_TIMEOUT";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Flag,
    Number,
    Text,
}

#[derive(Debug)]
pub struct Setting {
    /// The name in the configuration file.
    pub name: &'static str,
    /// The name of the environment variable.
    pub variable: String,
    pub kind: Kind,
    default: Option<String>,
    in_database: bool,
    /// PostgREST does not have it.
    pub is_own: bool,
}

static ALL: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let (postgrests, own) = EXAMPLE.split_once(OWN).unwrap_or((EXAMPLE, ""));
    let read = |text: &'static str, is_own| text.lines().filter_map(move |line| Setting::read(line, is_own));
    read(postgrests, false).chain(read(own, true)).collect()
});

impl Setting {
    fn read(line: &'static str, is_own: bool) -> Option<Self> {
        let without_default = line.strip_prefix("# ");
        let (name, value) = without_default.unwrap_or(line).split_once(" = ")?;
        if name.starts_with('#') || name.starts_with("app.") {
            return None;
        }
        let in_database = value.ends_with(IN_DATABASE);
        let value = value.trim_end_matches(IN_DATABASE);
        let kind = match value {
            "true" | "false" => Kind::Flag,
            text if text.starts_with('"') => Kind::Text,
            _ => Kind::Number,
        };
        let default = without_default.is_none().then(|| value.trim_matches('"').replace("$$", "$"));
        Some(Self { name, variable: variable(name), kind, default, in_database, is_own })
    }
}

/// The environment variable of a setting: `PGRST_DB_URI` for `db-uri`.
pub fn variable(name: &str) -> String {
    if let Some(name) = name.strip_prefix("app.settings.") {
        return format!("{APP_SETTINGS}{name}");
    }
    let name = name.replace(['-', '.'], "_").to_ascii_uppercase();
    if name.starts_with(GATEWAY) { name } else { format!("PGRST_{name}") }
}

pub fn all() -> &'static [Setting] {
    &ALL
}

/// The names, without the prefix, of the settings that can be in the database.
pub fn in_database() -> impl Iterator<Item = String> {
    ALL.iter().filter(|setting| setting.in_database).map(|setting| setting.name.replace('-', "_"))
}

/// Finds a setting by its variable, which may be a deprecated one.
pub fn find(variable: &str) -> Option<&'static Setting> {
    let current = DEPRECATED.iter().find(|(deprecated, _)| *deprecated == variable);
    let current = current.map_or(variable, |(_, current)| current);
    ALL.iter().find(|setting| setting.variable == current)
}

pub fn is_known(variable: &str) -> bool {
    find(variable).is_some() || UNLISTED.contains(&variable) || variable.starts_with(APP_SETTINGS)
}

/// Replaces deprecated names, and adds the defaults.
pub fn complete(env: &Env) -> Env {
    let renamed = DEPRECATED.iter().fold(env.clone(), |all, (deprecated, current)| {
        match env.optional(deprecated).filter(|_| *deprecated == PREFERRED || env.optional(current).is_none())
        {
            Some(value) => all.with(current, value),
            None => all,
        }
    });
    ALL.iter().fold(renamed, |all, Setting { variable, default, .. }| {
        let is_empty = variable == EXTRA_SEARCH_PATH && all.given(variable).is_some();
        match default.as_deref().filter(|_| all.optional(variable).is_none() && !is_empty) {
            Some(default) => all.with(variable, default),
            None => all,
        }
    })
}
