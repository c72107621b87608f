//! Disk space of the server. PostgreSQL stops when it can't write WAL, and needs space for WAL to start
//! again. A reserve is kept for that, and writes are rejected while little other space is left.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Free space below which writes are rejected.
const MIN_FREE: u64 = 100 * 1024 * 1024;
const RESERVE: u64 = 64 * 1024 * 1024;

pub struct Disk {
    data: PathBuf,
    /// The WAL may be on a separate disk. PostgreSQL ignores files with this name.
    reserve: PathBuf,
    reserve_bytes: u64,
    min_free: u64,
    short: bool,
}

impl Disk {
    pub fn new(data: &Path) -> Self {
        // An earlier version had four parts.
        for part in 0..4 {
            let _ = fs::remove_file(data.join(format!("pg_wal/serasi.reserve.{part}")));
        }
        let reserve = data.join("pg_wal/serasi.reserve");
        Self { data: data.to_owned(), reserve, reserve_bytes: RESERVE, min_free: MIN_FREE, short: false }
    }

    /// Checks the free space, and restores the reserve when there is enough.
    pub fn is_short(&mut self) -> bool {
        let Some(free) = self.free() else { return false };
        let reserved = self.reserve.metadata().map_or(0, |about| about.len());
        // Require a margin before accepting writes again, so that the state does not flap.
        let margin = if self.short { self.min_free / 8 } else { 0 };
        self.short = free + reserved < self.min_free + self.reserve_bytes + margin;
        if !self.short && reserved < self.reserve_bytes {
            self.short = self.restore_reserve().is_err();
        }
        self.short
    }

    /// Releases the reserve. Returns whether there was one.
    pub fn release(&self) -> bool {
        fs::remove_file(&self.reserve).is_ok()
    }

    /// Whether the free space, without the reserve, is below the limit.
    pub fn is_low(&self) -> bool {
        self.free().is_some_and(|free| free < self.min_free)
    }

    fn restore_reserve(&self) -> io::Result<()> {
        let file = File::create(&self.reserve)?;
        allocate(&file, self.reserve_bytes).inspect_err(|_| {
            self.release();
        })
    }

    /// Bytes available to an unprivileged account.
    pub fn free(&self) -> Option<u64> {
        let free = [free(&self.data), free(&self.data.join("pg_wal"))];
        free.into_iter().flatten().min()
    }
}

fn free(folder: &Path) -> Option<u64> {
    space(folder).map(|(free, _)| free)
}

/// Bytes of the folder's disk: available to an unprivileged account, and in total.
pub fn space(folder: &Path) -> Option<(u64, u64)> {
    let about = nix::sys::statvfs::statvfs(folder).ok()?;
    #[expect(clippy::useless_conversion, reason = "the types differ between systems")]
    let (free, all) = (u64::from(about.blocks_available()), u64::from(about.blocks()));
    #[expect(clippy::useless_conversion, reason = "the types differ between systems")]
    let size = u64::from(about.fragment_size());
    Some((free.saturating_mul(size), all.saturating_mul(size)))
}

#[cfg(target_os = "linux")]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    let bytes = i64::try_from(bytes).map_err(io::Error::other)?;
    Ok(nix::fcntl::posix_fallocate(file, 0, bytes)?)
}

/// Other systems, which are for development, may have no such function: the file takes no space.
#[cfg(not(target_os = "linux"))]
fn allocate(file: &File, bytes: u64) -> io::Result<()> {
    file.set_len(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(folder: &Path, min_free: u64) -> Disk {
        fs::create_dir_all(folder.join("pg_wal")).unwrap();
        Disk { min_free, reserve_bytes: 1 << 20, ..Disk::new(folder) }
    }

    #[test]
    fn the_reserve_is_kept_while_there_is_space() {
        let folder = tempfile::tempdir().unwrap();
        let mut disk = disk(folder.path(), 1 << 20);
        for _ in 0..2 {
            assert!(!disk.is_short() && disk.reserve.metadata().unwrap().len() == 1 << 20);
            assert!(disk.release() && !disk.release());
        }
    }

    #[test]
    fn low_disk_space_is_detected_and_no_reserve_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let mut disk = disk(folder.path(), u64::MAX >> 1);
        assert!(disk.is_short() && disk.is_low() && !disk.reserve.exists());
    }
}
