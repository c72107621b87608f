//! Token claims.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

/// The claims of a verified token. Unknown claims are kept, because policies may read them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Claims(pub Map<String, Value>);

impl Claims {
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// Seconds since 1970 (`exp`, `iat`, `nbf`), without the fraction.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a NumericDate may carry a fraction, which does not count"
    )]
    pub fn seconds(&self, name: &str) -> Option<i64> {
        let value = self.0.get(name)?;
        value.as_i64().or_else(|| value.as_f64().map(|seconds| seconds.floor() as i64))
    }

    pub fn role(&self) -> Option<&str> {
        self.text("role")
    }

    /// The account, if `sub` is a UUID.
    pub fn user_id(&self) -> Option<Uuid> {
        self.text("sub")?.parse().ok()
    }

    pub fn to_json(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }
}
