//! A cluster of an earlier major version, which this program's PostgreSQL can't read, and the programs that can.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use platform::env::Env;

use super::package::{MAJOR_VERSION, Package};

const SETTING: &str = "POSTGRES_OLD_BIN";
/// Marks a new cluster into which the old one was copied completely. PostgreSQL ignores files with this name.
const COMPLETE: &str = "serasi.complete";

/// The folders of an upgrade's clusters, in the same parent folder.
pub struct Clusters {
    pub old: PathBuf,
    pub new: PathBuf,
    kept: PathBuf,
    pub major: String,
}

impl Clusters {
    /// `None` if the cluster is missing, or of the current version. First completes an upgrade that was
    /// interrupted after everything was copied.
    ///
    /// # Errors
    /// When a folder can't be renamed.
    pub fn to_upgrade(data: &Path) -> anyhow::Result<Option<Self>> {
        let new = data.with_file_name("postgres-new");
        if !data.exists() && new.join(COMPLETE).exists() {
            fs::rename(&new, data).with_context(|| data.display().to_string())?;
        }
        let Ok(version) = fs::read_to_string(data.join("PG_VERSION")) else { return Ok(None) };
        let major = version.trim().to_owned();
        if major == MAJOR_VERSION || number(&major) > number(MAJOR_VERSION) {
            return Ok(None);
        }
        let kept = data.with_file_name(format!("postgres-{major}"));
        Ok(Some(Self { old: data.to_path_buf(), new, kept, major }))
    }

    /// # Errors
    /// When they are missing. The message says how to get them.
    pub fn programs(&self, env: &Env) -> anyhow::Result<Package> {
        let major = &self.major;
        let folders = match env.optional(SETTING) {
            Some(folder) => vec![PathBuf::from(folder)],
            None => vec![
                format!("/usr/lib/postgresql/{major}/bin").into(),
                format!("/usr/pgsql-{major}/bin").into(),
                format!("/opt/homebrew/opt/postgresql@{major}/bin").into(),
                format!("/usr/local/opt/postgresql@{major}/bin").into(),
            ],
        };
        for folder in folders {
            if let Some(native) = folder.parent().filter(|_| folder.join("postgres").is_file()) {
                return Ok(Package { native: native.to_path_buf() });
            }
        }
        bail!(
            "the data directory is PostgreSQL {major}'s, and this program has PostgreSQL {MAJOR_VERSION}: install PostgreSQL {major} (Debian: `apt-get install postgresql-{major}`) or set {SETTING} to the folder with its `postgres`, and start again; nothing was changed"
        )
    }

    /// Removes the files of an interrupted upgrade.
    ///
    /// # Errors
    /// When it can't be removed, or when there is an earlier cluster that would be replaced.
    pub fn prepare(&self) -> anyhow::Result<()> {
        if self.kept.exists() {
            bail!("{} exists already: move it elsewhere, and start again", self.kept.display());
        }
        match fs::remove_dir_all(&self.new) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| self.new.display().to_string())
            }
            _ => Ok(()),
        }
    }

    /// Replaces the old cluster with the new one, and keeps the old one. Both servers have stopped.
    ///
    /// # Errors
    /// When a folder can't be renamed.
    pub fn exchange(&self) -> anyhow::Result<&Path> {
        let exchange = || {
            fs::write(self.new.join(COMPLETE), "")?;
            fs::File::open(&self.new)?.sync_all()?;
            fs::rename(&self.old, &self.kept)?;
            fs::rename(&self.new, &self.old)
        };
        exchange().with_context(|| self.old.display().to_string())?;
        Ok(&self.kept)
    }
}

/// Whether the cluster is of the current version.
pub fn is_present(data: &Path) -> bool {
    fs::read_to_string(data.join("PG_VERSION")).is_ok_and(|version| version.trim() == MAJOR_VERSION)
}

fn number(major: &str) -> u32 {
    major.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(folder: &Path, name: &str, version: &str) -> PathBuf {
        let data = folder.join(name);
        fs::create_dir(&data).unwrap();
        fs::write(data.join("PG_VERSION"), version).unwrap();
        data
    }

    #[test]
    fn an_interrupted_exchange_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        let data = cluster(folder.path(), "postgres", "15\n");
        let new = cluster(folder.path(), "postgres-new", MAJOR_VERSION);
        let clusters = Clusters::to_upgrade(&data).unwrap().unwrap();
        assert_eq!(clusters.major, "15");
        clusters.prepare().unwrap();
        assert!(!new.exists());
        cluster(folder.path(), "postgres-new", MAJOR_VERSION);
        fs::write(new.join(COMPLETE), "").unwrap();
        fs::rename(&data, folder.path().join("postgres-15")).unwrap();
        assert!(Clusters::to_upgrade(&data).unwrap().is_none());
        assert_eq!(fs::read_to_string(data.join("PG_VERSION")).unwrap(), MAJOR_VERSION);
    }

    #[test]
    fn missing_programs_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let data = cluster(folder.path(), "postgres", "17");
        let clusters = Clusters::to_upgrade(&data).unwrap().unwrap();
        let env = Env::from_iter([(SETTING, folder.path().display().to_string())]);
        let error = clusters.programs(&env).err().unwrap().to_string();
        assert!(error.contains("apt-get install postgresql-17") && error.contains(SETTING), "{error}");
    }
}
