//! Waiting for what another task, process or transaction does. Each wait ends.

use std::time::Duration;

use sqlx::PgConnection;
use tokio::time::{sleep, timeout};

const LIMIT: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_millis(5);

/// Returns once the condition holds.
///
/// # Panics
/// Panics after 30 s, naming `what`.
pub async fn eventually(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let waiting = async {
        while !condition().await {
            sleep(PAUSE).await;
        }
    };
    assert!(timeout(LIMIT, waiting).await.is_ok(), "not within {LIMIT:?}: {what}");
}

/// Returns once a transaction in this connection's database waits for a lock.
///
/// # Panics
/// Panics if none does within 30 s.
pub async fn until_blocked(watch: &mut PgConnection) {
    let waits = "select exists (select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database())";
    eventually("a transaction waits for a lock", async || {
        sqlx::query_scalar(waits).fetch_one(&mut *watch).await.expect("read pg_locks")
    })
    .await;
}
