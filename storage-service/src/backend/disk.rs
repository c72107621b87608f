//! Blobs as files: `blobs/<first two letters>/<version>`. A marker file distinguishes the blob directory from
//! an empty one in its place, such as the mount point of an unmounted disk.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use axum::body::{Body, Bytes};
use futures::future::BoxFuture;
use tokio::io::AsyncReadExt;
use tokio_util::io::ReaderStream;

use super::{Backend, Listed, Unavailable, too_short};
use crate::domain::version::Version;
use crate::staging::Staged;

const CHUNK: usize = 64 * 1024;
const MARKER: &str = ".serasi-blobs";
const MARKER_TEXT: &str =
    "Serasi stores images here. Without this file, it treats the directory as an unmounted disk.\n";

pub struct Disk {
    dir: PathBuf,
    blobs: PathBuf,
}

impl Disk {
    /// Does not create the directory, because it may be on a disk that is mounted later.
    ///
    /// # Errors
    /// Fails when the directory exists but can't be used, or when it could not be created.
    pub fn open(dir: &Path) -> io::Result<Self> {
        let disk = Self { dir: dir.to_owned(), blobs: dir.join("blobs") };
        // Blobs from before the marker was introduced.
        if disk.marked().is_err() && fs::read_dir(&disk.blobs).is_ok_and(|mut blobs| blobs.next().is_some()) {
            disk.mark()?;
        }
        // Tests writing without leaving anything behind: the temporary file has no name.
        let existing = dir.ancestors().find(|folder| folder.exists()).unwrap_or(Path::new("."));
        tempfile::tempfile_in(existing)?;
        Ok(disk)
    }

    fn path(&self, version: Version) -> PathBuf {
        let name = version.to_string();
        self.blobs.join(&name[..2]).join(name)
    }

    /// # Errors
    /// Fails with an error that [`super::is_unavailable`] recognizes when this is not our blob directory.
    fn marked(&self) -> io::Result<()> {
        marked(&self.blobs)
    }

    fn mark(&self) -> io::Result<()> {
        let mut file = File::create(self.blobs.join(MARKER))?;
        file.write_all(MARKER_TEXT.as_bytes())?;
        file.sync_all()?;
        File::open(&self.blobs)?.sync_all()
    }

    fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> BoxFuture<'static, io::Result<T>> {
        let disk = Self { dir: self.dir.clone(), blobs: self.blobs.clone() };
        Box::pin(
            async move { tokio::task::spawn_blocking(move || work(&disk)).await.map_err(io::Error::other)? },
        )
    }

    /// A missing file means something only while the blob directory exists.
    fn missing<T>(&self, result: io::Result<T>) -> io::Result<T> {
        match result {
            Err(error) if error.kind() == ErrorKind::NotFound => self.marked().and(Err(error)),
            result => result,
        }
    }
}

fn marked(blobs: &Path) -> io::Result<()> {
    match fs::metadata(blobs.join(MARKER)) {
        Ok(_) => Ok(()),
        Err(error) => Err(Unavailable::error(format!(
            "the folder {} is not there or not mounted: {MARKER} in it can't be read ({error}). \
             To begin with an empty folder, make that file",
            blobs.display()
        ))),
    }
}

impl Backend for Disk {
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>> {
        let target = self.path(version);
        self.blocking(move |disk| {
            disk.marked()?;
            let parent = ready_parent(&target)?;
            // Renamed first, so that most file systems store content and name at once. After a crash in between, no row refers
            // to the blob.
            staged.path.persist(&target).map_err(|failure| failure.error)?;
            File::open(&target)?.sync_all()?;
            File::open(parent)?.sync_all()
        })
    }

    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>> {
        let path = self.path(version);
        self.blocking(move |disk| {
            let mut file = disk.missing(File::open(path))?;
            if file.metadata()?.len() < range.end {
                return Err(too_short());
            }
            file.seek(SeekFrom::Start(range.start))?;
            let part = tokio::fs::File::from_std(file).take(range.end.saturating_sub(range.start));
            Ok(Body::from_stream(ReaderStream::with_capacity(part, CHUNK)))
        })
    }

    /// In one trip to a blocking thread, whatever the length.
    fn read_start(&self, version: Version, length: u64) -> BoxFuture<'_, io::Result<Bytes>> {
        let path = self.path(version);
        self.blocking(move |disk| {
            let file = disk.missing(File::open(path))?;
            let mut start = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
            file.take(length).read_to_end(&mut start)?;
            if start.len() as u64 == length { Ok(start.into()) } else { Err(too_short()) }
        })
    }

    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>> {
        let (source, target) = (self.path(from), self.path(to));
        self.blocking(move |disk| {
            disk.marked()?;
            let parent = ready_parent(&target)?;
            // Blobs never change, so both names may share one file. Not every file system supports hard
            // links.
            if let Err(error) = fs::hard_link(&source, &target) {
                if error.kind() == ErrorKind::NotFound {
                    return Err(error);
                }
                let copied = fs::copy(&source, &target).and_then(|_| File::open(&target)?.sync_all());
                if let Err(error) = copied {
                    let _ = fs::remove_file(&target);
                    return Err(error);
                }
            }
            File::open(parent)?.sync_all()
        })
    }

    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>> {
        let path = self.path(version);
        self.blocking(move |disk| match disk.missing(fs::remove_file(path)) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        })
    }

    fn present(&self) -> BoxFuture<'_, io::Result<()>> {
        self.blocking(Self::marked)
    }

    fn prepare(&self) -> BoxFuture<'_, io::Result<()>> {
        self.blocking(|disk| {
            for first_byte in 0..=u8::MAX {
                fs::create_dir_all(disk.blobs.join(format!("{first_byte:02x}")))?;
            }
            disk.mark()?;
            File::open(&disk.dir)?.sync_all()
        })
    }

    fn holds(&self, version: Version) -> BoxFuture<'_, io::Result<bool>> {
        let path = self.path(version);
        self.blocking(move |disk| match disk.missing(fs::metadata(path)) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        })
    }

    fn list(&self, first_byte: u8) -> BoxFuture<'_, io::Result<Vec<Listed>>> {
        let folder = self.blobs.join(format!("{first_byte:02x}"));
        self.blocking(move |disk| {
            disk.marked()?;
            list_folder(&folder)
        })
    }

    fn ready(&self) -> BoxFuture<'_, io::Result<()>> {
        self.blocking(|disk| {
            disk.marked()?;
            tempfile::tempfile_in(&disk.blobs)?.write_all(b"ready")
        })
    }
}

fn list_folder(folder: &Path) -> io::Result<Vec<Listed>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut blobs = Vec::new();
    for entry in entries {
        let entry = entry?;
        // Others were removed in the meantime, or are not ours.
        if let Some(version) = entry.file_name().to_str().and_then(Version::of_name)
            && let Ok(metadata) = entry.metadata()
            && metadata.is_file()
        {
            blobs.push(Listed { version, size: metadata.len(), since: since(&metadata)? });
        }
    }
    Ok(blobs)
}

/// A hard link shares the original's modification time. Only the inode's change time shows when the link was
/// created.
fn since(metadata: &fs::Metadata) -> io::Result<std::time::SystemTime> {
    let modified = metadata.modified()?;
    #[cfg(unix)]
    {
        let seconds = u64::try_from(std::os::unix::fs::MetadataExt::ctime(metadata)).unwrap_or_default();
        Ok(modified.max(std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds)))
    }
    #[cfg(not(unix))]
    Ok(metadata.created().map_or(modified, |created| modified.max(created)))
}

/// Creates the parent directory. Its own entry must be on disk before the blob counts as stored.
fn ready_parent(target: &Path) -> io::Result<&Path> {
    let parent = target.parent().ok_or(ErrorKind::InvalidInput)?;
    match fs::create_dir(parent) {
        Ok(()) => File::open(parent.parent().unwrap_or(parent))?.sync_all()?,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => (),
        Err(error) => return Err(error),
    }
    Ok(parent)
}
