//! Blobs as files: `blobs/<first two letters>/<version>`.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use axum::body::{Body, Bytes};
use futures::future::BoxFuture;
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;

use super::Backend;
use crate::domain::version::Version;
use crate::staging::Staged;

/// Up to this size a blob is read in one go: one trip to a blocking thread instead of several.
const IN_ONE_GO: u64 = 256 * 1024;
const CHUNK: usize = 64 * 1024;

pub struct Disk {
    blobs: PathBuf,
}

impl Disk {
    /// # Errors
    /// When the directory can't be made.
    pub fn open(dir: &Path) -> io::Result<Self> {
        let blobs = dir.join("blobs");
        fs::create_dir_all(&blobs)?;
        Ok(Self { blobs })
    }

    fn path(&self, version: Version) -> PathBuf {
        let name = version.to_string();
        self.blobs.join(&name[..2]).join(name)
    }
}

impl Backend for Disk {
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>> {
        let target = self.path(version);
        Box::pin(blocking(move || {
            let parent = ready_parent(&target)?;
            File::open(&staged.path)?.sync_all()?;
            staged.path.persist(&target).map_err(|failure| failure.error)?;
            File::open(parent)?.sync_all()
        }))
    }

    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>> {
        let path = self.path(version);
        Box::pin(async move {
            let length = range.end.saturating_sub(range.start);
            let (mut file, start) =
                blocking(move || opened(&path, range.start, length.min(IN_ONE_GO))).await?;
            let missing = length.saturating_sub(start.len() as u64);
            if missing == 0 {
                return Ok(Body::from(start));
            }
            if length > IN_ONE_GO {
                file.seek(SeekFrom::Start(range.start))?;
                let rest = tokio::fs::File::from_std(file).take(length);
                return Ok(Body::from_stream(ReaderStream::with_capacity(rest, CHUNK)));
            }
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the blob is shorter than its row says"))
        })
    }

    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>> {
        let (source, target) = (self.path(from), self.path(to));
        Box::pin(blocking(move || {
            let parent = ready_parent(&target)?;
            // Blobs never change, so two names may share one file; not every file system can.
            if let Err(error) = fs::hard_link(&source, &target) {
                if error.kind() == io::ErrorKind::NotFound {
                    return Err(error);
                }
                let copied = fs::copy(&source, &target).and_then(|_| File::open(&target)?.sync_all());
                if let Err(error) = copied {
                    let _ = fs::remove_file(&target);
                    return Err(error);
                }
            }
            File::open(parent)?.sync_all()
        }))
    }

    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>> {
        let path = self.path(version);
        Box::pin(blocking(move || match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }))
    }

    fn ready(&self) -> BoxFuture<'_, io::Result<()>> {
        let blobs = self.blobs.clone();
        Box::pin(blocking(move || tempfile::tempfile_in(blobs)?.write_all(b"ready")))
    }
}

/// The open file and its first bytes.
fn opened(path: &Path, start: u64, length: u64) -> io::Result<(File, Bytes)> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    (&mut file).take(length).read_to_end(&mut bytes)?;
    Ok((file, bytes.into()))
}

/// Makes the directory a blob goes to; its own entry must be on disk before the blob counts as kept.
fn ready_parent(target: &Path) -> io::Result<&Path> {
    let parent = target.parent().ok_or(io::ErrorKind::InvalidInput)?;
    match fs::create_dir(parent) {
        Ok(()) => File::open(parent.parent().unwrap_or(parent))?.sync_all()?,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => (),
        Err(error) => return Err(error),
    }
    Ok(parent)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}
