//! The plan of a read: a tree of tables, each joined to its parent.

use std::sync::Arc;

use crate::request::field::JsonStep;
use crate::request::filters::{Condition, LogicOperator};
use crate::request::range::RowRange;
use crate::request::select::Join;
use crate::schema_cache::relations::Relation;
use crate::schema_cache::tables::QualifiedName;

#[derive(Debug, Default)]
pub struct ReadPlan {
    /// The table for column and relation lookup.
    pub table: QualifiedName,
    /// The source of the rows: the table, or the rows that a mutation or function returned.
    pub from: QualifiedName,
    pub alias: Option<String>,
    pub select: Vec<SelectColumn>,
    pub filters: Vec<FilterPlan>,
    pub order: Vec<OrderPlan>,
    pub range: RowRange,
    pub children: Vec<ReadPlan>,
    /// What the children add to the row, in order.
    pub embeds: Vec<EmbedSelect>,
    /// How this read is embedded in its parent; `None` for the root.
    pub link: Option<Link>,
    pub depth: usize,
    /// The rows are sorted and limited in a subquery, before other resources are embedded in them.
    pub page_first: bool,
    /// A parameter used the resource's name although it has an alias.
    pub called_by_name: bool,
}

impl ReadPlan {
    /// Reads all rows of the table. The columns are added later.
    pub fn new(table: QualifiedName, depth: usize) -> Self {
        Self { from: table.clone(), table, depth, ..Self::default() }
    }
}

/// How a read is embedded in its parent.
#[derive(Debug)]
pub struct Link {
    /// The name in the request.
    pub name: String,
    pub alias: Option<String>,
    pub join: Option<Join>,
    pub relation: Arc<Relation>,
    /// The parent's name, for functions that take its row.
    pub parent: QualifiedName,
    pub conditions: Vec<JoinCondition>,
    pub aggregate_alias: String,
    pub spread: Option<Spread>,
}

impl Link {
    /// The name in filters, orders and the result.
    pub fn shown_name(&self) -> &str {
        self.alias.as_deref().unwrap_or(&self.name)
    }
}

#[derive(Debug)]
pub enum Spread {
    ToOne,
    /// Collects each column into an array. The order columns have to be selected too, possibly from an
    /// embedded resource.
    ToMany {
        order_columns: Vec<(Option<String>, SelectColumn)>,
        order: Vec<OrderPlan>,
    },
}

#[derive(Debug, Clone, Default)]
pub struct ColumnRef {
    pub name: String,
    pub path: Vec<JsonStep>,
    /// The column is not JSON, so JSON arrows need a conversion.
    pub to_json: bool,
    /// Full-text search on a column that is not a `tsvector`, with the language if given.
    pub to_document: Option<Option<String>>,
    /// Function that converts the value to JSON, or from text.
    pub transform: Option<String>,
    /// The whole row.
    pub full_row: bool,
}

impl ColumnRef {
    /// A column missing from the schema cache. PostgreSQL reports whether it exists.
    pub fn unknown(name: &str, path: Vec<JsonStep>) -> Self {
        Self { name: name.to_owned(), path, to_json: true, ..Self::default() }
    }
}

#[derive(Debug, Clone)]
pub struct SelectColumn {
    pub column: ColumnRef,
    pub aggregate: Option<&'static str>,
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
    Spread { aggregate_alias: String, columns: Vec<SelectColumn> },
}

#[derive(Debug)]
pub enum FilterPlan {
    Column {
        column: ColumnRef,
        condition: Condition,
    },
    /// Tests whether an embedded resource exists.
    Embed {
        aggregate_alias: String,
        negated: bool,
    },
    Group {
        negated: bool,
        operator: LogicOperator,
        members: Vec<FilterPlan>,
    },
    /// Stands for a required filter that is missing. Contains the name of the statement, which still runs, so that
    /// PostgreSQL reports missing privileges first.
    Missing(&'static str),
}

#[derive(Debug, Clone)]
pub struct OrderPlan {
    /// The embedded resource that the column belongs to.
    pub relation: Option<String>,
    pub column: ColumnRef,
    pub direction: Option<&'static str>,
    pub nulls: Option<&'static str>,
}

/// Two columns that must be equal. A table without a schema is an alias.
#[derive(Debug)]
pub struct JoinCondition {
    pub left: (QualifiedName, String),
    pub right: (QualifiedName, String),
}
