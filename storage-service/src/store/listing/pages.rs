//! Pages of full keys. Each page starts after the last entry of the previous page.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::folders::{self, NAME};
use super::keys::{folder_key, split};
use super::{COLUMNS, Direction, Entry, NO_COLUMNS, Sort, SortColumn, end_of, planned_each_time};
use crate::error::Result;

/// The end of a page, with the sort order it was created with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    pub column: SortColumn,
    pub direction: Direction,
    pub name: String,
    /// The last object's timestamp and id when sorting by time; `None` for a folder.
    pub at: Option<(DateTime<Utc>, Uuid)>,
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
    match (page.sort.column, page.folders) {
        (SortColumn::Name, false) => keys_by_name(connection, page).await,
        (SortColumn::Name, true) => entries_by_name(connection, page).await,
        (_, false) => objects_by_time(connection, page, "", page.limit).await,
        (_, true) => entries_by_time(connection, page).await,
    }
}

/// `$1`: bucket. `$2`, `$3`: the range of names.
const KEYS: &str =
    "from storage.objects where bucket_id = $1 and name collate \"C\" >= $2 and name collate \"C\" < $3";

async fn keys_by_name(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Entry>> {
    let (beyond, order) = (page.sort.direction.beyond(), page.sort.direction.sql());
    let statement = format!(
        "select name, {COLUMNS} {KEYS} and name collate \"C\" {beyond} $4 order by name collate \"C\" {order} limit $5"
    );
    by_name(connection, page, statement).await
}

/// Runs a statement that begins at the key `$4` and returns at most `$5` entries.
async fn by_name(connection: &mut PgConnection, page: &Page<'_>, statement: String) -> Result<Vec<Entry>> {
    Ok(planned_each_time(statement)
        .bind(page.bucket)
        .bind(page.prefix)
        .bind(end_of(page.prefix))
        .bind(start(page))
        .bind(page.limit)
        .fetch_all(connection)
        .await?)
}

/// Where a page by name starts: after the cursor, or at the first key in this direction.
fn start(page: &Page<'_>) -> String {
    match (page.after, page.sort.direction) {
        // Skips the content of the folder.
        (Some(cursor), Direction::Asc) if cursor.name.ends_with('/') && page.folders => end_of(&cursor.name),
        (Some(cursor), _) => cursor.name.clone(),
        (None, Direction::Asc) => String::new(),
        (None, Direction::Desc) => end_of(page.prefix),
    }
}

/// One index lookup for each entry: the first key after the previous entry.
async fn entries_by_name(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Entry>> {
    let (beyond, order) = (page.sort.direction.beyond(), page.sort.direction.sql());
    let object = format!("select name, {COLUMNS} {KEYS}");
    // `0` is the character after the slash that ends a folder's name.
    let next = match page.sort.direction {
        Direction::Asc => {
            "name collate \"C\" >= case when entry.cut = 0 then entry.key || e'\\x01' else left(entry.key, length($2) + entry.cut - 1) || '0' end"
        }
        Direction::Desc => {
            "name collate \"C\" < case when entry.cut = 0 then entry.key else left(entry.key, length($2) + entry.cut) end"
        }
    };
    let cut = "strpos(substr(name, length($2) + 1), '/')";
    let statement = format!(
        "with recursive entry (key, cut, {COLUMNS}, place) as (
           (select name, {cut}, {COLUMNS}, 1::bigint
            from ({object} and name collate \"C\" {beyond} $4 order by name collate \"C\" {order} limit 1) as first)
           union all
           select next.name, strpos(substr(next.name, length($2) + 1), '/'), next.id, next.updated_at, next.created_at,
             next.last_accessed_at, next.metadata, entry.place + 1
           from entry, lateral ({object} and {next} order by name collate \"C\" {order} limit 1) as next
           where entry.place < $5
         )
         select name, {COLUMNS} from (
           select place, key as name, {COLUMNS} from entry where cut = 0
           union all
           select place, left(key, length($2) + cut), {NO_COLUMNS} from entry where cut > 0
         ) as entries order by place"
    );
    by_name(connection, page, statement).await
}

/// The folders, then the objects.
async fn entries_by_time(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Entry>> {
    let among_objects = page.after.is_some_and(|cursor| cursor.at.is_some());
    let mut entries = if among_objects { Vec::new() } else { folders_by_key(connection, page).await? };
    let left = page.limit - i64::try_from(entries.len()).unwrap_or(page.limit);
    if left > 0 {
        entries.extend(objects_by_time(connection, page, "and folder_key = $4", left).await?);
    }
    Ok(entries)
}

/// `of_folder`: a condition with the key of the prefix's folder as `$4`.
async fn objects_by_time(
    connection: &mut PgConnection,
    page: &Page<'_>,
    of_folder: &str,
    limit: i64,
) -> Result<Vec<Entry>> {
    let (column, direction) = (page.sort.column(), page.sort.direction);
    let (beyond, order) = (direction.beyond(), direction.sql());
    let after = page.after.and_then(|cursor| cursor.at);
    let behind =
        if after.is_some() { format!("and ({column}, id) {beyond} ($6, $7)") } else { String::new() };
    // PostgreSQL can't infer the type of a parameter that is not used.
    let statement = format!(
        "select name, {COLUMNS} {KEYS} and $4::text is not null {of_folder} {behind}
         order by {column} {order}, id {order} limit $5"
    );
    let mut query = planned_each_time(statement)
        .bind(page.bucket)
        .bind(page.prefix)
        .bind(end_of(page.prefix))
        .bind(folder_key(split(page.prefix).0))
        .bind(limit);
    if let Some((at, id)) = after {
        query = query.bind(at).bind(id);
    }
    Ok(query.fetch_all(connection).await?)
}

async fn folders_by_key(connection: &mut PgConnection, page: &Page<'_>) -> Result<Vec<Entry>> {
    let (folder, start) = split(page.prefix);
    let parent = folder_key(folder);
    let range = format!("{parent}{}", start.to_ascii_lowercase());
    let after = page.after.map(|cursor| end_of(&folder_key(&cursor.name)));
    // The range of keys ignores case, a prefix does not.
    let same_case = "and name collate \"C\" >= $6 and name collate \"C\" < $7";
    let scan = folders::scan(Direction::Asc, if start.is_empty() { "" } else { same_case });
    let statement = format!(
        "with recursive {scan} select $8 || {NAME} as name, {NO_COLUMNS} from folder
         where $6::text <= $7::text order by place"
    );
    Ok(planned_each_time(statement)
        .bind(page.bucket)
        .bind(&parent)
        .bind(after.as_deref().unwrap_or(&range))
        .bind(end_of(&range))
        .bind(page.limit)
        .bind(page.prefix)
        .bind(end_of(page.prefix))
        .bind(folder)
        .fetch_all(connection)
        .await?)
}
