//! Watches for changed files, and decides what to do about them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};
use tokio::sync::mpsc::UnboundedSender;

use crate::tidy;

/// Delay before changes are handled, because editors write a file in several steps.
const SETTLE: Duration = Duration::from_millis(150);

#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Build, then restart the services.
    Rebuild,
    /// Apply functions, views and policies to the running database.
    Reapply,
}

/// Watches until the returned watcher is dropped.
///
/// # Errors
/// When the system can't watch that many folders.
pub fn watch(
    root: &Path,
    sender: UnboundedSender<Vec<PathBuf>>,
) -> anyhow::Result<Debouncer<RecommendedWatcher>> {
    let mut debouncer = new_debouncer(SETTLE, move |result: DebounceEventResult| {
        if let Ok(events) = result {
            let _ = sender.send(events.into_iter().map(|event| event.path).collect());
        }
    })?;
    let watcher = debouncer.watcher();
    // Vite watches the frontend.
    for folder in tidy::product() {
        watcher.watch(&root.join(folder), RecursiveMode::Recursive).with_context(|| {
            format!(
                "{folder} can't be watched: does the system allow more watches (fs.inotify.max_user_watches)?"
            )
        })?;
    }
    watcher.watch(root, RecursiveMode::NonRecursive)?;
    Ok(debouncer)
}

/// The watcher also reports reads, such as the compiler's. Only a new modification time counts as a change.
pub struct Known {
    since: SystemTime,
    modified: HashMap<PathBuf, SystemTime>,
}

impl Known {
    pub fn now() -> Self {
        Self { since: SystemTime::now(), modified: HashMap::new() }
    }

    pub fn changed(&mut self, paths: Vec<PathBuf>) -> Vec<PathBuf> {
        paths.into_iter().filter(|path| self.is_changed(path)).collect()
    }

    fn is_changed(&mut self, path: &Path) -> bool {
        let modified = path.metadata().and_then(|file| file.modified());
        // A missing file was deleted or renamed.
        let modified = modified.unwrap_or(SystemTime::UNIX_EPOCH);
        let before = self.modified.insert(path.to_owned(), modified);
        before
            .map_or(modified == SystemTime::UNIX_EPOCH || modified > self.since, |before| before != modified)
    }
}

/// The action that changes of these files require, if any.
pub fn action(root: &Path, paths: &[PathBuf]) -> Option<Action> {
    let mut actions: Vec<Action> =
        paths.iter().filter_map(|path| of_file(path.strip_prefix(root).ok()?)).collect();
    // A new build applies the database's files, too.
    actions.sort_by_key(|action| *action == Action::Reapply);
    actions.into_iter().next()
}

fn of_file(path: &Path) -> Option<Action> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        ["Cargo.toml" | "Cargo.lock"] => Some(Action::Rebuild),
        // A new file is not yet part of the program.
        ["db", "backend" | "marketplace", rest @ ..] => {
            let known = db::Release::current().texts.iter().any(|text| text.file == parts[1..].join("/"));
            let is_sql = rest.last().is_some_and(|file| file.ends_with(".sql"));
            is_sql.then_some(if known { Action::Reapply } else { Action::Rebuild })
        }
        [folder, "src" | "templates", ..] if tidy::product().any(|name| name == *folder) => {
            Some(Action::Rebuild)
        }
        [folder, "Cargo.toml" | "build.rs"] if tidy::product().any(|name| name == *folder) => {
            Some(Action::Rebuild)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(files: &[&str]) -> Option<Action> {
        let paths: Vec<PathBuf> = files.iter().map(|file| Path::new("/serasi").join(file)).collect();
        action(Path::new("/serasi"), &paths)
    }

    #[test]
    fn code_is_rebuilt_and_database_rules_are_reapplied() {
        assert_eq!(after(&["rest-gateway/src/plan/read.rs"]), Some(Action::Rebuild));
        assert_eq!(after(&["mail/templates/mail.html"]), Some(Action::Rebuild));
        assert_eq!(after(&["db/backend/steps/0061_more.sql"]), Some(Action::Rebuild));
        assert_eq!(after(&["db/marketplace/access/gigs.sql"]), Some(Action::Reapply));
        assert_eq!(after(&["db/marketplace/access/new.sql"]), Some(Action::Rebuild));
    }

    #[test]
    fn reads_are_not_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.rs");
        std::fs::write(&file, "a").unwrap();
        let mut known = Known::now();
        let mut is_changed = || !known.changed(vec![file.clone()]).is_empty();
        assert!(!is_changed());
        let later = SystemTime::now() + Duration::from_secs(5);
        std::fs::File::options().append(true).open(&file).unwrap().set_modified(later).unwrap();
        assert!(is_changed());
        assert!(!is_changed());
        std::fs::remove_file(&file).unwrap();
        assert!(is_changed());
    }

    #[test]
    fn a_build_covers_the_database_rules() {
        assert_eq!(after(&["db/marketplace/access/gigs.sql", "db/src/lib.rs"]), Some(Action::Rebuild));
    }

    #[test]
    fn pages_tests_and_documents_need_nothing() {
        for file in [
            "frontend/src/main.tsx",
            "rest-gateway/tests/it/load.rs",
            "README.md",
            "db/tests/a/b.sql",
            "bench/src/main.rs",
        ] {
            assert_eq!(after(&[file]), None, "{file}");
        }
        assert_eq!(after(&["db/marketplace/access/.gigs.sql.swp"]), None);
    }
}
