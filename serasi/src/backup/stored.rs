//! Reads the files of a complete backup.

use std::fs;
use std::path::PathBuf;

use storage_service::archive::folder::S3Folder;
use tempfile::TempDir;

/// A complete backup.
pub enum Stored<'a> {
    Folder(PathBuf),
    S3 { folder: &'a S3Folder, name: String, downloads: TempDir },
}

impl Stored<'_> {
    /// # Errors
    /// When the file does not exist or can't be read.
    pub async fn read(&self, name: &str) -> std::io::Result<Vec<u8>> {
        match self {
            Self::Folder(folder) => fs::read(folder.join(name)),
            Self::S3 { folder, name: backup, .. } => folder.get(&format!("{backup}/{name}")).await,
        }
    }

    /// A local copy of the file.
    ///
    /// # Errors
    /// When the file does not exist or can't be downloaded.
    pub async fn file(&self, name: &str) -> std::io::Result<PathBuf> {
        match self {
            Self::Folder(folder) => Ok(folder.join(name)),
            Self::S3 { folder, name: backup, downloads } => {
                let file = downloads.path().join(name.replace('/', "-"));
                folder.get_file(&format!("{backup}/{name}"), &file).await?;
                Ok(file)
            }
        }
    }
}
