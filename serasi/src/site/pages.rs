//! The addresses of the product and what each is called: one list, shared with the router in the browser.

use std::sync::LazyLock;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
pub struct Page {
    /// `/profile/:id`: a part that begins with a colon stands for anything.
    pub path: String,
    pub title: String,
    pub description: String,
    /// Nothing for a search engine.
    #[serde(default)]
    pub private: bool,
}

pub static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../frontend/src/app/pages.json")).unwrap_or_default()
});

impl Page {
    pub fn is_pattern(&self) -> bool {
        self.path.contains(':')
    }

    /// What stands at the place of `:id`, if this is the page of that path.
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

/// The page at a path, and the id that the path names.
pub fn find(path: &str) -> Option<(&'static Page, Option<&str>)> {
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    PAGES.iter().find_map(|page| page.matches(path).map(|id| (page, id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_finds_its_page_and_id() {
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
    fn every_page_says_what_it_is() {
        assert!(PAGES.len() > 20, "the list is read");
        for page in PAGES.iter() {
            assert!(!page.title.is_empty() && page.description.len() < 160, "{}", page.path);
        }
    }
}
