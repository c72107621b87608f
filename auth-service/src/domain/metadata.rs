//! Metadata that an account's owner (user metadata) or an operator (app metadata) stores with it.

use serde_json::{Map, Value};

/// Every access token contains the metadata, and the token must fit into a header that servers accept.
const MAX_BYTES: usize = 8 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    #[error("metadata must be a JSON object")]
    NotAnObject,
    #[error("metadata must not exceed {MAX_BYTES} bytes")]
    TooLarge,
    #[error("metadata holds a name or a character that can't be stored")]
    Unstorable,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metadata(Map<String, Value>);

impl Metadata {
    /// # Errors
    /// Fails when the value is not an object, is too large, or holds something that can't be stored or safely
    /// read back.
    pub fn parse(value: Value) -> Result<Self, MetadataError> {
        let map = match value {
            Value::Object(map) => map,
            Value::Null => Map::new(),
            _ => return Err(MetadataError::NotAnObject),
        };
        Self::of(map)
    }

    fn of(map: Map<String, Value>) -> Result<Self, MetadataError> {
        if !map.iter().all(|(name, value)| storable_name(name) && storable(value)) {
            return Err(MetadataError::Unstorable);
        }
        // Measures the serialized text, because escapes count towards the token's size too.
        if Value::Object(map.clone()).to_string().len() > MAX_BYTES {
            return Err(MetadataError::TooLarge);
        }
        Ok(Self(map))
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Merges `self` into `stored`, key by key. A null removes the key.
    ///
    /// # Errors
    /// Fails when the result is too large.
    pub fn merged_over(self, stored: Value) -> Result<Self, MetadataError> {
        let Value::Object(mut merged) = stored else { return Self::of(self.0) };
        for (name, value) in self.0 {
            if value.is_null() {
                merged.remove(&name);
            } else {
                merged.insert(name, value);
            }
        }
        Self::of(merged)
    }

    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.insert(name.to_owned(), value.into());
        self
    }

    pub fn into_json(self) -> Value {
        Value::Object(self.0)
    }
}

/// PostgreSQL's text holds no NUL. `__proto__` would be dangerous to JavaScript that reads the metadata.
fn storable_name(name: &str) -> bool {
    !name.contains('\0') && name != "__proto__"
}

fn storable(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.contains('\0'),
        Value::Array(items) => items.iter().all(storable),
        Value::Object(map) => map.iter().all(|(name, value)| storable_name(name) && storable(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn new_keys_are_merged_and_a_null_deletes() {
        let change = Metadata::parse(json!({ "a": 2, "b": null, "c": { "x": null } })).unwrap();
        let merged = change.merged_over(json!({ "a": 1, "b": 1, "d": 1 })).unwrap();
        assert_eq!(merged.into_json(), json!({ "a": 2, "d": 1, "c": { "x": null } }));
    }

    #[test]
    fn metadata_must_be_an_object_within_the_size_limit() {
        assert_eq!(Metadata::parse(json!([1])), Err(MetadataError::NotAnObject));
        assert_eq!(Metadata::parse(json!("x")), Err(MetadataError::NotAnObject));
        assert_eq!(Metadata::parse(json!({ "a": "x".repeat(MAX_BYTES) })), Err(MetadataError::TooLarge));
        let half = || json!("x".repeat(MAX_BYTES / 2));
        let change = Metadata::parse(json!({ "a": half() })).unwrap();
        assert_eq!(change.merged_over(json!({ "b": half() })), Err(MetadataError::TooLarge));
    }

    #[test]
    fn unstorable_values_are_rejected_at_any_depth() {
        for value in [json!({ "a": "\0" }), json!({ "\0": 1 }), json!({ "a": [{ "__proto__": {} }] })] {
            assert_eq!(Metadata::parse(value), Err(MetadataError::Unstorable));
        }
    }
}
