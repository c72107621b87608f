//! The software bill of materials of a release, in CycloneDX's format. Cargo and npm know the components.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{npm, run};

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

/// CycloneDX 1.5 as JSON. It contains no time and no random number, so that the same components produce the
/// same bill.
///
/// # Errors
/// When cargo or npm fails.
pub fn bill(root: &Path, version: &str, target: &str) -> anyhow::Result<Value> {
    let reference = format!("pkg:cargo/serasi@{version}");
    let mut components = crates(root, target)?;
    components.extend(packages("frontend")?);
    let postgres = format!("@embedded-postgres/{}", npm_platform(target));
    components.extend(packages("db/postgres")?.into_iter().filter(|package| package["name"] == postgres));
    components.push(clients(root)?);
    components.sort_by_key(|component| component["bom-ref"].to_string());
    components.dedup();
    let references: Vec<Value> = components.iter().map(|component| component["bom-ref"].clone()).collect();
    let program = json!({ "type": "application", "bom-ref": reference, "name": "serasi", "version": version,
        "licenses": [{ "expression": "MIT" }] });
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": program },
        "components": components,
        "dependencies": [{ "ref": reference, "dependsOn": references }],
    }))
}

/// The crates linked into the program, without those of builds, tests and macros.
fn crates(root: &Path, target: &str) -> anyhow::Result<Vec<Value>> {
    let lock: Lock = basic_toml::from_str(&fs::read_to_string(root.join("Cargo.lock"))?)?;
    let checksums: BTreeMap<_, _> =
        lock.package.into_iter().map(|locked| ((locked.name, locked.version), locked.checksum)).collect();
    let mut tree = run::command("cargo");
    tree.args(["tree", "--locked", "--offline", "--package", "serasi", "--target", target]);
    let output =
        tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{l}"]).output()?;
    ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr).trim());
    let mut components = Vec::new();
    for line in String::from_utf8(output.stdout)?.lines() {
        let (package, license) = line.trim_end_matches(" (*)").split_once('|').context("cargo tree")?;
        let (name, rest) = package.split_once(" v").context("cargo tree")?;
        let version = rest.split(' ').next().unwrap_or_default();
        if name == "serasi" {
            continue;
        }
        let purl = format!("pkg:cargo/{name}@{version}");
        // Before SPDX had expressions, crates separated alternatives by a slash.
        let license = license.replace('/', " OR ").split_whitespace().collect::<Vec<_>>().join(" ");
        let mut component = json!({ "type": "library", "bom-ref": purl, "name": name, "version": version,
            "purl": purl, "licenses": [{ "expression": license }] });
        if let Some(Some(hash)) = checksums.get(&(name.to_owned(), version.to_owned())) {
            component["hashes"] = json!([{ "alg": "SHA-256", "content": hash }]);
        }
        components.push(component);
    }
    Ok(components)
}

/// The packages of a folder's lock file, without those for development. npm's `--omit=dev` also omits packages that
/// others need for development, such as React.
fn packages(folder: &str) -> anyhow::Result<Vec<Value>> {
    let mut npm = npm::command(folder);
    npm.args(["sbom", "--package-lock-only", "--sbom-format=cyclonedx"]);
    let output = npm.output().context("npm can't be started")?;
    ensure!(output.status.success(), "npm sbom: {}", String::from_utf8_lossy(&output.stderr).trim());
    let bill: Value = serde_json::from_slice(&output.stdout)?;
    let mut packages = bill["components"].as_array().cloned().context("npm sbom lists no components")?;
    let development = json!({ "name": "cdx:npm:package:development", "value": "true" });
    packages.retain(|package| package["properties"].as_array().is_none_or(|all| !all.contains(&development)));
    Ok(packages)
}

/// The wheel with psql, pg_dump and pg_restore.
fn clients(root: &Path) -> anyhow::Result<Value> {
    let list = fs::read_to_string(root.join("db/postgres/clients.txt"))?;
    let pinned = list.lines().find_map(|line| line.split_whitespace().next()?.split_once("=="));
    let (name, version) = pinned.context("db/postgres/clients.txt pins no package")?;
    let purl = format!("pkg:pypi/{name}@{version}");
    Ok(json!({ "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "licenses": [{ "expression": "Apache-2.0 AND PostgreSQL" }] }))
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
    fn a_bill_lists_what_is_shipped_once() {
        let bill = bill(&run::root(), "1.2.0", "x86_64-unknown-linux-gnu").unwrap();
        assert_eq!(bill["metadata"]["component"]["version"], "1.2.0");
        let components = bill["components"].as_array().unwrap();
        let named = |name: &str| components.iter().filter(|one| one["name"] == name).count();
        let is_listed =
            |start: &str| components.iter().any(|one| one["purl"].as_str().unwrap().starts_with(start));
        for shipped in
            ["pkg:cargo/tokio@", "pkg:cargo/ring@", "pkg:npm/react@", "pkg:pypi/embedded-postgres@18"]
        {
            assert!(is_listed(shipped), "{shipped}");
        }
        for tool in ["pkg:cargo/proptest@", "pkg:cargo/serde_derive@", "pkg:cargo/xtask@", "pkg:npm/vite@"] {
            assert!(!is_listed(tool), "{tool}");
        }
        assert!(is_listed("pkg:npm/%40embedded-postgres/linux-x64@"));
        assert!(!is_listed("pkg:npm/%40embedded-postgres/linux-arm64@"));
        assert_eq!(named("serasi"), 0);
        let tokio = components.iter().find(|one| one["name"] == "tokio").unwrap();
        assert_eq!(tokio["licenses"][0]["expression"], "MIT");
        assert_eq!(tokio["hashes"][0]["content"].as_str().unwrap().len(), 64);
    }
}
