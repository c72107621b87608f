//! Tells in the dump of a backup what belongs to this product: the schema `public` has objects of both.

use super::classify::{Action, Destination, Rows};
use super::schemas::{OUR_OWNER, Origin, Place};
use super::split::Entry;

/// Leaves out what belongs to this product, because a restore creates it by itself. Policies and triggers on its tables are
/// told apart later, when the whole dump is known.
pub fn without(entry: Option<&Entry>, action: Action) -> Action {
    let Some(entry) = entry else { return action };
    let is_shared = entry.schema == "public" || Origin::Backup.place(&entry.schema) != Place::Own;
    let is_of_database = entry.schema == "-";
    if entry.owner != OUR_OWNER || !(is_shared || is_of_database) {
        return match action {
            // Migrations set those of the whole database.
            Action::LeaveOut { kind: "default privileges", .. } if is_of_database => Action::Nothing,
            action => action,
        };
    }
    match action {
        Action::OnOurTable { .. } | Action::Marked(_) | Action::Exposed(_) => action,
        Action::Run { creates: Some(name) } => Action::Ours(name),
        Action::Rows(rows) => Action::Rows(Rows { to: Destination::Nowhere, ..rows }),
        _ => Action::Nothing,
    }
}
