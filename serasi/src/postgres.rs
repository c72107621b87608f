//! The embedded PostgreSQL server. npm installs it, and this process owns it: it stops when this process
//! ends.

pub mod address;
pub mod cluster;
pub mod disk;
pub mod identity;
pub mod leftovers;
pub mod log;
pub mod older;
pub mod package;
pub mod restarts;
pub mod server;
pub mod supervisor;

use platform::env::{ConfigError, Env};

const MB: u64 = 1024 * 1024;

/// Operator settings for the embedded server's log and disk space.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Size limit of the log, including rotated parts.
    pub log_bytes: u64,
    /// Free space below which writes are rejected.
    pub min_free: u64,
    /// Space reserved for restarting a server that ran out of disk space.
    pub reserve: u64,
}

impl Settings {
    /// # Errors
    /// When a setting is not a number of megabytes.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let megabytes = |name: &str, default: u32| Ok(u64::from(env.parse_or(name, default)?) * MB);
        Ok(Self {
            log_bytes: megabytes("POSTGRES_LOG_MB", 40)?,
            min_free: megabytes("DISK_MIN_FREE_MB", 100)?,
            reserve: megabytes("DISK_RESERVE_MB", 64)?,
        })
    }
}
