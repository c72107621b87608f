//! PostgREST's configuration file, read as TOML: `key = value` lines and comments. Strings may contain `$(NAME)`, a
//! setting of the file or an environment variable; `$$` is a `$`.

use std::collections::HashMap;
use std::path::Path;

use platform::env::{ConfigError, Env};
use serde_json::{Map, Value};

use super::settings::{self, Kind, variable};

/// Reads a file and returns its settings under the names of the environment variables.
///
/// # Errors
/// When the file can't be read or is malformed.
pub fn read(path: &Path, env: &Env) -> Result<Vec<(String, String)>, ConfigError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| ConfigError::new(name.as_str(), format!("can't be read: {error}")))?;
    let file: Map<String, Value> =
        basic_toml::from_str(&text).map_err(|error| ConfigError::new(name.as_str(), error.to_string()))?;
    let mut values = Vec::new();
    flatten("", &file, &mut values);
    let texts: HashMap<&str, String> =
        values.iter().map(|(key, value)| (key.as_str(), text_of(value))).collect();
    let mut settings = Vec::new();
    for (key, value) in &values {
        let value = match value {
            Value::String(text) => Some(interpolated(text, |name| {
                texts.get(name).cloned().or_else(|| env.given(name).map(str::to_owned))
            }))
            .transpose()
            .map_err(|problem| ConfigError::new(format!("{key} in {name}"), problem))?,
            other => typed(key, other),
        };
        settings.extend(value.map(|value| (variable(key), value)));
    }
    Ok(settings)
}

/// The values with their dotted keys.
fn flatten<'f>(group: &str, table: &'f Map<String, Value>, values: &mut Vec<(String, &'f Value)>) {
    for (key, value) in table {
        match value {
            Value::Object(inner) => flatten(&format!("{group}{key}."), inner, values),
            other => values.push((format!("{group}{key}"), other)),
        }
    }
}

/// As in PostgREST, a value of the wrong type counts as absent.
fn typed(key: &str, value: &Value) -> Option<String> {
    let kind = settings::find(&variable(key)).map(|setting| setting.kind);
    match (kind, value) {
        (Some(Kind::Number), Value::Number(number)) => {
            number.as_f64().filter(|number| number.fract() == 0.0).map(|number| format!("{number:.0}"))
        }
        (Some(Kind::Flag), Value::Bool(flag)) => Some(flag.to_string()),
        (Some(Kind::Number | Kind::Flag), _) => None,
        (_, other) => Some(text_of(other)),
    }
}

/// Formats values that are not strings as PostgREST does.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => format!("Number {:?}", number.as_f64().unwrap_or_default()),
        Value::Bool(true) => "Bool True".to_owned(),
        Value::Bool(false) => "Bool False".to_owned(),
        _ => "List".to_owned(),
    }
}

fn interpolated(text: &str, known: impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('$') {
        result.push_str(before);
        if let Some(after) = after.strip_prefix('$') {
            result.push('$');
            rest = after;
        } else if let Some((name, after)) = after.strip_prefix('(').and_then(|name| name.split_once(')')) {
            let name = name.trim();
            result.push_str(&known(name).ok_or_else(|| format!("`$({name})` is not set"))?);
            rest = after;
        } else {
            return Err("contains a single `$`; write `$$`".to_owned());
        }
    }
    result.push_str(rest);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Result<Vec<(String, String)>, ConfigError> {
        let folder = std::env::temp_dir().join(format!("gateway-config-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("{:p}", &raw const text));
        std::fs::write(&path, text).unwrap();
        let read = read(&path, &Env::from_iter([("FROM_ENV", "e n v")]));
        std::fs::remove_file(&path).unwrap();
        read
    }

    fn shown(text: &str) -> Vec<String> {
        settings(text).unwrap().into_iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    #[test]
    fn values_have_the_names_of_environment_variables() {
        let file = "
            # a comment
            db-uri = \"postgres://x\" # another one
            db-pool=7
            db-max-rows = 1e3
            server-timing-enabled = true
            gateway-queue-length = \"5\"
            app.settings.Key = \"a\\\"b\\n\\u00e9\"
            app.settings.other = \"c\"";
        assert_eq!(
            shown(file),
            [
                "PGRST_DB_URI=postgres://x",
                "PGRST_DB_POOL=7",
                "PGRST_DB_MAX_ROWS=1000",
                "PGRST_SERVER_TIMING_ENABLED=true",
                "GATEWAY_QUEUE_LENGTH=5",
                "PGRST_APP_SETTINGS_Key=a\"b\né",
                "PGRST_APP_SETTINGS_other=c",
            ]
        );
    }

    #[test]
    fn strings_are_interpolated() {
        let file = "name = \"x\"\napp.settings.a = \"$(FROM_ENV), $(name), $$5\"";
        assert_eq!(shown(file).last().unwrap(), "PGRST_APP_SETTINGS_a=e n v, x, $5");
        for wrong in ["app.settings.a = \"$(MISSING)\"", "app.settings.a = \"5$\""] {
            assert!(settings(wrong).unwrap_err().variable.starts_with("app.settings.a in "));
        }
    }

    #[test]
    fn values_of_the_wrong_type_count_as_absent() {
        assert_eq!(shown("db-channel-enabled = 13\ndb-max-rows = true\ndb-pool = 1.5"), [""; 0]);
        assert_eq!(
            shown("app.settings.test = false\napp.settings.n = 13"),
            ["PGRST_APP_SETTINGS_test=Bool False", "PGRST_APP_SETTINGS_n=Number 13.0"]
        );
    }

    #[test]
    fn malformed_files_are_reported_with_the_line() {
        for (file, line) in [("a = 1\nb\n", 2), ("a = \"x", 1), ("a = nonsense", 1), ("a {\nb = 1\n", 1)] {
            let problem = settings(file).unwrap_err().problem;
            assert!(problem.contains(&format!("at line {line}")), "{file}: {problem}");
        }
        assert!(read(Path::new("does-not-exist"), &Env::default()).is_err());
    }
}
