//! Listings of `storage.objects`: one folder level, or pages of full keys.
//!
//! A prefix is a range of the bytewise index: from the prefix up to the prefix plus the highest character.
//! Keys are ASCII, so `\x7f` sorts above all of them.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::{AssertSqlSafe, FromRow};
use uuid::Uuid;

use crate::error::Result;

/// An object or a folder. A folder has only a name.
#[derive(Debug, FromRow)]
pub struct Entry {
    pub name: String,
    pub id: Option<Uuid>,
    pub updated_at: Option<DateTime<Utc>>,
    pub created_at: Option<DateTime<Utc>>,
    pub last_accessed_at: Option<DateTime<Utc>>,
    #[sqlx(json(nullable))]
    pub metadata: Option<Value>,
}

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

    fn direction(self) -> &'static str {
        match self.direction {
            Direction::Asc => "asc",
            Direction::Desc => "desc",
        }
    }
}

pub struct FolderQuery<'a> {
    pub bucket: &'a str,
    /// Empty, or ends with a slash.
    pub prefix: &'a str,
    pub search: &'a str,
    pub sort: Sort,
    pub limit: i64,
    pub offset: i64,
}

/// The entries directly under a prefix, with names relative to it.
pub async fn level(connection: &mut PgConnection, level: &FolderQuery<'_>) -> Result<Vec<Entry>> {
    let (column, direction) = (level.sort.column(), level.sort.direction());
    let order = match level.sort.column {
        SortColumn::Name => format!("lower(name) collate \"C\" {direction}, name collate \"C\" {direction}"),
        _ => format!("id is null desc, {column} {direction}, name collate \"C\""),
    };
    let statement = format!(
        "with below as (
           select substr(name, length($2) + 1) as rest, id, updated_at, created_at, last_accessed_at, metadata
           from storage.objects
           where bucket_id = $1 and name collate \"C\" > $2 and name collate \"C\" < $2 || E'\\x7f'
         ), level (name, id, updated_at, created_at, last_accessed_at, metadata) as (
           select rest, id, updated_at, created_at, last_accessed_at, metadata from below where strpos(rest, '/') = 0
           union all
           select distinct split_part(rest, '/', 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
           from below where strpos(rest, '/') > 0
         )
         select * from level where starts_with(lower(name), lower($3)) order by {order} limit $4 offset $5"
    );
    Ok(sqlx::query_as(AssertSqlSafe(statement))
        .bind(level.bucket)
        .bind(level.prefix)
        .bind(level.search)
        .bind(level.limit)
        .bind(level.offset)
        .fetch_all(connection)
        .await?)
}

/// The end of a page, with the sort order it was created with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub column: SortColumn,
    pub direction: Direction,
    pub name: String,
    /// The last entry's timestamp when sorting by time; `None` for a folder.
    pub at: Option<DateTime<Utc>>,
}

pub struct Page<'a> {
    pub bucket: &'a str,
    pub prefix: &'a str,
    /// Whether to group keys by the next slash after the prefix.
    pub folders: bool,
    pub sort: Sort,
    pub after: Option<&'a Cursor>,
    pub limit: i64,
}

/// Full keys that start with a prefix, after the cursor.
pub async fn page(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Entry>> {
    let (column, direction) = (page.sort.column(), page.sort.direction());
    let beyond = match page.sort.direction {
        Direction::Asc => ">",
        Direction::Desc => "<",
    };
    // When sorting by time, folders come first, ordered by name, because they have no timestamp.
    let (order, after) = match page.sort.column {
        SortColumn::Name => (format!("name collate \"C\" {direction}"), format!("name collate \"C\" {beyond} $4 and $5::timestamptz is not distinct from $5")),
        _ => (
            format!("id is null desc, {column} {direction}, name collate \"C\""),
            format!(
                "case when $5::timestamptz is null then id is not null or name collate \"C\" > $4
                 else id is not null and ({column} {beyond} $5 or {column} = $5 and name collate \"C\" > $4) end"
            ),
        ),
    };
    let statement = format!(
        "with below as (
           select name, strpos(substr(name, length($2) + 1), '/') as cut, id, updated_at, created_at, last_accessed_at, metadata
           from storage.objects
           where bucket_id = $1 and name collate \"C\" >= $2 and name collate \"C\" < $2 || E'\\x7f'
         ), entry (name, id, updated_at, created_at, last_accessed_at, metadata) as (
           select name, id, updated_at, created_at, last_accessed_at, metadata from below where cut = 0 or not $3
           union all
           select distinct left(name, length($2) + cut), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
           from below where cut > 0 and $3
         )
         select * from entry where $4::text is null or ({after}) order by {order} limit $6"
    );
    Ok(sqlx::query_as(AssertSqlSafe(statement))
        .bind(page.bucket)
        .bind(page.prefix)
        .bind(page.folders)
        .bind(page.after.map(|cursor| cursor.name.as_str()))
        .bind(page.after.and_then(|cursor| cursor.at))
        .bind(page.limit)
        .fetch_all(connection)
        .await?)
}
