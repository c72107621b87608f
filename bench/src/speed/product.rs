//! The running product: its address, its process, and a superuser's connection to its database.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use tokio_postgres::Client;

use crate::{http, reader};

#[derive(Args)]
pub struct ProductOptions {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    pub url: String,
    /// Process id of `serasi up`
    #[arg(long)]
    pub pid: u32,
    /// Its data directory, which has PostgreSQL's log
    #[arg(long)]
    pub data_dir: PathBuf,
    /// Superuser URL of its database
    #[arg(long, env = "DB_URL", hide_env_values = true)]
    pub database: String,
}

pub struct Product {
    pub address: SocketAddr,
    pub pid: u32,
    pub database: Client,
    /// PostgreSQL's log.
    pub log: PathBuf,
}

impl Product {
    /// # Errors
    /// When the URL has no address or the database can't be reached.
    pub async fn connect(options: &ProductOptions) -> anyhow::Result<Self> {
        let database = reader::connect(&options.database).await?;
        let address = http::address(&options.url)?;
        Ok(Self { address, pid: options.pid, database, log: options.data_dir.join("postgres.log") })
    }

    /// CPU time of the process itself, without PostgreSQL; `None` if the system does not report it.
    pub fn cpu_seconds(&self) -> Option<f64> {
        ticks(&fs::read_to_string(format!("/proc/{}/stat", self.pid)).ok()?).map(seconds)
    }

    /// The process's proportional share of memory.
    pub fn memory_megabytes(&self) -> Option<f64> {
        let rollup = fs::read_to_string(format!("/proc/{}/smaps_rollup", self.pid)).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        Some(line.split_whitespace().next()?.parse::<f64>().ok()? / 1024.0)
    }
}

/// User and system time of all threads. The program's name, in parentheses, can contain spaces.
fn ticks(stat: &str) -> Option<u64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let mut fields = after_name.split_whitespace().skip(11);
    let (user, system) = (fields.next()?, fields.next()?);
    Some(user.parse::<u64>().ok()? + system.parse::<u64>().ok()?)
}

#[cfg(target_os = "linux")]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

#[cfg(not(target_os = "linux"))]
fn seconds(ticks: u64) -> f64 {
    ticks as f64 / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "42 (serasi (up) x) S 1 42 42 0 -1 4194304 100 0 0 0 700 55 9 9 20 0 5 0";
        assert_eq!(ticks(stat), Some(755));
    }
}
