//! Backups that `serasi up` makes by itself (`BACKUP_EVERY`, `BACKUP_TO`).

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use tokio::process::Command;

use super::options;
use super::place::{Place, time_of};

/// After a failure, and while the place can't be read.
const PAUSE: Duration = Duration::from_secs(600);

pub struct Schedule {
    every: TimeDelta,
    place: Place,
    data_dir: PathBuf,
}

impl Schedule {
    /// `None` when no backups are to be made.
    ///
    /// # Errors
    /// When a setting is malformed or `BACKUP_TO` is missing.
    pub fn from_env(env: &Env, data_dir: &Path) -> anyhow::Result<Option<Self>> {
        let hours: u32 = env.parse_or("BACKUP_EVERY", 0)?;
        if hours == 0 {
            return Ok(None);
        }
        let to = env.optional("BACKUP_TO");
        let to = to.ok_or_else(|| ConfigError::new("BACKUP_TO", "is required with BACKUP_EVERY"))?;
        let place = Place::open(to, env)?;
        options::kept(env)?;
        Ok(Some(Self { every: TimeDelta::hours(hours.into()), place, data_dir: data_dir.to_path_buf() }))
    }

    /// Runs until it is dropped. A restart neither repeats nor delays a backup: the newest one says when the next
    /// is due.
    pub async fn run(&self) {
        loop {
            let outcome = match self.place.backups().await {
                Ok(backups) => {
                    let newest = backups.last().and_then(|name| time_of(name));
                    tokio::time::sleep(due_in(newest, self.every, Clock::system().now())).await;
                    self.back_up().await
                }
                Err(error) => Err(error),
            };
            if let Err(error) = outcome {
                tracing::error!("the scheduled backup failed, trying again later: {error:#}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// In a process of its own, with the settings of this one: requests share neither memory nor threads with it.
    async fn back_up(&self) -> anyhow::Result<()> {
        let program = std::env::current_exe().context("the program's path")?;
        let mut command = Command::new(program);
        command.arg("backup").arg("--data-dir").arg(&self.data_dir).stdin(Stdio::null()).kill_on_drop(true);
        let output = command.output().await.context("can't start `serasi backup`")?;
        let said = String::from_utf8_lossy(&output.stderr);
        let reason = said.lines().last().unwrap_or_default();
        ensure!(output.status.success(), "{}", reason.trim_start_matches("serasi: "));
        tracing::info!("backup: {}", String::from_utf8_lossy(&output.stdout).trim());
        Ok(())
    }
}

fn due_in(newest: Option<DateTime<Utc>>, every: TimeDelta, now: DateTime<Utc>) -> Duration {
    let due = newest.map_or(now, |newest| newest + every);
    // A backup from the future is one of a clock that was wrong.
    (due - now).min(every).to_std().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_backup_says_when_the_next_is_due() {
        let now = time_of("serasi-20260110T120000Z").unwrap();
        let day = TimeDelta::days(1);
        let due = |name: &str| due_in(time_of(name), day, now).as_secs();
        assert_eq!(due_in(None, day, now), Duration::ZERO);
        assert_eq!(due("serasi-20260101T000000Z"), 0);
        assert_eq!(due("serasi-20260110T110000Z"), 23 * 3600);
        assert_eq!(due("serasi-20270101T000000Z"), 24 * 3600);
    }
}
