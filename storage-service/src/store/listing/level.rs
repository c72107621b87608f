//! One folder level, with names relative to the prefix.

use platform::database::PgConnection;

use super::folders::{self, NAME};
use super::keys::folder_key;
use super::{COLUMNS, Direction, Entry, NO_COLUMNS, Sort, SortColumn, end_of, planned_each_time};
use crate::error::Result;

pub struct FolderQuery<'a> {
    pub bucket: &'a str,
    /// The folder: empty, or ends with a slash.
    pub prefix: &'a str,
    /// The search text, case-insensitive.
    pub search: &'a str,
    pub sort: Sort,
    pub limit: i64,
    pub offset: i64,
}

/// The entries directly under a prefix, with names relative to it.
pub async fn level(connection: &mut PgConnection, level: &FolderQuery<'_>) -> Result<Vec<Entry>> {
    let statement = match level.sort.column {
        SortColumn::Name => by_name(level.sort.direction),
        _ => by_time(level.sort),
    };
    let (parent, search) = (folder_key(level.prefix), level.search.to_ascii_lowercase());
    let from = format!("{parent}{search}");
    Ok(planned_each_time(statement)
        .bind(level.bucket)
        .bind(&parent)
        .bind(&from)
        .bind(end_of(&from))
        .bind(level.offset.saturating_add(level.limit))
        .bind(level.offset)
        .bind(level.limit)
        .bind(&search)
        .bind(end_of(&search))
        .fetch_all(connection)
        .await?)
}

/// The objects of the folder that the search finds.
const OBJECTS: &str =
    "from storage.objects where bucket_id = $1 and folder_key = $2 and sort_key >= $8 and sort_key < $9";

/// Objects and folders together. Only the page's rows are read from the table.
fn by_name(direction: Direction) -> String {
    let (folders, order) = (folders::scan(direction, ""), direction.sql());
    format!(
        "with recursive {folders}, entry (key, object) as (
           select substr(key, length($2) + 1), null::uuid from folder
           union all
           (select sort_key, id {OBJECTS} order by sort_key {order} limit $5)
         ), page as (select key, object from entry order by key {order} limit $7 offset $6)
         select rtrim(split_part(key, e'\\x01', 2), '/') as name, {COLUMNS}
         from page left join storage.objects on id = object order by key {order}"
    )
}

/// The folders by name, then the objects by time.
fn by_time(sort: Sort) -> String {
    let (folders, column, order) = (folders::scan(Direction::Asc, ""), sort.column(), sort.direction.sql());
    format!(
        "with recursive {folders}, folders (count) as (select count(*) from folder)
         (select rtrim({NAME}, '/') as name, {NO_COLUMNS} from folder order by place limit $7 offset $6)
         union all
         (select split_part(sort_key, e'\\x01', 2), {COLUMNS} {OBJECTS}
          order by {column} {order}, id {order}
          limit greatest(0, $7 - greatest(0, (select count from folders) - $6))
          offset greatest(0, $6 - (select count from folders)))"
    )
}
