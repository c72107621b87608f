//! The folder with all persistent data: the embedded cluster, the pictures and the secrets. Only one
//! process may use it at a time. A lock file enforces this; the kernel releases the lock even after a
//! crash.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use platform::random;
use platform::secret::Secret;
use serde::{Deserialize, Serialize};

/// What a running Serasi publishes for the other commands. It contains keys, so only the owner can read it.
#[derive(Serialize, Deserialize, Clone)]
pub struct Running {
    pub api_url: String,
    pub anon_key: String,
    pub service_role_key: String,
    pub jwt_secret: String,
    pub db_url: String,
    pub developer_db_url: String,
    /// The schemas that the gateway serves, comma-separated.
    pub db_schemas: String,
    /// Absent when no e-mail is captured.
    pub mail_url: Option<String>,
}

pub struct DataDir {
    path: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Creates the folder if necessary and locks it for this process.
    ///
    /// # Errors
    /// When another process holds the lock, or the folder is not writable.
    pub fn lock(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("the data directory {} can't be created", path.display()))?;
        let path = path.canonicalize().with_context(|| format!("the data directory {}", path.display()))?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path.join("lock"))
            .with_context(|| format!("the data directory {} can't be written", path.display()))?;
        try_lock(&lock).with_context(|| {
            format!(
                "another Serasi is already running on {}: stop it, or start with another --data-dir",
                path.display()
            )
        })?;
        // Remove the stale file of an earlier run.
        let _ = fs::remove_file(path.join(RUNNING));
        Ok(Self { path, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the secret in the file `name`. Generates it on first use.
    ///
    /// # Errors
    /// When the file can't be read or written.
    pub fn secret(&self, name: &str) -> anyhow::Result<Secret> {
        let file = self.path.join(name);
        if !file.exists() {
            write_private(&file, &random::token(48))?;
        }
        read_secret(&file)
    }

    /// The secret in the file `name`, if there is one.
    ///
    /// # Errors
    /// When the file can't be read.
    pub fn existing_secret(&self, name: &str) -> anyhow::Result<Option<Secret>> {
        let file = self.path.join(name);
        file.exists().then(|| read_secret(&file)).transpose()
    }

    /// # Errors
    /// When the file can't be written.
    pub fn announce(&self, running: &Running) -> anyhow::Result<()> {
        write_private(&self.path.join(RUNNING), &serde_json::to_string_pretty(running)?)
    }
}

impl Drop for DataDir {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path.join(RUNNING));
    }
}

/// `running` below may hold the lock for a moment, so only a second failure means that another process holds
/// it.
fn try_lock(lock: &File) -> Result<(), TryLockError> {
    lock.try_lock().or_else(|_| {
        std::thread::sleep(std::time::Duration::from_millis(20));
        lock.try_lock()
    })
}

fn read_secret(file: &Path) -> anyhow::Result<Secret> {
    let text = fs::read_to_string(file).with_context(|| format!("{} can't be read", file.display()))?;
    Ok(Secret::new(text.trim()))
}

const RUNNING: &str = "running.json";

/// Connection details of the Serasi running on this folder, if any.
pub fn running(path: &Path) -> Option<Running> {
    let lock = File::open(path.join("lock")).ok()?;
    // If the lock is free, the file is left over from a crash.
    if lock.try_lock_shared().is_ok() {
        return None;
    }
    serde_json::from_str(&fs::read_to_string(path.join(RUNNING)).ok()?).ok()
}

/// Creates a folder that only its owner can read.
///
/// # Errors
/// When it can't be created.
pub fn make_private(folder: &Path) -> anyhow::Result<()> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    created.with_context(|| format!("{} can't be created", folder.display()))
}

/// Writes the file atomically, readable only by the owner.
fn write_private(file: &Path, text: &str) -> anyhow::Result<()> {
    let partial = file.with_extension("partial");
    let write = || -> std::io::Result<()> {
        let mut handle =
            OpenOptions::new().create(true).truncate(true).write(true).mode(0o600).open(&partial)?;
        handle.write_all(text.as_bytes())?;
        handle.sync_all()?;
        fs::rename(&partial, file)
    };
    write().with_context(|| format!("{} can't be written", file.display()))
}
