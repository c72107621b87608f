//! The files each page needs besides the main script. Naming them in the HTML lets them load in parallel
//! with that script.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::Context;
use serde::Deserialize;

use super::built::Pages;

/// Vite's manifest of output files by source file.
const MANIFEST: &str = ".vite/manifest.json";

#[derive(Deserialize)]
struct Built {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
    #[serde(default)]
    css: Vec<String>,
    #[serde(default, rename = "isEntry")]
    is_entry: bool,
}

/// Modules that a page loads immediately on wide screens, and on demand on others.
const ON_WIDE_SCREENS: [(&str, &str); 1] = [("/search", "src/features/search/components/filter-panel.tsx")];

/// Pages whose source file is not named like their path, because a list is.
const NAMED: [(&str, &str); 4] = [
    ("/gigs/:id", "gig"),
    ("/enquiries/:id", "one-enquiry"),
    ("/admin/reports", "reports"),
    ("/admin/reports/:id", "report-desk"),
];

/// Matches `src/hooks/use-wide-screen.ts`.
const WIDE: &str = "(min-width: 1024px)";

pub struct Assets {
    built: BTreeMap<String, Built>,
    /// Files that index.html already references.
    first: BTreeSet<String>,
}

impl Assets {
    /// # Errors
    /// When the build has no manifest.
    pub fn read(built: &Pages) -> anyhow::Result<Self> {
        Self::parse(&built.text(MANIFEST)?).context(MANIFEST)
    }

    fn parse(manifest: &str) -> anyhow::Result<Self> {
        let built: BTreeMap<String, Built> = serde_json::from_str(manifest)?;
        let mut first = BTreeSet::new();
        for (name, _) in built.iter().filter(|(_, file)| file.is_entry) {
            collect(&built, name, &mut first);
        }
        Ok(Self { built, first })
    }

    /// Preload links for a page; empty if the main script contains everything.
    pub fn preloads(&self, page: &str) -> String {
        let mut html = String::new();
        let mut named = self.first.clone();
        self.name(&source(page), "", &mut named, &mut html);
        for (_, module) in ON_WIDE_SCREENS.iter().filter(|(of, _)| *of == page) {
            self.name(module, &format!(" media=\"{WIDE}\""), &mut named, &mut html);
        }
        html
    }

    fn name(&self, module: &str, media: &str, named: &mut BTreeSet<String>, html: &mut String) {
        let mut needed = BTreeSet::new();
        collect(&self.built, module, &mut needed);
        for file in &needed - &*named {
            let link = match file.rsplit('.').next() {
                Some("css") => "rel=\"preload\" as=\"style\" crossorigin",
                _ => "rel=\"modulepreload\" crossorigin fetchpriority=\"low\"",
            };
            let _ = write!(html, "  <link {link}{media} href=\"/{file}\">\n  ");
            named.insert(file);
        }
    }
}

/// Collects a source's output file and those of all its imports.
fn collect(all: &BTreeMap<String, Built>, name: &str, files: &mut BTreeSet<String>) {
    let Some(built) = all.get(name) else { return };
    if files.insert(built.file.clone()) {
        files.extend(built.css.iter().cloned());
        built.imports.iter().for_each(|import| collect(all, import, files));
    }
}

/// The frontend's source file of a page: `/search/influencers` is `search-influencers.tsx`, `/profile/:id`
/// is `profile.tsx`.
fn source(page: &str) -> String {
    let parts: Vec<&str> =
        page.split('/').filter(|part| !part.is_empty() && !part.starts_with(':')).collect();
    let named = NAMED.iter().find(|(path, _)| *path == page).map(|(_, name)| (*name).to_owned());
    format!("src/app/routes/{}.tsx", named.unwrap_or_else(|| parts.join("-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = r#"{
        "index.html": {"file": "assets/index.js", "isEntry": true, "imports": ["_react.js"], "css": ["assets/index.css"]},
        "_react.js": {"file": "assets/react.js"},
        "_lists.js": {"file": "assets/lists.js", "imports": ["index.html", "_react.js"]},
        "src/app/routes/search.tsx": {"file": "assets/search.js", "imports": ["_lists.js", "_react.js"], "css": ["assets/a.css"]},
        "src/features/search/components/filter-panel.tsx": {"file": "assets/panel.js", "imports": ["_lists.js"]}
    }"#;

    #[test]
    fn pages_preload_files_missing_from_the_main_script() {
        let assets = Assets::parse(MANIFEST).unwrap();
        let html = assets.preloads("/search");
        let files: Vec<&str> =
            html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(files, ["/assets/a.css", "/assets/lists.js", "/assets/search.js", "/assets/panel.js"]);
        assert_eq!(
            html.matches(r#"media="(min-width: 1024px)" href="/assets/panel.js""#).count(),
            1,
            "{html}"
        );
        assert_eq!(html.matches("media=").count(), 1, "{html}");
        assert_eq!(assets.preloads("/"), "");
    }

    #[test]
    fn paths_map_to_source_files() {
        assert_eq!(source("/profile/:id"), "src/app/routes/profile.tsx");
        assert_eq!(source("/search/influencers"), "src/app/routes/search-influencers.tsx");
        assert_eq!(source("/gigs/:id"), "src/app/routes/gig.tsx");
    }

    #[test]
    fn no_page_preloads_the_script_of_another() {
        let pages: serde_json::Value =
            serde_json::from_str(include_str!("../../frontend/src/lib/pages.json")).unwrap();
        let mut pages_of = BTreeMap::<String, Vec<&str>>::new();
        for page in pages.as_object().unwrap().values() {
            let path = page["path"].as_str().unwrap();
            pages_of.entry(source(path)).or_default().push(path);
        }
        pages_of.retain(|_, pages| pages.len() > 1);
        assert_eq!(pages_of, BTreeMap::new());
    }
}
