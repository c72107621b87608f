//! Data directories as the first start leaves them, for tests that are not about it: creating and migrating a
//! cluster takes a second of processor time, copying one takes little.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::support::{Launcher, free_port};

/// The cluster and the secrets that belong to it.
const KEPT: [&str; 3] = ["postgres", "postgres-password", "jwt-secret"];

/// A data directory with an empty, migrated database.
pub fn data_dir() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let kept = KEPT.map(|name| first().join(name));
    let copied = Command::new("cp").arg("-a").args(&kept).arg(copy.path()).status().unwrap();
    assert!(copied.success(), "{} can't be copied", first().display());
    copy
}

/// The directory that is copied. Static values are never dropped, so it stays among the temporary files.
fn first() -> &'static Path {
    static FIRST: OnceLock<PathBuf> = OnceLock::new();
    FIRST.get_or_init(|| {
        let folder = tempfile::Builder::new().prefix("serasi-prepared-").tempdir().unwrap();
        let launcher = Launcher::start(folder.path(), free_port());
        launcher.signal("-TERM");
        assert!(launcher.wait().success());
        folder.keep()
    })
}
