//! Resized pictures, kept as files so that each is made once: `variants/<version>/<name>`. A blob never
//! changes, so neither do they. Everything here may be lost at any time.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;

use crate::domain::version::Version;

/// A replica that is not told of a removal forgets the picture by then.
const LONGEST_LIFE: Duration = Duration::from_secs(24 * 3600);

#[derive(Clone)]
pub struct Variants(Arc<Shared>);

struct Shared {
    dir: PathBuf,
    max_bytes: u64,
    bytes: AtomicU64,
}

struct Kept {
    path: PathBuf,
    size: u64,
    since: SystemTime,
}

impl Variants {
    /// # Errors
    /// When the directory is there but can't be read.
    pub fn open(dir: &Path, max_bytes: u64) -> io::Result<Self> {
        let dir = dir.join("variants");
        let variants = Self(Arc::new(Shared { dir, max_bytes, bytes: AtomicU64::new(0) }));
        variants.sweep()?;
        Ok(variants)
    }

    pub async fn get(&self, version: Version, name: &str) -> Option<Bytes> {
        tokio::fs::read(self.folder(version).join(name)).await.ok().map(Bytes::from)
    }

    /// Blocks. A variant that can't be kept is made again, so that is no failure of a request.
    pub fn put(&self, version: Version, name: &str, picture: &[u8]) {
        let size = picture.len() as u64;
        let full = self.0.bytes.fetch_add(size, Ordering::Relaxed) + size > self.0.max_bytes;
        let kept = self.write(version, name, picture).and_then(|()| if full { self.sweep() } else { Ok(()) });
        if let Err(error) = kept {
            tracing::warn!(%error, "a resized picture could not be kept");
        }
    }

    /// Blocks. Forgets what was made of a blob, for good when the blob is gone.
    pub fn forget(&self, version: Version) {
        match fs::remove_dir_all(self.folder(version)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                tracing::warn!(%version, %error, "resized pictures could not be removed");
            }
            _ => (),
        }
    }

    /// Blocks. Removes what is too old and, when there is too much, the oldest until a quarter is free.
    ///
    /// # Errors
    /// When the directory can't be read.
    pub fn sweep(&self) -> io::Result<()> {
        let mut kept = Vec::new();
        let folders = match fs::read_dir(&self.0.dir) {
            // Nothing was resized yet, or the disk is not mounted.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            folders => folders?,
        };
        for folder in folders {
            kept.extend(files(&folder?.path())?);
        }
        kept.sort_by_key(|variant| variant.since);
        let mut bytes: u64 = kept.iter().map(|variant| variant.size).sum();
        let goal = if bytes > self.0.max_bytes { self.0.max_bytes / 4 * 3 } else { bytes };
        for variant in kept {
            let age = variant.since.elapsed().unwrap_or_default();
            if bytes <= goal && age <= LONGEST_LIFE {
                break;
            }
            // Somebody else may have been quicker.
            let _ = fs::remove_file(&variant.path);
            // Only an empty folder goes.
            let _ = variant.path.parent().map(fs::remove_dir);
            bytes = bytes.saturating_sub(variant.size);
        }
        self.0.bytes.store(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn write(&self, version: Version, name: &str, picture: &[u8]) -> io::Result<()> {
        let folder = self.folder(version);
        fs::create_dir_all(&folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(picture)?;
        // Without it a crash could leave the name of a file that has no bytes.
        file.as_file().sync_data()?;
        file.persist(folder.join(name)).map_err(|failure| failure.error)?;
        Ok(())
    }

    fn folder(&self, version: Version) -> PathBuf {
        self.0.dir.join(version.to_string())
    }
}

/// A folder may vanish while it is read.
fn files(folder: &Path) -> io::Result<Vec<Kept>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let known = entries.filter_map(|entry| {
        let entry = entry.ok()?;
        let metadata = entry.metadata().ok()?;
        Some(Kept { path: entry.path(), size: metadata.len(), since: metadata.modified().ok()? })
    });
    Ok(known.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_oldest_go_when_there_are_too_many() {
        let dir = tempfile::tempdir().unwrap();
        let variants = Variants::open(dir.path(), 100).unwrap();
        let versions: Vec<_> = (0..5).map(|_| Version::random()).collect();
        for (number, version) in versions.iter().enumerate() {
            variants.put(*version, "a", &[0; 30]);
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

        variants.forget(versions[4]);
        assert_eq!(variants.get(versions[4], "a").await, None);
    }

    #[tokio::test]
    async fn a_day_is_the_longest_life() {
        let dir = tempfile::tempdir().unwrap();
        let (variants, version) = (Variants::open(dir.path(), 100).unwrap(), Version::random());
        variants.put(version, "old", b"x");
        variants.put(version, "new", b"x");
        let file = fs::File::open(variants.folder(version).join("old")).unwrap();
        file.set_modified(SystemTime::now() - LONGEST_LIFE - Duration::from_secs(1)).unwrap();
        variants.sweep().unwrap();
        assert_eq!(variants.get(version, "old").await, None);
        assert_eq!(variants.get(version, "new").await.as_deref(), Some(&b"x"[..]));
    }
}
