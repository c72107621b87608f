//! The initial view of each page for visitors, prerendered by the build, so that there is content before
//! any script runs.

use std::collections::BTreeMap;

use anyhow::Context;

use super::built::Pages;

/// Written by the frontend's `scripts/shells.mjs`.
const LIST: &str = ".vite/shells.json";

/// HTML by page path.
pub struct Shells(BTreeMap<String, String>);

impl Shells {
    /// # Errors
    /// When the build has no shells.
    pub fn read(built: &Pages) -> anyhow::Result<Self> {
        Ok(Self(serde_json::from_str(&built.text(LIST)?).context(LIST)?))
    }

    pub fn of(&self, page: &str) -> Option<&str> {
        self.0.get(page).map(String::as_str)
    }
}
