//! What pages show a visitor first, drawn by the build: there is something to read before any script has run.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;

/// The frontend's `scripts/shells.mjs` writes it.
const LIST: &str = ".vite/shells.json";

/// HTML by the path in the list of pages.
pub struct Shells(BTreeMap<String, String>);

impl Shells {
    /// # Errors
    /// When the build has none.
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
