//! The crates of the workspace, as `cargo metadata` lists them.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde::Deserialize;

use super::policy::Policy;
use super::{Component, run};

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    source: Option<String>,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

/// `None` for normal dependencies; `build` and `dev` for the others.
#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// This machine's target, such as `x86_64-unknown-linux-gnu`.
///
/// # Errors
/// When rustc fails.
pub fn host() -> anyhow::Result<String> {
    let output = run::command("rustc").arg("-vV").output().context("rustc can't be started")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no host")
}

/// All crates that a build for the target needs. Those of the program are marked.
///
/// # Errors
/// When cargo fails. It uses no network.
pub fn all(target: &str, policy: &Policy) -> anyhow::Result<Vec<Component>> {
    let mut cargo = run::command("cargo");
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", target]);
    let output = cargo.output().context("cargo can't be started")?;
    anyhow::ensure!(
        output.status.success(),
        "cargo metadata failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let metadata: Metadata = serde_json::from_slice(&output.stdout)?;
    let lock: Lock = basic_toml::from_str(&std::fs::read_to_string(run::root().join("Cargo.lock"))?)?;
    let checksums: BTreeMap<_, _> = lock
        .package
        .into_iter()
        .filter_map(|locked| Some(((locked.name, locked.version), locked.checksum?)))
        .collect();
    let shipped = shipped(&metadata)?;
    let used: BTreeSet<&str> = metadata.resolve.nodes.iter().map(|node| node.id.as_str()).collect();
    let used = metadata.packages.iter().filter(|package| used.contains(package.id.as_str()));
    let component = |package: &Package| Component {
        url: format!("pkg:cargo/{}", package.name),
        name: package.name.clone(),
        version: package.version.clone(),
        license: package.license.clone(),
        hash: checksums
            .get(&(package.name.clone(), package.version.clone()))
            .map(|checksum| ("SHA-256", checksum.clone())),
        foreign_source: package.source.clone().filter(|source| !policy.allows_source(Some(source))),
        shipped: shipped.contains(package.id.as_str()),
    };
    Ok(used.map(component).collect())
}

/// The crates linked into the program `serasi`, without the dependencies of builds, tests and macros.
fn shipped(metadata: &Metadata) -> anyhow::Result<BTreeSet<&str>> {
    let packages: BTreeMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let program =
        metadata.packages.iter().find(|package| package.name == "serasi" && package.source.is_none());
    let mut waiting = vec![program.context("the workspace has no serasi")?.id.as_str()];
    let mut shipped = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        let is_macro = |package: &&Package| {
            package.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
        };
        if packages.get(id).is_some_and(is_macro) || !shipped.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).map(|node| node.deps.as_slice()).unwrap_or_default();
        let linked = dependencies.iter().filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.is_none()));
        waiting.extend(linked.map(|dep| dep.pkg.as_str()));
    }
    Ok(shipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_and_test_tools_are_not_shipped() {
        let policy = Policy::read(&run::root().join("deny.toml")).unwrap();
        let crates = all(&host().unwrap(), &policy).unwrap();
        let shipped = |name: &str| {
            let found: Vec<bool> =
                crates.iter().filter(|one| one.name == name).map(|one| one.shipped).collect();
            found.contains(&true)
        };
        for name in ["serasi", "rest-gateway", "tokio", "ring"] {
            assert!(shipped(name), "{name}");
        }
        for name in ["proptest", "test-support", "xtask", "serde_derive", "syn", "cc"] {
            assert!(!shipped(name), "{name}");
        }
        let tokio = crates.iter().find(|one| one.name == "tokio").unwrap();
        assert_eq!(tokio.hash.as_ref().map(|(kind, hash)| (*kind, hash.len())), Some(("SHA-256", 64)));
    }
}
