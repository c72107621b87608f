//! The built frontend. A released program contains it; otherwise it is built if its sources have changed since the last
//! build.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use platform::progress::Progress;
use site::Pages;

use crate::npm;
use crate::source;

/// Everything the build depends on.
const SOURCES: [&str; 8] = [
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
    "src",
    "public",
    "scripts",
];

/// The embedded pages, or those of the source folder.
///
/// # Errors
/// When npm is missing or a build step fails.
pub async fn pages(progress: &Progress) -> anyhow::Result<Pages> {
    match Pages::embedded() {
        Some(pages) => Ok(pages),
        None => Pages::read(&build(progress).await?),
    }
}

/// Returns the folder with the built site.
async fn build(progress: &Progress) -> anyhow::Result<PathBuf> {
    let folder = source::root()?.join("frontend");
    let site = folder.join("dist");
    let built = site.join(".built");
    let newest = SOURCES.iter().filter_map(|part| changed(&folder.join(part))).max();
    if built.exists() && changed(&built) >= newest {
        return Ok(site);
    }
    npm::install(&folder, "Installing the frontend's packages", progress).await?;
    let step = progress.step("Building the frontend");
    step.announce();
    npm::run(&folder, &["run", "--silent", "build"]).await?;
    fs::write(&built, "").with_context(|| built.display().to_string())?;
    step.done();
    Ok(site)
}

/// When a file was changed, or the newest one below a folder.
fn changed(path: &Path) -> Option<SystemTime> {
    if !path.is_dir() {
        return path.metadata().ok()?.modified().ok();
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|entry| changed(&entry.path())).max()
}
