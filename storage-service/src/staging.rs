//! Partial uploads, each in a temporary file until it is complete. Dropping one removes its file, so
//! rejected, failed and canceled uploads leave nothing behind.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use md5::{Digest, Md5};
use tempfile::TempPath;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

/// Older files were left by a killed process; no upload takes that long.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// The directory is on the file system of the blobs, so that storing an upload is a rename.
pub struct Staging {
    dir: PathBuf,
}

/// A complete upload, not stored yet.
pub struct Staged {
    pub path: TempPath,
    pub size: u64,
    pub md5: String,
}

/// An upload being received.
pub struct Draft {
    path: TempPath,
    file: File,
    size: u64,
    md5: Md5,
}

impl Staging {
    /// Creates nothing: see [`crate::backend::Backend::present`].
    ///
    /// # Errors
    /// Fails when the directory exists but can't be read.
    pub fn open(dir: &Path) -> io::Result<Self> {
        let dir = dir.join("incoming");
        let entries = match std::fs::read_dir(&dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self { dir }),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > STALE {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(Self { dir })
    }

    /// Call it only when the blob store is known to exist.
    ///
    /// # Errors
    /// Fails when the file can't be created.
    pub fn begin(&self) -> io::Result<Draft> {
        let (file, path) = match self.file() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(&self.dir)?;
                self.file()?
            }
            file => file?,
        };
        Ok(Draft { path, file: File::from_std(file), size: 0, md5: Md5::new() })
    }

    fn file(&self) -> io::Result<(std::fs::File, TempPath)> {
        let file = tempfile::Builder::new().prefix("upload-").tempfile_in(&self.dir)?;
        Ok(file.into_parts())
    }
}

impl Draft {
    /// # Errors
    /// Fails when the disk can't store it.
    pub async fn write(&mut self, chunk: &Bytes) -> io::Result<()> {
        self.file.write_all(chunk).await?;
        self.md5.update(chunk);
        self.size += chunk.len() as u64;
        Ok(())
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// # Errors
    /// Fails when the last bytes can't be written.
    pub async fn finish(mut self) -> io::Result<Staged> {
        self.file.flush().await?;
        Ok(Staged { path: self.path, size: self.size, md5: hex(&self.md5.finalize()) })
    }
}

impl Staged {
    /// # Errors
    /// Fails when the file can't be read.
    pub fn content(&self) -> io::Result<Vec<u8>> {
        std::fs::read(&self.path)
    }

    /// Replaces the received bytes.
    ///
    /// # Errors
    /// Fails when the file can't be written.
    pub fn replaced_by(self, content: &[u8]) -> io::Result<Self> {
        std::fs::write(&self.path, content)?;
        Ok(Self { path: self.path, size: content.len() as u64, md5: hex(&Md5::digest(content)) })
    }
}

fn hex(digest: &[u8]) -> String {
    use std::fmt::Write;
    digest.iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
