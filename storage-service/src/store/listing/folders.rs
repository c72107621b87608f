//! Finds the folders directly below another folder without reading their contents.

use super::Direction;

/// A recursive common table expression `folder (key, place)`: one index lookup for each folder, for the first
/// object after the previous folder.
///
/// `$1`: bucket. `$2`: key of the parent. `$3`, `$4`: the range of keys, without its ends. `$5`: how many folders at most.
/// `more`: further conditions on the objects.
pub(super) fn scan(direction: Direction, more: &str) -> String {
    let order = direction.sql();
    let object = format!(
        "select folder_key from storage.objects
         where bucket_id = $1 and folder_key > $3 and folder_key < $4 {more}"
    );
    // The keys in a folder start with the folder's key. `0` is the character after the slash.
    let next = match direction {
        Direction::Asc => "folder_key >= left(folder.key, -1) || '0'",
        Direction::Desc => "folder_key < folder.key",
    };
    let child = "left(folder_key, length($2) + strpos(substr(folder_key, length($2) + 1), '/'))";
    format!(
        "folder (key, place) as (
           (select {child}, 1::bigint from ({object} order by folder_key {order} limit 1) as first)
           union all
           select {child}, folder.place + 1 from folder, lateral (
             {object} and {next} order by folder_key {order} limit 1
           ) as next where folder.place < $5
         )"
    )
}

/// The name of such a folder, with its slash.
pub(super) const NAME: &str = "split_part(substr(key, length($2) + 1), e'\\x01', 2)";
