//! The product's pages with their titles: one list, shared with the client-side router.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Page {
    /// Such as `/profile/:id`, where a segment starting with a colon matches anything.
    pub path: String,
    pub title: String,
    pub description: String,
    /// Excluded from search engines.
    #[serde(default)]
    pub private: bool,
}

pub static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let named: BTreeMap<String, Page> =
        serde_json::from_str(include_str!("../../frontend/src/lib/pages.json")).unwrap_or_default();
    named.into_values().collect()
});

impl Page {
    pub fn is_pattern(&self) -> bool {
        self.path.contains(':')
    }

    /// The value of `:id`, if this page matches the path.
    fn matches<'path>(&self, path: &'path str) -> Option<Option<&'path str>> {
        let (mut pattern, mut parts) = (self.path.split('/'), path.split('/'));
        let mut id = None;
        loop {
            match (pattern.next(), parts.next()) {
                (None, None) => return Some(id),
                (Some(wanted), Some(part)) if wanted.starts_with(':') && !part.is_empty() => id = Some(part),
                (Some(wanted), Some(part)) if wanted == part => {}
                _ => return None,
            }
        }
    }
}

/// Finds the page for a path, and the id in the path.
pub fn find(path: &str) -> Option<(&'static Page, Option<&str>)> {
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    PAGES.iter().find_map(|page| page.matches(path).map(|id| (page, id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_match_pages_and_ids() {
        let found = |path| find(path).map(|(page, id)| (page.path.as_str(), id));
        assert_eq!(found("/"), Some(("/", None)));
        assert_eq!(found("/pricing"), Some(("/pricing", None)));
        assert_eq!(found("/pricing/"), Some(("/pricing", None)));
        assert_eq!(found("/profile/7"), Some(("/profile/:id", Some("7"))));
        assert_eq!(found("/profile/"), None);
        assert_eq!(found("/profile/7/more"), None);
        assert_eq!(found("/nowhere"), None);
    }

    #[test]
    fn every_page_has_a_title_and_a_short_description() {
        assert!(PAGES.len() > 20, "the list is read");
        for page in PAGES.iter() {
            assert!(!page.title.is_empty() && page.description.len() < 160, "{}", page.path);
        }
    }
}
