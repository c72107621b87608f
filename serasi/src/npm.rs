//! Runs npm, which installs the frontend's packages and the embedded PostgreSQL.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, ensure};
use platform::progress::Progress;
use tokio::process::Command;

/// Installs the folder's lockfile, unless it is installed already. `cargo xtask` leaves the same mark.
///
/// # Errors
/// When npm is missing or fails. The message contains the end of its output.
pub async fn install(folder: &Path, what: &str, progress: &Progress) -> anyhow::Result<()> {
    let lockfile = folder.join("package-lock.json");
    let wanted = fs::read(&lockfile).with_context(|| lockfile.display().to_string())?;
    let mark = folder.join("node_modules/.serasi-installed");
    if fs::read(&mark).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let step = progress.step(what);
    step.announce();
    run(folder, &["ci", "--no-audit", "--no-fund", "--loglevel=error"]).await?;
    fs::write(&mark, wanted).with_context(|| mark.display().to_string())?;
    step.done();
    Ok(())
}

/// Runs npm in a folder and waits for it.
///
/// # Errors
/// See [`install`].
pub async fn run(folder: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let mut npm = Command::new("npm");
    npm.args(arguments).current_dir(folder).stdin(Stdio::null()).kill_on_drop(true);
    let output = npm.output().await;
    let output = output.context(
        "npm can't be started: install Node.js 20.19 or later, which includes npm, and start again",
    )?;
    let captured_output =
        String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "`npm {}` failed in {}: {}",
        arguments.join(" "),
        folder.display(),
        output_tail(&captured_output)
    );
    Ok(())
}

/// The end of a failed command's output, which usually contains the cause.
fn output_tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(6)..].join(" | ")
}
