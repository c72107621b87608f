//! The place where backups are stored: a folder on disk, or a prefix in an S3 bucket. Each backup is a folder in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use chrono::{DateTime, NaiveDateTime, Utc};
use platform::env::Env;
use storage_service::archive::folder::S3Folder;
use storage_service::config::s3_config;
use tempfile::TempDir;

use super::crypt::Key;
use super::manifest::FILE as MANIFEST;
use super::stored::{self, Stored};

const PREFIX: &str = "serasi-";
const TIME: &str = "%Y%m%dT%H%M%SZ";
pub const PARTIAL: &str = ".partial";
pub const LOCK: &str = ".lock";

pub struct Place {
    pub at: At,
    /// Encrypts and decrypts.
    pub key: Option<Key>,
}

pub enum At {
    Folder(PathBuf),
    S3 { folder: S3Folder, address: String },
}

/// A backup's name, which sorts by time.
pub fn name(at: DateTime<Utc>) -> String {
    format!("{PREFIX}{}", at.format(TIME))
}

/// When the backup was made; `None` when the name is not a backup's.
pub fn time_of(name: &str) -> Option<DateTime<Utc>> {
    Some(NaiveDateTime::parse_from_str(name.strip_prefix(PREFIX)?, TIME).ok()?.and_utc())
}

impl Place {
    /// Parses the address. Does not create the folder.
    ///
    /// # Errors
    /// When the address or `BACKUP_KEY` is malformed, or the settings of S3 are missing.
    pub fn open(address: &str, env: &Env) -> anyhow::Result<Self> {
        let key = Key::from_env(env)?;
        let Some(rest) = address.strip_prefix("s3://") else {
            ensure!(!address.contains("://"), "{address} is neither a folder nor s3://BUCKET/PREFIX");
            let folder =
                std::path::absolute(address).with_context(|| format!("{address:?} is not a folder"))?;
            return Ok(Self { at: At::Folder(folder), key });
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        ensure!(!bucket.is_empty(), "{address} names no bucket: s3://BUCKET/PREFIX");
        // `s3_config` requires S3_BUCKET, the bucket of the images, which may be unset for a backup command.
        let env = if env.optional("S3_BUCKET").is_none() {
            env.clone().with("S3_BUCKET", bucket)
        } else {
            env.clone()
        };
        let config = s3_config(&env)?.context("S3_ENDPOINT and the other settings of S3 are not set")?;
        let folder = S3Folder::open(&config, bucket, prefix)?;
        let address = address.trim_end_matches('/').to_owned();
        Ok(Self { at: At::S3 { folder, address }, key })
    }

    pub fn address(&self, name: &str) -> String {
        match &self.at {
            At::Folder(folder) => folder.join(name).display().to_string(),
            At::S3 { address, .. } => format!("{address}/{name}"),
        }
    }

    /// The names of the complete backups, the oldest first.
    ///
    /// # Errors
    /// When the place can't be read.
    pub async fn backups(&self) -> anyhow::Result<Vec<String>> {
        let mut names = Vec::new();
        for name in self.folders().await?.into_iter().filter(|name| time_of(name).is_some()) {
            if self.is_complete(&name).await {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    async fn is_complete(&self, name: &str) -> bool {
        match &self.at {
            At::Folder(folder) => folder.join(name).join(MANIFEST).is_file(),
            At::S3 { folder, .. } => folder.get(&format!("{name}/{MANIFEST}")).await.is_ok(),
        }
    }

    async fn folders(&self) -> anyhow::Result<Vec<String>> {
        match &self.at {
            At::Folder(folder) => match fs::read_dir(folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
                entries => {
                    let entries = entries.with_context(|| folder.display().to_string())?;
                    Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect())
                }
            },
            At::S3 { folder, address } => folder.folders().await.with_context(|| address.clone()),
        }
    }

    /// Opens one backup for reading.
    ///
    /// # Errors
    /// When there is no temporary folder for downloads.
    pub fn stored(&self, name: &str) -> anyhow::Result<Stored<'_>> {
        let at = match &self.at {
            At::Folder(folder) => stored::At::Folder(folder.join(name)),
            At::S3 { folder, .. } => stored::At::S3 {
                folder,
                name: name.to_owned(),
                downloads: TempDir::new().context("temporary folder")?,
            },
        };
        Ok(Stored { at, key: self.key.as_ref() })
    }

    /// # Errors
    /// When the backup can't be removed.
    pub async fn remove(&self, name: &str) -> anyhow::Result<()> {
        let removed = match &self.at {
            At::Folder(folder) => {
                // Remove the manifest first, so that a partly removed backup does not count as a backup.
                let folder = folder.join(name);
                fs::remove_file(folder.join(MANIFEST)).and_then(|()| fs::remove_dir_all(&folder))
            }
            At::S3 { folder, .. } => folder.remove(name, MANIFEST).await,
        };
        removed.with_context(|| format!("{} can't be removed", self.address(name)))
    }

    /// Removes what killed backups left. The caller holds the lock on backups of this database.
    ///
    /// # Errors
    /// When the place can't be read, or a file can't be removed.
    pub async fn remove_incomplete(&self) -> anyhow::Result<()> {
        for name in self.folders().await? {
            match &self.at {
                At::Folder(folder) => {
                    let backup = name.strip_suffix(PARTIAL).unwrap_or(&name);
                    let path = folder.join(&name);
                    let finished = backup == name && path.join(MANIFEST).exists();
                    if time_of(backup).is_some() && !finished && !is_in_use(&path) {
                        fs::remove_dir_all(&path).with_context(|| path.display().to_string())?;
                    }
                }
                At::S3 { folder, .. } => {
                    if time_of(&name).is_some()
                        && folder.get(&format!("{name}/{MANIFEST}")).await.is_err_and(is_missing)
                    {
                        folder.remove(&name, MANIFEST).await?;
                    }
                }
            }
        }
        Ok(())
    }
}

fn is_missing(error: std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

/// The kernel releases the lock of a killed program.
fn is_in_use(partial: &Path) -> bool {
    File::open(partial.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_err())
}
