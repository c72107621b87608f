//! Tables and views.

use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub struct QualifiedName {
    pub schema: String,
    pub name: String,
}

impl QualifiedName {
    pub fn new(schema: impl Into<String>, name: impl Into<String>) -> Self {
        Self { schema: schema.into(), name: name.into() }
    }
}

/// A qualified name in the dump of the schema cache.
pub(super) fn dump_name(schema: &str, name: &str) -> Value {
    json!({ "qiName": name, "qiSchema": schema })
}

#[derive(Debug, Clone, Deserialize)]
pub struct Table {
    pub schema: String,
    pub name: String,
    pub description: Option<String>,
    pub is_view: bool,
    pub insertable: bool,
    pub updatable: bool,
    pub deletable: bool,
    /// A trigger inserts the rows of this view, so `ON CONFLICT` is not available.
    pub inserts_by_trigger: bool,
    pub primary_key: Vec<String>,
    pub columns: Vec<Column>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Column {
    pub name: String,
    pub description: Option<String>,
    pub nullable: bool,
    pub data_type: String,
    /// The declared type, which may be a domain.
    pub nominal_type: String,
    /// The type below all domains; `None` for types outside `pg_catalog`.
    pub base_type: Option<String>,
    pub max_length: Option<i32>,
    pub default: Option<String>,
    #[serde(rename = "enum")]
    pub labels: Vec<String>,
}

impl Table {
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }
}
