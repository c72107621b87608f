//! A folder in memory for the files of tests: they create and delete databases, uploads and browser profiles by the
//! thousand. Commands that `run::command` starts find it as TMPDIR.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The file system in memory that Linux distributions mount.
const MEMORY: &str = "/dev/shm";
/// Prefix of the folder's name, followed by the test command's process id.
const PREFIX: &str = "serasi-tests-";
/// Space that the tests need at most, with a margin.
const NEEDED_KB: u64 = 6 * 1024 * 1024;

static FOLDER: OnceLock<PathBuf> = OnceLock::new();

/// Puts all temporary files into memory until the result is dropped. Returns `None` if memory is short or the
/// system has no such file system; then they stay on disk.
pub fn in_memory() -> Option<TempDir> {
    let has_space = available_kb(&disk_free()?)? >= NEEDED_KB && memory_available_kb()? >= 2 * NEEDED_KB;
    if !has_space {
        return None;
    }
    remove_leftovers(Path::new(MEMORY));
    let prefix = format!("{PREFIX}{}-", std::process::id());
    let folder = tempfile::Builder::new().prefix(&prefix).tempdir_in(MEMORY).ok()?;
    // PostgreSQL runs as another user when the tests run as root.
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o711)).ok()?;
    tempfile::env::override_temp_dir(folder.path()).ok()?;
    FOLDER.set(folder.path().to_owned()).ok()?;
    Some(folder)
}

pub fn folder() -> Option<&'static Path> {
    FOLDER.get().map(PathBuf::as_path)
}

/// Removes the folders of test commands that were killed.
fn remove_leftovers(parent: &Path) {
    for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().and_then(owner).is_some_and(|id| !Path::new("/proc").join(id).exists()) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// The process id in a folder's name.
fn owner(name: &str) -> Option<&str> {
    Some(name.strip_prefix(PREFIX)?.split_once('-')?.0)
}

fn disk_free() -> Option<String> {
    let output = Command::new("df").args(["-k", "--output=avail", MEMORY]).output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// From the output of `df --output=avail`: a heading, then the number.
fn available_kb(output: &str) -> Option<u64> {
    output.lines().nth(1)?.trim().parse().ok()
}

fn memory_available_kb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_killed_commands_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        // Process ids are at most 4,194,304.
        let [of_killed, of_running, other] =
            [format!("{PREFIX}99999999-a"), format!("{PREFIX}{}-b", std::process::id()), "other".to_owned()]
                .map(|name| parent.path().join(name));
        for folder in [&of_killed, &of_running, &other] {
            std::fs::create_dir(folder).unwrap();
        }
        remove_leftovers(parent.path());
        assert!(!of_killed.exists() && of_running.exists() && other.exists());
    }

    #[test]
    fn the_available_space_is_the_line_below_the_heading() {
        assert_eq!(available_kb("   Avail\n25165824\n"), Some(25_165_824));
        assert_eq!(available_kb("Avail\n-\n"), None);
        assert_eq!(available_kb(""), None);
    }
}
