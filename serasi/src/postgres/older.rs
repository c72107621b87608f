//! A cluster of an earlier major version, which this program's PostgreSQL can't read, and the programs that can.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use platform::env::Env;

use super::package::{MAJOR_VERSION, Package};
use crate::programs;

/// Marks a new cluster into which the old one was copied completely. PostgreSQL ignores files with this name.
const COMPLETE: &str = "serasi.complete";

/// The folders of an upgrade's clusters, in the same parent folder.
pub struct Clusters {
    pub old: PathBuf,
    pub new: PathBuf,
    /// Where the old cluster is afterwards.
    previous: PathBuf,
    pub major: u32,
}

impl Clusters {
    /// `None` if the cluster is missing, or not of an earlier version. First completes an upgrade that was interrupted after
    /// everything was copied.
    ///
    /// # Errors
    /// When a folder can't be renamed.
    pub fn to_upgrade(data: &Path) -> anyhow::Result<Option<Self>> {
        let new = data.with_file_name("postgres-new");
        if !data.exists() && new.join(COMPLETE).exists() {
            fs::rename(&new, data).with_context(|| data.display().to_string())?;
        }
        let version = fs::read_to_string(data.join("PG_VERSION")).unwrap_or_default();
        let major = version.trim().parse().ok().filter(|major| *major < MAJOR_VERSION);
        Ok(major.map(|major| {
            let previous = data.with_file_name(format!("postgres-{major}"));
            Self { old: data.to_path_buf(), new, previous, major }
        }))
    }

    /// # Errors
    /// When they are missing. The message says how to get them.
    pub fn programs(&self, env: &Env) -> anyhow::Result<Package> {
        let major = self.major;
        let mut folders = programs::folders(env).into_iter();
        let folder = folders.find(|folder| programs::version(&folder.join("postgres")) == Some(major));
        let native = folder.and_then(|folder| Some(folder.parent()?.to_path_buf())).with_context(|| {
            format!(
                "the data directory is PostgreSQL {major}'s, and this program has PostgreSQL {MAJOR_VERSION}: install PostgreSQL \
                 {major} (Debian: `apt-get install postgresql-{major}`), and start again; nothing was changed"
            )
        })?;
        Ok(Package { native })
    }

    /// Removes the files of an interrupted upgrade.
    ///
    /// # Errors
    /// When it can't be removed, or when there is an earlier cluster that would be replaced.
    pub fn prepare(&self) -> anyhow::Result<()> {
        let previous = &self.previous;
        ensure!(
            !previous.exists(),
            "{} exists already: move it elsewhere, and start again",
            previous.display()
        );
        if self.new.exists() {
            fs::remove_dir_all(&self.new).with_context(|| self.new.display().to_string())?;
        }
        Ok(())
    }

    /// Replaces the old cluster with the new one, and keeps the old one. Both servers have stopped.
    ///
    /// # Errors
    /// When a folder can't be renamed.
    pub fn exchange(&self) -> anyhow::Result<&Path> {
        let exchange = || {
            fs::write(self.new.join(COMPLETE), "")?;
            fs::File::open(&self.new)?.sync_all()?;
            fs::rename(&self.old, &self.previous)?;
            fs::rename(&self.new, &self.old)
        };
        exchange().with_context(|| self.old.display().to_string())?;
        Ok(&self.previous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(folder: &Path, name: &str, version: u32) -> PathBuf {
        let data = folder.join(name);
        fs::create_dir(&data).unwrap();
        fs::write(data.join("PG_VERSION"), format!("{version}\n")).unwrap();
        data
    }

    #[test]
    fn an_interrupted_exchange_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let data = cluster(folder.path(), "postgres", 15);
        let new = cluster(folder.path(), "postgres-new", MAJOR_VERSION);
        let clusters = Clusters::to_upgrade(&data).unwrap().unwrap();
        assert_eq!(clusters.major, 15);
        clusters.prepare().unwrap();
        assert!(!new.exists());
        cluster(folder.path(), "postgres-new", MAJOR_VERSION);
        fs::write(new.join(COMPLETE), "").unwrap();
        fs::rename(&data, folder.path().join("postgres-15")).unwrap();
        assert!(Clusters::to_upgrade(&data).unwrap().is_none());
        assert_eq!(fs::read_to_string(data.join("PG_VERSION")).unwrap(), format!("{MAJOR_VERSION}\n"));
    }

    #[test]
    fn missing_programs_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = cluster(folder.path(), "postgres", 9);
        let clusters = Clusters::to_upgrade(&data).unwrap().unwrap();
        let error = clusters.programs(&Env::default()).err().unwrap().to_string();
        assert!(error.contains("apt-get install postgresql-9`"), "{error}");
    }
}
