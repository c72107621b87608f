//! Runs the parts of the schedule every minute: digests, reminders, expiries. `app.tick_parts()` lists them. Each
//! is a transaction with a deadline of its own, so that none stops the others. The database lets only one
//! replica run a part at a time. Before the first run, each replica prepares the database.

use std::time::Duration;

use metrics::counter;
use platform::admin;
use platform::database::Pool;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::config::Config;
use crate::{preparation, service};

const INTERVAL: Duration = Duration::from_secs(60);
/// How long a run may continue after the stop signal. PostgreSQL rolls an unfinished one back.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// The values of the metric's label `outcome`.
const OUTCOMES: [&str; 3] = ["done", "other_replica", "failed"];

/// The running schedule. Dropping it stops it.
pub struct Schedule {
    task: JoinHandle<()>,
    stop: watch::Sender<bool>,
}

impl Schedule {
    /// Must be called inside a runtime. The first run follows immediately.
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

    /// Waits for a run in progress.
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
        match parts(&pool).await {
            Ok(parts) => {
                for part in parts {
                    run_part(&pool, &part).await;
                }
            }
            Err(error) => tracing::warn!(%error, "the schedule can't be read; retrying in a minute"),
        }
    }
}

async fn parts(pool: &Pool) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar("select app.tick_parts()").fetch_one(&mut *pool.acquire().await?).await
}

async fn run_part(pool: &Pool, part: &str) {
    let run = async {
        let run = sqlx::query_scalar("select app.run_tick_part($1)").bind(part);
        run.fetch_one(&mut *pool.acquire().await?).await
    };
    let outcome = match run.await {
        Ok(true) => "done",
        Ok(false) => "other_replica",
        Err(error) => {
            tracing::error!(part, %error, "a part of the schedule failed; retrying in a minute");
            admin::report_problem(part, Some(format!("this part of the schedule fails: {error}")));
            "failed"
        }
    };
    if outcome != "failed" {
        admin::report_problem(part, None);
    }
    for known in OUTCOMES {
        // Alerts need a value before the first event.
        let runs = counter!("auth_schedule_runs_total", "part" => part.to_owned(), "outcome" => known);
        runs.increment(u64::from(known == outcome));
    }
}

/// The preparation that each replica runs before its first call. For tests.
///
/// # Errors
/// Fails when the database can't be written.
pub async fn prepare(config: &Config) -> sqlx::Result<()> {
    preparation::prepare(&service::database(config, "auth-service schedule").pool(1), config).await
}
