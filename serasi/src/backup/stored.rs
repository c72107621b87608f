//! Reads the files of a complete backup.

use std::fs::{self, File};
use std::io::{Cursor, Read};
use std::path::PathBuf;

use storage_service::archive::folder::S3Folder;
use tempfile::TempDir;

use super::crypt::{self, Key};

/// A complete backup.
pub struct Stored<'a> {
    pub at: At<'a>,
    pub key: Option<&'a Key>,
}

pub enum At<'a> {
    Folder(PathBuf),
    S3 { folder: &'a S3Folder, name: String, downloads: TempDir },
}

impl Stored<'_> {
    /// # Errors
    /// When the file does not exist, can't be read or can't be decrypted.
    pub async fn read(&self, name: &str) -> std::io::Result<Vec<u8>> {
        let stored = match &self.at {
            At::Folder(folder) => fs::read(folder.join(name))?,
            At::S3 { folder, name: backup, .. } => folder.get(&format!("{backup}/{name}")).await?,
        };
        let mut content = Vec::with_capacity(stored.len());
        crypt::open(Cursor::new(stored), self.key, name)?.read_to_end(&mut content)?;
        Ok(content)
    }

    /// Opens a file that may be too large for memory.
    ///
    /// # Errors
    /// When the file does not exist, or can't be downloaded or decrypted.
    pub async fn open(&self, name: &str) -> std::io::Result<Box<dyn Read + Send>> {
        let file = match &self.at {
            At::Folder(folder) => folder.join(name),
            At::S3 { folder, name: backup, downloads } => {
                let file = downloads.path().join(name.replace('/', "-"));
                folder.get_file(&format!("{backup}/{name}"), &file).await?;
                file
            }
        };
        crypt::open(File::open(file)?, self.key, name)
    }
}
