//! Backups that `serasi up` and `serasi backup --watch` make automatically: when superadmins request them in `serasi.backups`,
//! and every `BACKUP_EVERY` hours. Several programs may do this for one database.

use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use chrono::{DateTime, TimeDelta, Utc};
use futures::FutureExt;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use serde_json::{Value, json};
use tokio::process::Command;

use super::place::{Place, time_of};
use super::{keep_from_env, record};
use crate::database::Database;

/// Delay after an attempt, and while the place can't be read.
const PAUSE: TimeDelta = TimeDelta::minutes(10);
/// Time between two checks for requests.
const INTERVAL: Duration = Duration::from_secs(1);
/// How long a stopped backup may take to remove its files.
const STOP_LIMIT: Duration = Duration::from_secs(10);

pub struct Schedule {
    every: Option<TimeDelta>,
    place: Place,
    /// The address of the place.
    to: String,
    data_dir: PathBuf,
    keep: Option<u32>,
    /// Whether the database was reachable at the last check.
    pub is_ready: AtomicBool,
}

impl Schedule {
    /// `None` without `BACKUP_TO`.
    ///
    /// # Errors
    /// When a setting is malformed, or `BACKUP_EVERY` is set without `BACKUP_TO`.
    pub fn from_env(env: &Env, data_dir: &Path) -> anyhow::Result<Option<Self>> {
        let hours: u32 = env.parse_or("BACKUP_EVERY", 0)?;
        let Some(to) = env.optional("BACKUP_TO") else {
            let missing = ConfigError::new("BACKUP_TO", "is required with BACKUP_EVERY");
            return if hours == 0 { Ok(None) } else { Err(missing.into()) };
        };
        Ok(Some(Self {
            every: (hours > 0).then(|| TimeDelta::hours(hours.into())),
            place: Place::open(to, env)?,
            to: to.to_owned(),
            data_dir: data_dir.to_path_buf(),
            keep: keep_from_env(env)?,
            is_ready: AtomicBool::new(false),
        }))
    }

    /// The state that superadmins see.
    pub async fn report(&self) -> Value {
        json!({
            "place": self.place.address("").trim_end_matches('/'), "every_hours": self.every.map(|every| every.num_hours()),
            "encrypted": self.place.key.is_some(), "keep": self.keep, "next_at": self.due().await,
        })
    }

    /// The folder for the backups; `None` for a bucket.
    pub fn folder(&self) -> Option<&Path> {
        self.place.folder()
    }

    /// Runs until `stop` completes. A restart neither repeats nor delays a backup, because the next due time
    /// depends on the newest backup.
    pub async fn run(&self, database: Database, stop: impl Future<Output = ()>) {
        let stop = stop.shared();
        // The first attempt removes what a killed backup has left.
        let mut due = Some(Clock::system().now());
        loop {
            tokio::select! {
                biased;
                () = stop.clone() => return,
                () = self.until_needed(&database, due) => (),
            }
            let outcome = self.attempt(stop.clone()).await;
            if let Err(error) = outcome {
                tracing::error!("the backup failed: {error:#}");
            }
            // It is still due if another program is making it.
            due = self.due().await.map(|due| due.max(Clock::system().now() + PAUSE));
        }
    }

    /// Waits for a request, or until a backup is due.
    async fn until_needed(&self, database: &Database, due: Option<DateTime<Utc>>) {
        let mut connection = None;
        loop {
            tokio::time::sleep(INTERVAL).await;
            let requested = async {
                let mut open = match connection.take() {
                    Some(open) => open,
                    None => database.connect().await?,
                };
                let requested = record::is_requested(&mut open).await?;
                connection = Some(open);
                anyhow::Ok(requested)
            };
            let requested = requested.await;
            let was_ready = self.is_ready.swap(requested.is_ok(), Ordering::Relaxed);
            match requested {
                Ok(is_requested) if is_requested || due.is_some_and(|due| due <= Clock::system().now()) => {
                    return;
                }
                Err(error) if was_ready => tracing::warn!("requests for backups can't be read: {error:#}"),
                _ => (),
            }
        }
    }

    async fn due(&self) -> Option<DateTime<Utc>> {
        let every = self.every?;
        let now = Clock::system().now();
        Some(match self.place.backups().await {
            Ok(backups) => due_at(backups.last().and_then(|name| time_of(name)), every, now),
            Err(error) => {
                tracing::error!("the backups can't be listed: {error:#}");
                now + PAUSE
            }
        })
    }

    /// Makes a backup if one was requested or is due, and verifies it: in a separate process with this process's settings, so that
    /// it shares neither memory nor threads with requests. If `stop` completes first, the backup is stopped.
    async fn attempt(&self, stop: impl Future<Output = ()>) -> anyhow::Result<()> {
        let mut command = Command::new(std::env::current_exe().context("the program's path")?);
        command.args(["backup", "--if-due", "--verify", "--to", &self.to, "--data-dir"]).arg(&self.data_dir);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let child = command.spawn().context("can't start `serasi backup`")?;
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let mut ended = pin!(child.wait_with_output());
        let output = tokio::select! {
            output = &mut ended => output?,
            () = stop => {
                let _ = id.map(|id| kill(Pid::from_raw(id), Signal::SIGTERM));
                let _ = tokio::time::timeout(STOP_LIMIT, ended).await;
                return Ok(());
            }
        };
        let text = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
        let text = text.lines().map(str::trim).collect::<Vec<_>>().join("; ");
        ensure!(output.status.success(), "{text}");
        tracing::info!("backup: {text}");
        Ok(())
    }
}

/// When the next backup after the newest is due.
pub fn due_at(newest: Option<DateTime<Utc>>, every: TimeDelta, now: DateTime<Utc>) -> DateTime<Utc> {
    // The newest backup can be in the future if the clock was wrong.
    newest.map_or(now, |newest| (newest + every).min(now + every))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_backup_is_due_after_the_newest() {
        let now = time_of("serasi-20260110T120000Z.tar").unwrap();
        let day = TimeDelta::days(1);
        let due = |name: &str| (due_at(time_of(name), day, now) - now).num_hours();
        assert_eq!(due_at(None, day, now), now);
        assert!(due("serasi-20260101T000000Z.tar") < 0);
        assert_eq!(due("serasi-20260110T110000Z.tar"), 23);
        assert_eq!(due("serasi-20270101T000000Z.tar"), 24);
    }
}
