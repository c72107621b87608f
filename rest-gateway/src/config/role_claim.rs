//! Path of the role in the claims: a JSON path such as `$.role`, or the syntax of PostgREST before 16: `.role`.

mod json_path;
mod legacy;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::{Map, Value};

use json_path::JsonPath;
use legacy::LegacyPath;

#[derive(Debug, Clone, PartialEq)]
pub enum RoleClaim {
    Json(JsonPath),
    Legacy(LegacyPath),
}

impl RoleClaim {
    /// Returns `None` when the text is not a path.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.starts_with('$') {
            JsonPath::parse(text).map(Self::Json)
        } else {
            LegacyPath::parse(text).map(Self::Legacy)
        }
    }

    /// The first value at the path.
    pub fn find(&self, claims: &Map<String, Value>) -> Option<Value> {
        match self {
            Self::Json(path) => path.find(&Value::Object(claims.clone())).cloned(),
            Self::Legacy(path) => path.find(claims),
        }
    }

    pub fn is_legacy(&self) -> bool {
        matches!(self, Self::Legacy(_))
    }
}

impl fmt::Display for RoleClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(path) => path.fmt(formatter),
            Self::Legacy(path) => path.fmt(formatter),
        }
    }
}
