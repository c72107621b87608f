//! The embedded SQL files.

use include_dir::{Dir, include_dir};

use crate::release::Contents;

static BACKEND: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/backend");
static MARKETPLACE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/marketplace");

/// What is applied again when it changes. `access` has the policies, grants and view of each table, which call functions, and `api`
/// has functions that return rows of views. Within a folder, the order does not matter to functions: their bodies are checked at
/// the end.
pub(crate) const TEXTS: [&str; 3] = ["functions", "access", "api"];

/// What is applied once, after the tables.
pub(crate) const STEPS: &str = "steps";

/// The tables of a new database.
pub(crate) const TABLES: &str = "";

/// The files of such a folder with their names, in the order in which they are applied.
pub(crate) fn files(contents: Contents, folder: &str) -> Vec<(String, &'static str)> {
    let walls = [("backend", &BACKEND), ("marketplace", &MARKETPLACE)];
    let mut files = Vec::new();
    for (wall, root) in walls.into_iter().take(if contents == Contents::Backend { 1 } else { 2 }) {
        let folder = if folder.is_empty() { Some(root) } else { root.get_dir(folder) };
        let found = folder.into_iter().flat_map(Dir::files);
        let named = found.map(|file| (format!("{wall}/{}", file.path().display()), file));
        files.extend(named.filter_map(|(name, file)| Some((name, file.contents_utf8()?))));
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_is_applied() {
        for folder in BACKEND.dirs().chain(MARKETPLACE.dirs()) {
            let name = folder.path().to_str().unwrap_or_default();
            assert!(TEXTS.contains(&name) || name == STEPS, "add {name} to TEXTS in db/src/sql.rs");
        }
    }
}
