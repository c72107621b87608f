//! The npm packages in a folder's package-lock.json.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::Component;

/// The folders with npm packages.
pub const FOLDERS: [&str; 4] = ["frontend", "deploy", "db/postgres", "bench/web"];

#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    version: Option<String>,
    license: Option<String>,
    integrity: Option<String>,
    resolved: Option<String>,
    #[serde(default)]
    dev: bool,
    #[serde(default)]
    dev_optional: bool,
    #[serde(default)]
    peer: bool,
    /// Whether it is bundled in the archive of another package, whose hash covers it.
    #[serde(default)]
    in_bundle: bool,
}

impl Entry {
    /// Registries serve archives by HTTPS, whose hash is in the lock file. A git repository or a folder has none.
    fn foreign_source(&self) -> Option<String> {
        let is_pinned =
            self.in_bundle || self.integrity.as_deref().is_some_and(|hash| hash.starts_with("sha512-"));
        let source = self.resolved.as_deref().unwrap_or("the registry");
        if !is_pinned {
            return Some(format!("{source} without a SHA-512 hash"));
        }
        let is_registry = self.resolved.as_deref().is_none_or(|resolved| resolved.starts_with("https://"));
        (!is_registry).then(|| source.to_owned())
    }
}

/// All packages of the folder. Those in the built pages, and PostgreSQL, are marked as shipped.
///
/// # Errors
/// When the lock file can't be read.
pub fn all(folder: &Path) -> anyhow::Result<Vec<Component>> {
    let file = folder.join("package-lock.json");
    let text = std::fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    parse(&text).with_context(|| file.display().to_string())
}

fn parse(text: &str) -> anyhow::Result<Vec<Component>> {
    let lock: Lock = serde_json::from_str(text)?;
    let packages = lock.packages.iter().filter(|(path, _)| !path.is_empty());
    packages.map(|(path, entry)| component(path, entry)).collect()
}

fn component(path: &str, entry: &Entry) -> anyhow::Result<Component> {
    let name = path.rsplit("node_modules/").next().unwrap_or(path);
    let hash = entry.integrity.as_deref().and_then(|hash| hash.strip_prefix("sha512-"));
    let hash = hash.map(|hash| STANDARD.decode(hash)).transpose().with_context(|| name.to_owned())?;
    let hash = hash.map(|bytes| ("SHA-512", bytes.iter().map(|byte| format!("{byte:02x}")).collect()));
    Ok(Component {
        url: format!("pkg:npm/{}", name.replace('@', "%40")),
        name: name.to_owned(),
        version: entry.version.clone().unwrap_or_default(),
        license: entry.license.clone(),
        hash,
        foreign_source: entry.foreign_source(),
        shipped: !(entry.dev || entry.dev_optional || entry.peer),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_named_by_their_path() {
        let lock = r#"{ "packages": {
            "": { "name": "ours" },
            "node_modules/@scope/one": { "version": "1.0.0", "license": "MIT", "integrity": "sha512-AAEC" },
            "node_modules/a/node_modules/two": { "version": "2.0.0", "dev": true, "integrity": "sha512-AAEC" },
            "node_modules/three": { "version": "3.0.0", "integrity": "sha512-AAEC", "resolved": "git+ssh://git@example.test/x" },
            "node_modules/four": { "version": "4.0.0" },
            "node_modules/five": { "version": "5.0.0", "inBundle": true }
        } }"#;
        let mut found = parse(lock).unwrap();
        found.sort_by(|one, other| one.version.cmp(&other.version));
        assert_eq!((found[0].url.as_str(), found[0].shipped), ("pkg:npm/%40scope/one", true));
        assert_eq!(found[0].hash, Some(("SHA-512", "000102".to_owned())));
        assert_eq!((found[1].name.as_str(), found[1].shipped), ("two", false));
        let foreign: Vec<_> = found.iter().map(|one| one.foreign_source.as_deref()).collect();
        let expected = [
            None,
            None,
            Some("git+ssh://git@example.test/x"),
            Some("the registry without a SHA-512 hash"),
            None,
        ];
        assert_eq!(foreign, expected);
    }
}
