//! Path of the role in the claims: a JSON path such as `$.role`, or the syntax of PostgREST before 16: `.role`.

mod format;
mod legacy;
#[cfg(test)]
mod tests;

use std::fmt;

use serde_json::{Map, Value};
use serde_json_path::JsonPath;

use legacy::Slice;

#[derive(Debug, Clone, PartialEq)]
pub struct RoleClaim {
    path: JsonPath,
    /// The value must be in an array: filters of the earlier syntax don't look at the members of objects.
    in_array: bool,
    /// The parts of the string at the path, which only the earlier syntax can select.
    slices: Vec<Slice>,
    /// The path in the format of PostgREST's dump of the configuration.
    shown: String,
}

impl RoleClaim {
    /// Returns `None` when the text is not a path, or the root alone.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if !text.starts_with('$') {
            return legacy::parse(text);
        }
        let path = JsonPath::parse(text).ok().filter(|_| text != "$")?;
        Some(Self { path, in_array: false, slices: Vec::new(), shown: format::formatted(text) })
    }

    /// The first value at the path.
    pub fn find(&self, claims: &Map<String, Value>) -> Option<Value> {
        let claims = Value::Object(claims.clone());
        let found = self.path.query_located(&claims);
        let found = found.first()?;
        if self.in_array && !found.location().last()?.is_index() {
            return None;
        }
        let found = found.node().clone();
        self.slices.iter().try_fold(found, |value, slice| Some(slice.cut(value.as_str()?).into()))
    }

    pub fn is_legacy(&self) -> bool {
        !self.shown.starts_with('$')
    }
}

impl fmt::Display for RoleClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.shown)
    }
}
