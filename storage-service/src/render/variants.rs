//! A cache of resized images as files, so that each is rendered only once: `variants/<version>/<name>`. Blobs
//! never change, so neither do their variants. The cache may be deleted at any time.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use crate::domain::version::Version;

/// The smallest size of a file on disk. If only the content counted, any number of tiny files would fit into
/// the limit.
const BLOCK: u64 = 4096;

/// Limits how long a replica that misses a removal keeps the variants.
const MAX_AGE: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone)]
pub struct Variants(Arc<Shared>);

struct Shared {
    dir: PathBuf,
    max_bytes: u64,
    bytes: AtomicU64,
}

/// When it was stored, its size on disk, and its path.
type CacheEntry = (SystemTime, u64, PathBuf);

impl Variants {
    /// # Errors
    /// Fails when the directory exists but can't be read.
    pub fn open(dir: &Path, max_bytes: u64) -> io::Result<Self> {
        let dir = dir.join("variants");
        let variants = Self(Arc::new(Shared { dir, max_bytes, bytes: AtomicU64::new(0) }));
        variants.sweep()?;
        Ok(variants)
    }

    pub async fn get(&self, version: Version, name: &str) -> Option<Bytes> {
        tokio::fs::read(self.folder(version).join(name)).await.ok().map(Bytes::from)
    }

    /// Blocks. A failed write does not fail the request, because the variant can be rendered again.
    pub fn put(&self, version: Version, name: &str, picture: &[u8]) {
        let size = disk_bytes(picture.len() as u64);
        let full = self.0.bytes.fetch_add(size, Ordering::Relaxed) + size > self.0.max_bytes;
        let stored =
            self.write(version, name, picture).and_then(|()| if full { self.sweep() } else { Ok(()) });
        if let Err(error) = stored {
            tracing::warn!(%error, "can't store a resized image");
        }
    }

    /// Blocks. Removes a blob's variants, when the blob is deleted or purged.
    pub fn remove(&self, version: Version) {
        match fs::remove_dir_all(self.folder(version)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%version, %error, "can't remove resized images");
            }
            _ => (),
        }
    }

    /// Like [`Self::remove`], in a thread for blocking work.
    pub async fn remove_soon(&self, version: Version) {
        let variants = self.clone();
        let _ = tokio::task::spawn_blocking(move || variants.remove(version)).await;
    }

    /// Blocks. Removes all variants of all blobs.
    pub fn remove_all(&self) {
        let folders = fs::read_dir(&self.0.dir).into_iter().flatten().flatten();
        for folder in folders {
            let _ = fs::remove_dir_all(folder.path());
        }
    }

    /// Blocks. Removes expired variants and, above the size limit, the oldest ones until a quarter is free.
    ///
    /// # Errors
    /// Fails when the directory can't be read.
    pub fn sweep(&self) -> io::Result<()> {
        let mut variants: Vec<CacheEntry> = Vec::new();
        let folders = match fs::read_dir(&self.0.dir) {
            // Nothing has been resized yet, or the disk is not mounted.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            folders => folders?,
        };
        for folder in folders {
            variants.extend(files(&folder?.path())?);
        }
        variants.sort();
        let mut bytes: u64 = variants.iter().map(|(_, size, _)| size).sum();
        let goal = if bytes > self.0.max_bytes { self.0.max_bytes / 4 * 3 } else { bytes };
        for (since, size, path) in variants {
            let age = since.elapsed().unwrap_or_default();
            if bytes <= goal && age <= MAX_AGE {
                break;
            }
            // Another process may have removed it first.
            let _ = fs::remove_file(&path);
            // Succeeds only if the directory is empty.
            let _ = path.parent().map(fs::remove_dir);
            bytes = bytes.saturating_sub(size);
        }
        self.0.bytes.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn write(&self, version: Version, name: &str, picture: &[u8]) -> io::Result<()> {
        let folder = self.folder(version);
        fs::create_dir_all(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(picture)?;
        // Without the sync, a crash could leave a file name without content.
        file.as_file().sync_data()?;
        file.persist(folder.join(name)).map_err(|failure| failure.error)?;
        Ok(())
    }

    fn folder(&self, version: Version) -> PathBuf {
        self.0.dir.join(version.to_string())
    }
}

/// The disk space of a file of this length.
fn disk_bytes(length: u64) -> u64 {
    length.div_ceil(BLOCK).max(1) * BLOCK
}

/// The directory may vanish while it is read.
fn files(folder: &Path) -> io::Result<Vec<CacheEntry>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let known = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let metadata = entry.metadata().ok()?;
        Some((metadata.modified().ok()?, disk_bytes(metadata.len()), entry.path()))
    });
    Ok(known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_variants_are_evicted_first() {
        let dir = tempfile::tempdir().unwrap();
        let variants = Variants::open(dir.path(), 100 * BLOCK).unwrap();
        let versions: Vec<_> = (0..5).map(|_| Version::random()).collect();
        for (number, version) in versions.iter().enumerate() {
            variants.put(*version, "a", &[0; 30 * 4096]);
            let file = fs::File::open(dir.path().join("variants").join(version.to_string()).join("a"));
            if let Ok(file) = file {
                let age = Duration::from_secs(60 * (10 - number as u64));
                file.set_modified(SystemTime::now() - age).unwrap();
            }
        }
        let mut left = Vec::new();
        for version in &versions {
            left.push(variants.get(*version, "a").await.is_some());
        }
        assert_eq!(left, [false, false, true, true, true]);

        variants.remove(versions[4]);
        assert_eq!(variants.get(versions[4], "a").await, None);
    }

    #[tokio::test]
    async fn empty_variants_take_space_too() {
        let dir = tempfile::tempdir().unwrap();
        let (variants, version) = (Variants::open(dir.path(), 20 * BLOCK).unwrap(), Version::random());
        for number in 0..200 {
            variants.put(version, &number.to_string(), b"");
        }
        assert!(files(&variants.folder(version)).unwrap().len() <= 20);
    }

    #[tokio::test]
    async fn variants_expire_after_a_day() {
        let dir = tempfile::tempdir().unwrap();
        let (variants, version) = (Variants::open(dir.path(), 100 * BLOCK).unwrap(), Version::random());
        variants.put(version, "old", b"x");
        variants.put(version, "new", b"x");
        let file = fs::File::open(variants.folder(version).join("old")).unwrap();
        file.set_modified(SystemTime::now() - MAX_AGE - Duration::from_secs(1)).unwrap();
        variants.sweep().unwrap();
        assert_eq!(variants.get(version, "old").await, None);
        assert_eq!(variants.get(version, "new").await.as_deref(), Some(&b"x"[..]));
    }
}
