//! Partial uploads, each in a temporary file until it is complete. Dropping one removes its file, so
//! rejected, failed and canceled uploads leave nothing behind.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use md5::{Digest, Md5};
use tempfile::TempPath;
use tokio::sync::Semaphore;

use crate::domain::owner::Owner;
use crate::shares::{Exhausted, Share, ShareLimits, Shares};
use crate::staging_writer::Writer;

/// Older files were left by a killed process; no upload takes that long.
const STALE: Duration = Duration::from_secs(24 * 3600);

/// The directory is on the file system of the blobs, so that storing an upload is a rename.
pub struct Staging {
    dir: PathBuf,
    /// The disk space of uploads in progress. They don't count against the quota yet, and a client may open many and send
    /// them slowly. The service key has no account.
    uploads: Shares<String>,
    /// One for each upload that may write at the same time.
    slots: Arc<Semaphore>,
}

/// A complete upload, not stored yet.
pub struct Staged {
    pub path: TempPath,
    pub size: u64,
    pub md5: String,
    share: Share<String>,
}

/// An upload being received.
pub struct Draft {
    path: TempPath,
    writer: Writer,
    size: u64,
    share: Share<String>,
}

impl Staging {
    /// Creates nothing: see [`crate::backend::Backend::present`].
    ///
    /// # Errors
    /// Fails when the directory exists but can't be read.
    pub fn open(dir: &Path, limits: ShareLimits) -> io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let slots = Arc::new(Semaphore::new(2 * cores));
        let staging = Self { dir: dir.join("incoming"), uploads: Shares::new(limits), slots };
        let entries = match std::fs::read_dir(&staging.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(staging),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let age = entry.metadata()?.modified()?.elapsed().unwrap_or_default();
            if age > STALE {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(staging)
    }

    /// Call it only when the blob store is known to exist. `is_final`: whether the bytes are stored as they arrive.
    ///
    /// # Errors
    /// Fails when the file can't be created.
    pub fn begin(&self, owner: &Owner, is_final: bool) -> io::Result<Draft> {
        let (file, path) = match self.file() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                std::fs::create_dir_all(&self.dir)?;
                self.file()?
            }
            file => file?,
        };
        let share = self.uploads.begin(owner.id.clone());
        Ok(Draft { path, writer: Writer::new(file, Arc::clone(&self.slots), is_final), size: 0, share })
    }

    fn file(&self) -> io::Result<(std::fs::File, TempPath)> {
        let file = tempfile::Builder::new().prefix("upload-").tempfile_in(&self.dir)?;
        Ok(file.into_parts())
    }
}

impl Draft {
    /// # Errors
    /// Fails when the disk can't store it; `ResourceBusy` when uploads in progress take too much space.
    pub async fn write(&mut self, chunk: &Bytes) -> io::Result<()> {
        self.share.grow(chunk.len() as u64).map_err(|Exhausted| io::ErrorKind::ResourceBusy)?;
        self.writer.write(chunk.clone()).await?;
        self.size += chunk.len() as u64;
        Ok(())
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// # Errors
    /// Fails when the last bytes can't be written.
    pub async fn finish(self) -> io::Result<Staged> {
        let md5 = hex(&self.writer.finish().await?);
        Ok(Staged { path: self.path, size: self.size, md5, share: self.share })
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
        let (size, md5) = (content.len() as u64, hex(&Md5::digest(content)));
        Ok(Self { path: self.path, size, md5, share: self.share })
    }
}

fn hex(digest: &[u8]) -> String {
    use std::fmt::Write;
    digest.iter().fold(String::with_capacity(32), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
