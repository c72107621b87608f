//! Listings of `storage.objects`: one folder level, or pages of full keys.
//!
//! Every page is read from an index, from its start to its end, so its cost does not depend on the number of
//! objects. A prefix is a range: from the prefix up to the prefix plus the highest character. Keys are ASCII,
//! so `\x7f` sorts above all of them. The statements run with the caller's role, so row policies decide which
//! names they find.

mod folders;
mod keys;
mod level;
mod pages;
#[cfg(test)]
mod tests;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::FromRow;
use sqlx::postgres::PgArguments;
use sqlx::query::QueryAs;
use sqlx::{AssertSqlSafe, Postgres};
use uuid::Uuid;

use crate::times;

pub use level::{FolderQuery, level};
pub use pages::{Cursor, Page, page};

/// An object or a folder. A folder has only a name.
#[derive(Debug, FromRow, Serialize)]
pub struct Entry {
    pub name: String,
    pub id: Option<Uuid>,
    #[serde(serialize_with = "times::serialize_optional")]
    pub updated_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "times::serialize_optional")]
    pub created_at: Option<DateTime<Utc>>,
    #[serde(serialize_with = "times::serialize_optional")]
    pub last_accessed_at: Option<DateTime<Utc>>,
    #[sqlx(json(nullable))]
    pub metadata: Option<Value>,
}

/// The columns of an [`Entry`] besides its name.
const COLUMNS: &str = "id, updated_at, created_at, last_accessed_at, metadata";
/// The same for a folder.
const NO_COLUMNS: &str = "null::uuid as id, null::timestamptz as updated_at, null::timestamptz as created_at, null::timestamptz as last_accessed_at, null::jsonb as metadata";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SortColumn {
    #[default]
    Name,
    UpdatedAt,
    CreatedAt,
    LastAccessedAt,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    #[default]
    Asc,
    Desc,
}

impl Direction {
    fn sql(self) -> &'static str {
        match self {
            Self::Asc => "asc",
            Self::Desc => "desc",
        }
    }

    /// The operator for later entries in this direction.
    fn beyond(self) -> &'static str {
        match self {
            Self::Asc => ">",
            Self::Desc => "<",
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct Sort {
    pub column: SortColumn,
    pub direction: Direction,
}

impl Sort {
    fn column(self) -> &'static str {
        match self.column {
            SortColumn::Name => "name",
            SortColumn::UpdatedAt => "updated_at",
            SortColumn::CreatedAt => "created_at",
            SortColumn::LastAccessedAt => "last_accessed_at",
        }
    }
}

/// The end of the range of keys that start with a prefix.
fn end_of(prefix: &str) -> String {
    format!("{prefix}\x7f")
}

/// A statement that is planned for its parameters each time: a plan for any limit and any prefix might sort the whole bucket.
fn planned_each_time<'q>(statement: String) -> QueryAs<'q, Postgres, Entry, PgArguments> {
    sqlx::query_as(AssertSqlSafe(statement)).persistent(false)
}
