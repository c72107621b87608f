//! The crates and npm packages that Serasi depends on: their licenses and sources, and the software bill of materials of
//! a release.

pub mod bill;
mod crates;
mod npm;
mod policy;

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::run;
pub use crates::host;
use policy::Policy;

/// One crate or npm package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Component {
    /// The package URL without the version, such as `pkg:cargo/serde`.
    pub url: String,
    pub name: String,
    pub version: String,
    /// An SPDX expression.
    pub license: Option<String>,
    /// `SHA-256` or `SHA-512`, and the hash in hexadecimal.
    pub hash: Option<(&'static str, String)>,
    /// The source, if it is not allowed.
    pub foreign_source: Option<String>,
    /// Whether it is part of the released program, not only of builds and tests.
    pub shipped: bool,
}

/// The violations of deny.toml, one line each. Needs no network once everything has been built.
///
/// # Errors
/// When cargo fails, or a file can't be read.
pub fn violations() -> anyhow::Result<Vec<String>> {
    let root = run::root();
    let policy = Policy::read(&root.join("deny.toml"))?;
    let mut components = crates::all(&host()?, &policy)?;
    for folder in npm::FOLDERS {
        components.extend(npm::all(&root.join(folder))?);
    }
    components.sort();
    components.dedup();
    Ok(components.iter().filter_map(|component| policy.objection(component)).collect())
}

/// The components of a program for this target.
///
/// # Errors
/// See [`violations`].
pub fn shipped(root: &Path, target: &str) -> anyhow::Result<Vec<Component>> {
    let policy = Policy::read(&root.join("deny.toml"))?;
    let mut components = crates::all(target, &policy)?;
    components.extend(npm::all(&root.join("frontend"))?);
    components.extend(npm::all(&root.join("db/postgres"))?);
    let postgres = format!("@embedded-postgres/{}", npm_platform(target));
    let is_needed = |name: &str| !name.starts_with("@embedded-postgres/") || name == postgres;
    components.retain(|component| component.shipped && is_needed(&component.name));
    components.push(clients(root)?);
    components.sort();
    components.dedup();
    Ok(components)
}

/// The wheel with psql, pg_dump and pg_restore.
fn clients(root: &Path) -> anyhow::Result<Component> {
    let list = fs::read_to_string(root.join("db/postgres/clients.txt"))?;
    let pinned = list.lines().find_map(|line| line.split_whitespace().next()?.split_once("=="));
    let (name, version) = pinned.context("db/postgres/clients.txt pins no package")?;
    Ok(Component {
        url: format!("pkg:pypi/{name}"),
        name: name.to_owned(),
        version: version.to_owned(),
        license: Some("Apache-2.0 AND PostgreSQL".to_owned()),
        hash: None,
        foreign_source: None,
        shipped: true,
    })
}

/// npm's name of a platform, such as `linux-x64`.
fn npm_platform(target: &str) -> String {
    let processor = if target.starts_with("aarch64-") { "arm64" } else { "x64" };
    let system = if target.ends_with("-apple-darwin") { "darwin" } else { "linux" };
    format!("{system}-{processor}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_the_database_of_its_platform_only() {
        let components = shipped(&run::root(), &host().unwrap()).unwrap();
        let databases = components.iter().filter(|one| one.name.starts_with("@embedded-postgres/"));
        assert_eq!(databases.count(), 1);
        assert!(
            components.iter().any(|one| one.url == "pkg:pypi/embedded-postgres" && one.version == "18.6.3")
        );
        assert_eq!(npm_platform("aarch64-apple-darwin"), "darwin-arm64");
        assert_eq!(npm_platform("x86_64-unknown-linux-gnu"), "linux-x64");
    }
}
