//! The effective configuration in the format of a configuration file, exactly as PostgREST prints it.

use platform::env::Env;

use super::jwt::JwtSecret;
use super::settings::{self, APP_SETTINGS, Kind, Setting};
use super::{Config, flag, list};

impl Config {
    /// One line per setting, sorted. The text contains secrets.
    pub(crate) fn dump(&self) -> String {
        let env = settings::complete(&self.values);
        let shown = settings::all().iter().filter(|setting| is_shown(setting, &env));
        let mut lines: Vec<String> = shown
            .map(|setting| format!("{} = {}\n", setting.name, self.shown_value(setting, &env)))
            .collect();
        lines.extend(env.names_with_prefix(APP_SETTINGS).map(|name| {
            let key = name.strip_prefix(APP_SETTINGS).unwrap_or_default();
            format!("app.settings.{key} = {}\n", quoted(env.given(name).unwrap_or_default()))
        }));
        lines.sort();
        lines.concat()
    }

    fn shown_value(&self, setting: &Setting, env: &Env) -> String {
        let text = env.optional(&setting.variable).unwrap_or_default();
        match (setting.name, setting.kind) {
            ("admin-server-host", _) => quoted(&self.server.admin_host.0),
            ("db-uri", _) => quoted(self.database.uri.expose()),
            ("jwt-role-claim-key", _) => quoted(&self.jwt.role_claim.to_string().replace('$', "$$")),
            ("jwt-secret", _) => quoted(&self.jwt.secret.as_ref().map(JwtSecret::shown).unwrap_or_default()),
            ("admin-server-unix-socket-mode" | "server-unix-socket-mode", _) => {
                quoted(text.trim_start_matches('0'))
            }
            (
                "db-extra-search-path"
                | "db-hoisted-tx-settings"
                | "db-schemas"
                | "server-cors-allowed-origins",
                _,
            ) => quoted(&list(text).join(",")),
            (_, Kind::Flag) => is_on(setting, env).to_string(),
            (_, Kind::Number) => {
                text.parse::<i64>().map_or_else(|_| quoted(text), |number| number.to_string())
            }
            (_, Kind::Text) => quoted(text),
        }
    }
}

/// The gateway's own settings, and those of later versions, appear only if they are on.
fn is_shown(setting: &Setting, env: &Env) -> bool {
    let is_used = match setting.kind {
        Kind::Flag => is_on(setting, env),
        _ => env.optional(&setting.variable).is_some(),
    };
    !setting.is_own || is_used && setting.name.starts_with("db-")
}

fn is_on(setting: &Setting, env: &Env) -> bool {
    flag(env, &setting.variable).is_ok_and(|on| on)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\\\""))
}
