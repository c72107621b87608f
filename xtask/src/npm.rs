//! Runs npm, and installs the packages of a folder's lockfile.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use crate::run;

/// Npm in a folder of the project.
pub fn command(folder: &str) -> Command {
    let mut command = run::command("npm");
    command.current_dir(run::root().join(folder)).env("CI", "true");
    command
}

/// Installs the folder's lockfile, unless it is installed already. `serasi up` writes the same marker, so
/// neither repeats the other's installation.
///
/// # Errors
/// When npm is missing or fails.
pub fn install(folder: &str) -> anyhow::Result<()> {
    let path = run::root().join(folder);
    let lockfile = path.join("package-lock.json");
    let mark = path.join("node_modules/.serasi-installed");
    let wanted = read(&lockfile)?;
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run::must(command(folder).args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    fs::write(&mark, wanted).with_context(|| mark.display().to_string())
}

fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    fs::read(file).with_context(|| file.display().to_string())
}
