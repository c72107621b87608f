//! The built frontend. A released program contains it; otherwise it is built if its sources have changed since the last
//! build.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use platform::progress::Progress;
use site::Pages;

use crate::npm;
use crate::source;

/// Everything the build depends on, except tests and scripts.
const FOLDERS: [&str; 2] = ["src", "public"];
const FILES: [&str; 9] = [
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "tsconfig.json",
    "scripts/compress.mjs",
    "scripts/licenses.ts",
    "scripts/pages-ahead.ts",
    "scripts/shells.mjs",
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
    let wanted = fingerprint(&folder)?;
    let mark = site.join(".built-from");
    if fs::read_to_string(&mark).is_ok_and(|built| built == wanted) {
        return Ok(site);
    }
    npm::install(&folder, "Installing the frontend's packages", progress).await?;
    let step = progress.step("Building the frontend");
    step.announce();
    npm::run(&folder, &["run", "--silent", "build"]).await?;
    fs::write(&mark, wanted).with_context(|| mark.display().to_string())?;
    step.done();
    Ok(site)
}

fn fingerprint(folder: &Path) -> anyhow::Result<String> {
    let mut files: Vec<PathBuf> = FILES.iter().map(|file| folder.join(file)).collect();
    for part in FOLDERS {
        files.extend(npm::files_below(&folder.join(part))?);
    }
    npm::digest(&files)
}
