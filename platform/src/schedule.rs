//! Runs the parts of a schedule every minute: expiries, reminders. The function `tick_parts()` of a schema lists them, and
//! `run_tick_part` runs one. Each is a transaction with a deadline of its own, so that none stops the others. The database lets
//! only one replica run a part at a time.

use std::time::Duration;

use metrics::{counter, describe_counter};
use sqlx::AssertSqlSafe;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::admin;
use crate::database::{Database, Pool};

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
    pub fn start(database: &Database, schema: &'static str) -> Self {
        Self::every(INTERVAL, database, schema)
    }

    /// A schedule with another interval, for tests.
    #[must_use]
    pub fn every(period: Duration, database: &Database, schema: &'static str) -> Self {
        describe_counter!("schedule_runs_total", "Runs of each part of the schedule by outcome");
        let (stop, stopped) = watch::channel(false);
        Self { task: tokio::spawn(run(period, database.pool(1), schema, stopped)), stop }
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

async fn run(period: Duration, pool: Pool, schema: &'static str, mut stopped: watch::Receiver<bool>) {
    let mut minutes = interval(period);
    minutes.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => return,
            _ = minutes.tick() => (),
        }
        match parts(&pool, schema).await {
            Ok(parts) => {
                for part in parts {
                    run_part(&pool, schema, &part).await;
                }
            }
            Err(error) => tracing::warn!(%error, "the schedule can't be read; retrying in a minute"),
        }
    }
}

async fn parts(pool: &Pool, schema: &str) -> sqlx::Result<Vec<String>> {
    let list = AssertSqlSafe(format!("select {schema}.tick_parts()"));
    sqlx::query_scalar(list).fetch_one(&mut *pool.acquire().await?).await
}

async fn run_part(pool: &Pool, schema: &str, part: &str) {
    let run = async {
        let run = AssertSqlSafe(format!("select {schema}.run_tick_part($1)"));
        let run = sqlx::query_scalar(run).bind(part);
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
        let runs = counter!("schedule_runs_total", "part" => part.to_owned(), "outcome" => known);
        runs.increment(u64::from(known == outcome));
    }
}
