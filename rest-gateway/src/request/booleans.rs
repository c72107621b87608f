//! Strict booleans in JSON bodies. PostgreSQL would accept any text or number that looks like a boolean.

use std::collections::HashMap;

use serde_json::value::RawValue;

type Members<'b> = HashMap<String, &'b RawValue>;

/// Returns the first value under one of these names that is neither a boolean nor null, formatted like
/// PostgreSQL's error.
///
/// # Errors
/// When the body is not JSON.
pub fn first_non_boolean(body: &[u8], names: &[&str]) -> Result<Option<String>, serde_json::Error> {
    let body: &RawValue = serde_json::from_slice(body)?;
    let rows: Vec<&RawValue> = match body.get().as_bytes() {
        [b'[', ..] => serde_json::from_str(body.get())?,
        _ => vec![body],
    };
    for row in rows.into_iter().filter(|row| row.get().starts_with('{')) {
        let members: Members<'_> = serde_json::from_str(row.get())?;
        let values = names.iter().filter_map(|name| members.get(*name));
        if let Some(other) = values.map(|value| value.get()).find(|value| !is_boolean(value)) {
            return Ok(Some(serde_json::from_str(other).unwrap_or_else(|_| other.to_owned())));
        }
    }
    Ok(None)
}

fn is_boolean(value: &str) -> bool {
    matches!(value, "true" | "false" | "null")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(body: &str) -> Option<String> {
        first_non_boolean(body.as_bytes(), &["on", "off"]).unwrap()
    }

    #[test]
    fn only_booleans_and_null_are_booleans() {
        assert_eq!(other(r#" {"on": true, "off" :null, "name": "yes"} "#), None);
        assert_eq!(other(r#"[{"on":true},{"on":false}]"#), None);
        assert_eq!(other(r#"{"on":"y\u0065s"}"#).as_deref(), Some("yes"));
        assert_eq!(other(r#"[{"off":false},{"off":1}]"#).as_deref(), Some("1"));
        assert_eq!(other(r#"{"on":[true]}"#).as_deref(), Some("[true]"));
        assert_eq!(other(r#"{"o\u006e":"true"}"#).as_deref(), Some("true"));
    }

    #[test]
    fn the_last_duplicate_property_wins_as_in_postgresql() {
        assert_eq!(other(r#"{"on":true,"on":"no"}"#).as_deref(), Some("no"));
        assert_eq!(other(r#"{"on":"no","on":true}"#), None);
    }

    #[test]
    fn values_that_are_not_objects_are_ignored() {
        assert_eq!(other(r#"["on",[{"on":1}]]"#), None);
        assert!(first_non_boolean(b"{\"on\":1", &["on"]).is_err());
    }
}
