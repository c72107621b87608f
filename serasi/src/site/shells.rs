//! The initial view of each page for visitors, prerendered by the build, so that there is content before
//! any script runs.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// Written by the frontend's `scripts/shells.mjs`.
const LIST: &str = ".vite/shells.json";

/// HTML by page path.
pub struct Shells(BTreeMap<String, String>);

impl Shells {
    /// # Errors
    /// When the build has no shells.
    pub fn read(folder: &Path) -> anyhow::Result<Self> {
        let file = folder.join(LIST);
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("{} can't be read", file.display()))?;
        Ok(Self(serde_json::from_str(&text).with_context(|| file.display().to_string())?))
    }

    pub fn of(&self, page: &str) -> Option<&str> {
        self.0.get(page).map(String::as_str)
    }
}
