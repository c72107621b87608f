//! The plan of a read: a tree of tables, each joined to the one above it.

use std::sync::Arc;

use crate::request::field::JsonStep;
use crate::request::filters::{Condition, LogicOperator};
use crate::request::range::RowRange;
use crate::request::select::{Aggregate, Join};
use crate::schema_cache::relations::Relation;
use crate::schema_cache::tables::QualifiedName;

#[derive(Debug)]
pub struct ReadPlan {
    /// The table whose rows these are, for looking up columns and relations.
    pub table: QualifiedName,
    /// What the query reads from: the table, or what a mutation or a function returned.
    pub from: QualifiedName,
    pub alias: Option<String>,
    pub select: Vec<SelectColumn>,
    pub filters: Vec<FilterPlan>,
    pub order: Vec<OrderPlan>,
    pub range: RowRange,
    pub children: Vec<ReadPlan>,
    /// What the children contribute to the row, in their order.
    pub embeds: Vec<EmbedSelect>,
    /// Where this is embedded; absent at the top.
    pub link: Option<Link>,
    pub depth: usize,
    /// Parameters speak of this resource by its name although it has an alias.
    pub called_by_name: bool,
}

/// How a read is embedded in the one above it.
#[derive(Debug)]
pub struct Link {
    /// As the request calls it.
    pub name: String,
    pub alias: Option<String>,
    pub join: Option<Join>,
    pub relation: Arc<Relation>,
    /// The name of the table above, for functions that take its row.
    pub parent: QualifiedName,
    pub conditions: Vec<JoinCondition>,
    pub aggregate_alias: String,
    pub spread: Option<Spread>,
}

impl Link {
    /// What filters, orders and the result call it.
    pub fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Debug)]
pub enum Spread {
    ToOne,
    /// Arrays of each column, ordered by columns that have to be selected for it (from an embedded
    /// resource, if one is named).
    ToMany {
        order_columns: Vec<(Option<String>, SelectColumn)>,
        order: Vec<OrderPlan>,
    },
}

#[derive(Debug, Clone)]
pub struct ColumnRef {
    pub name: String,
    pub path: Vec<JsonStep>,
    /// The column is not JSON: arrows need it converted.
    pub to_json: bool,
    /// Full text is searched in what is not a document yet; with the language, if one is named.
    pub to_document: Option<Option<String>>,
    /// A function that represents the value in JSON, or reads it from text.
    pub transform: Option<String>,
    /// The row itself.
    pub full_row: bool,
}

impl ColumnRef {
    /// A column nothing is known of: PostgreSQL will say whether it exists.
    pub fn unknown(name: &str, path: Vec<JsonStep>) -> Self {
        Self {
            name: name.to_owned(),
            path,
            to_json: true,
            to_document: None,
            transform: None,
            full_row: false,
        }
    }
}

#[derive(Debug, Clone)]
pub struct SelectColumn {
    pub column: ColumnRef,
    pub aggregate: Option<Aggregate>,
    pub aggregate_cast: Option<String>,
    pub cast: Option<String>,
    pub alias: Option<String>,
}

impl SelectColumn {
    pub fn plain(column: ColumnRef, alias: Option<String>) -> Self {
        Self { column, aggregate: None, aggregate_cast: None, cast: None, alias }
    }

    pub fn is_star(&self) -> bool {
        self.column.name == "*" && self.column.path.is_empty()
    }
}

#[derive(Debug)]
pub enum EmbedSelect {
    Json { aggregate_alias: String, name: String, array: bool, empty: bool },
    Spread { aggregate_alias: String, columns: Vec<SpreadColumn> },
}

#[derive(Debug, Clone)]
pub struct SpreadColumn {
    pub name: String,
    pub aggregate: Option<Aggregate>,
    pub aggregate_cast: Option<String>,
    pub alias: Option<String>,
}

#[derive(Debug)]
pub enum FilterPlan {
    Column {
        column: ColumnRef,
        condition: Condition,
    },
    /// Whether an embedded resource is there at all.
    Embed {
        aggregate_alias: String,
        negated: bool,
    },
    Group {
        negated: bool,
        operator: LogicOperator,
        members: Vec<FilterPlan>,
    },
    /// Stands for the condition that a change of this name has to have and has not. PostgreSQL is asked all the
    /// same: who has no right to the table hears that first.
    Missing(&'static str),
}

#[derive(Debug, Clone)]
pub struct OrderPlan {
    /// The embedded resource the column belongs to.
    pub relation: Option<String>,
    pub column: ColumnRef,
    pub direction: Option<&'static str>,
    pub nulls: Option<&'static str>,
}

/// Two columns that have to be equal; a table without schema is an alias.
#[derive(Debug)]
pub struct JoinCondition {
    pub left: (QualifiedName, String),
    pub right: (QualifiedName, String),
}
