//! Backups that `serasi up` and `serasi backup --watch` make automatically: when superadmins request them,
//! and every `BACKUP_EVERY` hours. Several programs may do this for one database.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures::FutureExt;
use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::place::{At, Place, time_of};
use super::queue::Queue;
use super::{attempt, options};
use crate::database::Database;

/// Delay after a failure, and while the place can't be read.
const PAUSE: TimeDelta = TimeDelta::minutes(10);
/// Time between two checks for requests.
const INTERVAL: Duration = Duration::from_secs(1);

pub struct Schedule {
    every: Option<TimeDelta>,
    place: Place,
    data_dir: PathBuf,
    /// Command-line options for `serasi backup`.
    options: Vec<String>,
    kept: (Option<u32>, Option<u32>),
    next: Mutex<Option<DateTime<Utc>>>,
    changed: Notify,
    is_ready: AtomicBool,
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
            data_dir: data_dir.to_path_buf(),
            options: vec!["--to".to_owned(), to.to_owned()],
            kept: options::kept(env)?,
            next: Mutex::new(None),
            changed: Notify::new(),
            is_ready: AtomicBool::new(false),
        }))
    }

    /// The state that superadmins see.
    pub fn report(&self) -> Value {
        let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let (keep, keep_days) = self.kept;
        json!({
            "place": self.place.address("").trim_end_matches('/'), "every_hours": self.every.map(|every| every.num_hours()),
            "encrypted": self.place.key.is_some(), "keep": keep, "keep_days": keep_days, "next_at": next,
        })
    }

    /// Waits until the time of the next backup changes.
    pub async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The folder for the backups; `None` for a bucket.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place.at {
            At::Folder(folder) => Some(folder),
            At::S3 { .. } => None,
        }
    }

    /// Whether the database was reachable at the last check.
    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::Relaxed)
    }

    /// Runs until `stop` completes. A restart neither repeats nor delays a backup, because the next due time
    /// depends on the newest backup.
    pub async fn run(&self, database: Database, stop: impl Future<Output = ()>) {
        let stop = stop.shared();
        let mut queue = Queue::new(database);
        let mut failed_at = None;
        loop {
            tokio::select! {
                biased;
                () = stop.clone() => return,
                () = self.until_needed(&mut queue, failed_at) => (),
            }
            let outcome = attempt::run(&self.options, &self.data_dir, stop.clone()).await;
            failed_at = outcome.is_err().then(|| Clock::system().now());
            if let Err(error) = outcome {
                tracing::error!("the backup failed: {error:#}");
            }
        }
    }

    /// Waits for a request, or until a backup is due.
    async fn until_needed(&self, queue: &mut Queue, failed_at: Option<DateTime<Utc>>) {
        let due = self.due(failed_at).await;
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = due;
        self.changed.notify_one();
        loop {
            let requested = queue.has_request(&self.place).await;
            self.is_ready.store(requested.is_some(), Ordering::Relaxed);
            let is_due = due.is_some_and(|due| due <= Clock::system().now());
            if requested == Some(true) || requested.is_some() && is_due {
                return;
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    async fn due(&self, failed_at: Option<DateTime<Utc>>) -> Option<DateTime<Utc>> {
        let every = self.every?;
        let now = Clock::system().now();
        let due = match self.place.backups().await {
            Ok(backups) => due_at(backups.last().and_then(|name| time_of(name)), every, now),
            Err(error) => {
                tracing::error!("the backups can't be listed: {error:#}");
                now + PAUSE
            }
        };
        Some(failed_at.map_or(due, |failed| due.max(failed + PAUSE)))
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
