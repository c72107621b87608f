//! Calls `app.tick()` every minute. That function does time-based work: digests, reminders, expiries. The
//! database lets only one replica run it at a time. Before the first call, each replica prepares the
//! database.

use std::time::Duration;

use metrics::counter;
use platform::database::Pool;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::config::Config;
use crate::{preparation, service};

const INTERVAL: Duration = Duration::from_secs(60);
/// How long a call may continue after the stop signal. PostgreSQL rolls an unfinished one back.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// The values of the metric's label `outcome`.
pub const OUTCOMES: [&str; 3] = ["done", "other_replica", "failed"];

/// The running schedule. Dropping it stops it.
pub struct Schedule {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

impl Schedule {
    /// Must be called inside a runtime. The first call follows immediately.
    #[must_use]
    pub fn start(config: &Config) -> Self {
        Self::every(INTERVAL, config)
    }

    /// A schedule with another interval, for tests.
    #[must_use]
    pub fn every(period: Duration, config: &Config) -> Self {
        // Separate from the pool for requests, so that neither can exhaust the other's connections.
        let pool = service::database(config, "auth-service schedule").pool(1);
        let (stop, stopped) = watch::channel(false);
        Self { task: tokio::spawn(run(period, pool, config.clone(), stopped)), stop }
    }

    /// Waits for a call in progress.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = timeout(DRAIN_TIMEOUT, &mut self.task).await;
    }
}

impl Drop for Schedule {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn run(period: Duration, pool: Pool, config: Config, mut stopped: watch::Receiver<bool>) {
    let mut minutes = interval(period);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_prepared = false;
    loop {
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => return,
            _ = minutes.tick() => (),
        }
        if !is_prepared {
            match preparation::prepare(&pool, &config).await {
                Ok(()) => is_prepared = true,
                Err(error) => {
                    tracing::warn!(%error, "the settings can't be written to the database; retrying in a minute");
                }
            }
        }
        let outcome = match tick(&pool).await {
            Ok(None) => "other_replica",
            Ok(Some(failures)) if failures.is_empty() => "done",
            Ok(Some(failures)) => {
                for failure in failures {
                    tracing::error!(failure, "a part of the schedule failed; retrying in a minute");
                }
                "failed"
            }
            Err(error) => {
                tracing::warn!(%error, "the schedule failed; retrying in a minute");
                "failed"
            }
        };
        counter!("auth_schedule_runs_total", "outcome" => outcome).increment(1);
    }
}

/// The preparation that each replica runs before its first call. For tests.
///
/// # Errors
/// Fails when the database can't be written.
pub async fn prepare(config: &Config) -> sqlx::Result<()> {
    preparation::prepare(&service::database(config, "auth-service schedule").pool(1), config).await
}

/// The failures of the parts, or `None` while another replica runs the schedule.
async fn tick(pool: &Pool) -> sqlx::Result<Option<Vec<String>>> {
    sqlx::query_scalar("select app.tick()").fetch_one(&mut *pool.acquire().await?).await
}
