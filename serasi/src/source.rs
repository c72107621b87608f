//! Locates the parts of the product outside this binary: the frontend and the pinned embedded PostgreSQL.
//! They are in the
//! workspace that this binary was built from. A released program has no sources, and contains PostgreSQL.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

/// A released program contains no path of the machine that built it.
pub const SOURCES: Option<&str> = match option_env!("SERASI_PAGES") {
    Some(_) => None,
    None => Some(env!("CARGO_MANIFEST_DIR")),
};

/// The workspace root.
///
/// # Errors
/// When this is a released program, or the sources were moved.
pub fn root() -> anyhow::Result<PathBuf> {
    let sources =
        SOURCES.context("a released program has no sources: use a program built with `cargo build`")?;
    let root = Path::new(sources).parent().unwrap_or(Path::new("/")).to_path_buf();
    ensure!(
        root.join("frontend/package.json").is_file(),
        "the sources this program was built from are no longer at {}: build it again with `cargo build`",
        root.display()
    );
    Ok(root)
}

/// The folder `postgresql` of a release: beside the program, or where docs/install.md installs it.
pub fn bundled() -> Option<PathBuf> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize()).ok()?;
    let folder = program.parent()?;
    let candidates = [folder.join("postgresql"), folder.join("../lib/serasi/postgresql")];
    candidates.into_iter().find(|folder| folder.is_dir()).and_then(|folder| folder.canonicalize().ok())
}
