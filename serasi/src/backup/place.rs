//! The place where backups are stored: a folder on disk, or a prefix in an S3 bucket. Each backup is one file in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use chrono::{DateTime, NaiveDateTime, Utc};
use platform::env::Env;
use storage_service::archive::folder::S3Folder;
use storage_service::config::s3_config;
use tempfile::NamedTempFile;

use super::crypt::Key;
use crate::data_dir::make_private;

const PREFIX: &str = "serasi-";
const TIME: &str = "%Y%m%dT%H%M%SZ";
const PLAIN: &str = ".tar";
const ENCRYPTED: &str = ".tar.age";
const PARTIAL: &str = ".partial";

pub struct Place {
    at: At,
    /// Encrypts and decrypts.
    pub key: Option<Key>,
}

enum At {
    Folder(PathBuf),
    S3 { folder: S3Folder, address: String },
}

/// When the backup was made; `None` when the name is not a backup's.
pub fn time_of(name: &str) -> Option<DateTime<Utc>> {
    let name = name.strip_suffix(ENCRYPTED).or_else(|| name.strip_suffix(PLAIN))?;
    Some(NaiveDateTime::parse_from_str(name.strip_prefix(PREFIX)?, TIME).ok()?.and_utc())
}

/// A backup that is being written. When it is dropped unpublished, its file is removed.
pub struct Draft {
    /// Locked, so that another program does not remove it.
    pub file: NamedTempFile,
    name: String,
}

impl Draft {
    pub fn folder(&self) -> &Path {
        self.file.path().parent().unwrap_or(Path::new("/"))
    }
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
        let config = s3_config(&env.clone().with("S3_BUCKET", bucket))?;
        let config = config.context("S3_ENDPOINT and the other settings of S3 are not set")?;
        let folder = S3Folder::open(&config, bucket, prefix)?;
        let address = address.trim_end_matches('/').to_owned();
        Ok(Self { at: At::S3 { folder, address }, key })
    }

    /// Returns the place and name of the backup at this address. The address of a place means its newest backup.
    ///
    /// # Errors
    /// When there is no backup.
    pub async fn find(address: &str, env: &Env) -> anyhow::Result<(Self, String)> {
        let trimmed = address.trim_end_matches('/');
        let (parent, name) = trimmed.rsplit_once('/').unwrap_or((".", trimmed));
        ensure!(
            !Path::new(address).join("manifest.json").is_file(),
            "{address} is a backup of a development version, in an earlier format: restore it with the program that made it"
        );
        // A file may have been renamed.
        if time_of(name).is_some() || Path::new(address).is_file() {
            return Ok((Self::open(if parent.is_empty() { "/" } else { parent }, env)?, name.to_owned()));
        }
        let place = Self::open(address, env)?;
        match place.backups().await?.pop() {
            Some(newest) => Ok((place, newest)),
            None if place.folder().is_some_and(|folder| !folder.exists()) => {
                bail!("{address} does not exist")
            }
            None => bail!("there is no backup in {address}"),
        }
    }

    /// `None` for a bucket.
    pub fn folder(&self) -> Option<&Path> {
        match &self.at {
            At::Folder(folder) => Some(folder),
            At::S3 { .. } => None,
        }
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
        let mut names = self.files().await?;
        names.retain(|name| time_of(name).is_some());
        names.sort();
        Ok(names)
    }

    async fn files(&self) -> anyhow::Result<Vec<String>> {
        match &self.at {
            At::Folder(folder) => match fs::read_dir(folder) {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Vec::new()),
                entries => {
                    let entries = entries.with_context(|| folder.display().to_string())?;
                    let files = entries.flatten().filter(|entry| entry.path().is_file());
                    Ok(files.filter_map(|entry| entry.file_name().into_string().ok()).collect())
                }
            },
            At::S3 { folder, address } => folder.files().await.with_context(|| address.clone()),
        }
    }

    /// Creates the file of a new backup, in its folder or among the temporary files.
    ///
    /// # Errors
    /// When it can't be created.
    pub fn begin(&self, at: DateTime<Utc>) -> anyhow::Result<Draft> {
        let suffix = if self.key.is_some() { ENCRYPTED } else { PLAIN };
        let name = format!("{PREFIX}{}{suffix}", at.format(TIME));
        let folder = self.folder().map_or_else(std::env::temp_dir, Path::to_path_buf);
        make_private(&folder)?;
        let file = tempfile::Builder::new().prefix(&name).suffix(PARTIAL).tempfile_in(folder);
        let file = file.with_context(|| self.cant_write())?;
        file.as_file().try_lock().map_err(std::io::Error::from).with_context(|| self.cant_write())?;
        Ok(Draft { file, name })
    }

    /// Gives a finished backup its name, or uploads it. Returns the name.
    ///
    /// # Errors
    /// When the place can't be written.
    pub async fn publish(&self, draft: Draft) -> anyhow::Result<String> {
        let Draft { file, name } = draft;
        let published = match &self.at {
            At::Folder(folder) => match file.persist_noclobber(folder.join(&name)) {
                Ok(_) => File::open(folder).and_then(|folder| folder.sync_all()),
                Err(error) => Err(error.error),
            },
            At::S3 { folder, .. } => folder.put_file(&name, file.path()).await,
        };
        published.with_context(|| self.cant_write())?;
        Ok(name)
    }

    /// Opens a backup, or a download of it, which has no name.
    ///
    /// # Errors
    /// When the backup can't be read.
    pub async fn fetch(&self, name: &str) -> anyhow::Result<File> {
        let fetched = match &self.at {
            At::Folder(folder) => File::open(folder.join(name)),
            At::S3 { folder, .. } => {
                let download = NamedTempFile::new().context("there is no temporary folder")?;
                folder.get_file(name, download.path()).await.and_then(|()| download.reopen())
            }
        };
        fetched.with_context(|| self.address(name))
    }

    /// # Errors
    /// When the backup can't be removed.
    pub async fn remove(&self, name: &str) -> anyhow::Result<()> {
        let removed = match &self.at {
            At::Folder(folder) => fs::remove_file(folder.join(name)),
            At::S3 { folder, .. } => folder.remove(name).await,
        };
        removed.with_context(|| format!("{} can't be removed", self.address(name)))
    }

    /// Removes what killed backups left. The kernel releases their locks.
    ///
    /// # Errors
    /// When a file can't be removed.
    pub async fn remove_incomplete(&self) -> anyhow::Result<()> {
        let Some(folder) = self.folder() else { return Ok(()) };
        for name in self.files().await.unwrap_or_default() {
            let path = folder.join(&name);
            let is_partial = name.starts_with(PREFIX) && name.ends_with(PARTIAL);
            if is_partial && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
                fs::remove_file(&path).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    pub fn cant_write(&self) -> String {
        format!("the backup can't be written to {}", self.address(""))
    }
}
