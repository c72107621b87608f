//! Locates the parts of the product outside this binary: the frontend and the pinned embedded PostgreSQL.
//! They are in the workspace that this binary was built from.

use std::path::{Path, PathBuf};

use anyhow::ensure;

/// The workspace root.
pub fn root() -> anyhow::Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("/")).to_path_buf();
    ensure!(
        root.join("frontend/package.json").is_file(),
        "the sources this program was built from are no longer at {}: build it again with `cargo build`",
        root.display()
    );
    Ok(root)
}
