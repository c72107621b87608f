//! What an operator may change about the embedded server's files.

use platform::env::{ConfigError, Env};

const MB: u64 = 1024 * 1024;

#[derive(Clone, Copy)]
pub struct Settings {
    /// Most bytes of the log, older parts included.
    pub log_bytes: u64,
    /// With less than this left on the disk, writes are refused.
    pub min_free: u64,
    /// Set aside so that a server that ran out of disk space can start again.
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
