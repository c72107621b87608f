//! Disk space of the server. PostgreSQL stops when it can't write WAL, and needs space for WAL to start
//! again. A reserve is kept for that, and writes are rejected while little other space is left.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

pub struct Disk {
    data: PathBuf,
    reserve: [PathBuf; PARTS],
    part_bytes: u64,
    min_free: u64,
    short: bool,
}

/// The reserve is released in parts, because the process that fills the disk could otherwise use up all of
/// it.
const PARTS: usize = 4;

impl Disk {
    pub fn new(data: &Path, min_free: u64, reserve_bytes: u64) -> Self {
        // The WAL may be on a separate disk. PostgreSQL ignores files with this name.
        let reserve = std::array::from_fn(|number| data.join(format!("pg_wal/serasi.reserve.{number}")));
        let part_bytes = reserve_bytes / PARTS as u64;
        Self { data: data.to_owned(), reserve, part_bytes, min_free, short: false }
    }

    /// Checks the free space, and restores the reserve when there is enough.
    pub fn is_short(&mut self) -> bool {
        let Some(free) = self.free() else { return false };
        let held = self.held();
        // Require a margin before accepting writes again, so that the state does not flap.
        let margin = if self.short { self.min_free / 8 } else { 0 };
        let reserve = self.part_bytes * PARTS as u64;
        self.short = free + held < self.min_free + reserve + margin;
        if !self.short && held < reserve {
            self.short = self.hold().is_err();
        }
        self.short
    }

    /// Releases a part of the reserve. Returns whether any part was left.
    pub fn release(&self) -> bool {
        let held = self.reserve.iter().find(|part| part.exists());
        held.is_some_and(|part| fs::remove_file(part).is_ok())
    }

    /// Whether the free space, without the reserve, is below the limit.
    pub fn is_low(&self) -> bool {
        self.free().is_some_and(|free| free < self.min_free)
    }

    fn held(&self) -> u64 {
        self.reserve.iter().map(|part| self.held_in(part)).sum()
    }

    fn held_in(&self, part: &Path) -> u64 {
        part.metadata().map_or(0, |about| about.len().min(self.part_bytes))
    }

    fn hold(&self) -> io::Result<()> {
        for part in self.reserve.iter().filter(|part| self.held_in(part) < self.part_bytes) {
            let file = OpenOptions::new().create(true).truncate(true).write(true).open(part)?;
            if let Err(error) = allocate(&file, self.part_bytes) {
                let _ = fs::remove_file(part);
                return Err(error);
            }
        }
        Ok(())
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

#[cfg(any(target_os = "linux", target_os = "freebsd"))]
fn allocate(file: &fs::File, bytes: u64) -> io::Result<()> {
    let bytes = i64::try_from(bytes).map_err(io::Error::other)?;
    match bytes {
        0 => Ok(()),
        _ => Ok(nix::fcntl::posix_fallocate(file, 0, bytes)?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "freebsd")))]
fn allocate(mut file: &fs::File, bytes: u64) -> io::Result<()> {
    use std::io::Write;
    let block = vec![0; 1 << 20];
    let mut left = usize::try_from(bytes).map_err(io::Error::other)?;
    while left > 0 {
        let length = left.min(block.len());
        file.write_all(&block[..length])?;
        left -= length;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("pg_wal")).unwrap();
        folder
    }

    #[test]
    fn the_reserve_is_kept_while_there_is_space_and_released_in_parts() {
        let folder = data();
        let mut disk = Disk::new(folder.path(), 1 << 20, 1 << 20);
        assert!(!disk.is_short() && disk.held() == 1 << 20);
        assert!((0..PARTS).all(|_| disk.release()) && !disk.release());
        assert!(!disk.is_short() && disk.held() == 1 << 20);
    }

    #[test]
    fn low_disk_space_is_detected_and_no_reserve_is_taken() {
        let folder = data();
        let mut disk = Disk::new(folder.path(), u64::MAX >> 1, 1 << 20);
        assert!(disk.is_short() && disk.is_low() && disk.held() == 0);
    }
}
