//! Tracks whether the database is unavailable. During an outage requests fail at once instead of each
//! waiting for its own timeout, and a single task probes until the database answers again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

/// Timeout of a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// Pause between probes.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);

/// Clones share the same state.
#[derive(Clone)]
pub struct Outage(Arc<Shared>);

struct Shared {
    connection: tokio_postgres::Config,
    is_known: watch::Sender<bool>,
    is_probing: AtomicBool,
}

impl Outage {
    pub fn new(connection: tokio_postgres::Config) -> Self {
        let is_known = watch::Sender::new(false);
        Self(Arc::new(Shared { connection, is_known, is_probing: AtomicBool::new(false) }))
    }

    pub fn is_known(&self) -> bool {
        *self.0.is_known.borrow()
    }

    /// Notifies when an outage begins or ends.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.0.is_known.subscribe()
    }

    /// Asks the database on a connection of its own.
    pub async fn answers(&self) -> bool {
        if self.is_known() {
            return false;
        }
        let answer = answers(&self.0.connection).await;
        if answer.is_err() {
            self.suspect();
        }
        answer.is_ok()
    }

    /// Starts a probe after a sign of an outage.
    pub fn suspect(&self) {
        if !self.0.is_probing.swap(true, Ordering::SeqCst) {
            tokio::spawn(probe(Arc::downgrade(&self.0)));
        }
    }

    /// Records an outage when no connection can be opened.
    pub fn begins(&self) {
        self.0.begins("no connection can be made");
        self.suspect();
    }
}

impl Shared {
    fn begins(&self, cause: &str) {
        if !self.is_known.send_replace(true) {
            tracing::warn!(%cause, "the database is unavailable; requests fail until it answers");
        }
    }
}

/// Ends when the database answers or the gateway is dropped.
async fn probe(shared: Weak<Shared>) {
    loop {
        let Some(shared) = shared.upgrade() else { return };
        let mut answer = answers(&shared.connection).await;
        if answer.is_err() && !*shared.is_known.borrow() {
            // Probe again, because the server may have terminated only this connection.
            answer = answers(&shared.connection).await;
        }
        match answer {
            Ok(()) => {
                // Reset the flag first, so that a failure from now on starts a new probe.
                shared.is_probing.store(false, Ordering::SeqCst);
                if shared.is_known.send_replace(false) {
                    tracing::info!("the database is available again");
                }
                return;
            }
            Err(cause) => shared.begins(&cause),
        }
        drop(shared);
        sleep(PROBE_INTERVAL).await;
    }
}

async fn answers(connection: &tokio_postgres::Config) -> Result<(), String> {
    let ask = async {
        let (client, connection) = connection.connect(NoTls).await?;
        let driver = tokio::spawn(connection);
        let answer = client.simple_query("").await;
        driver.abort();
        answer.map(drop)
    };
    match timeout(PROBE_TIMEOUT, ask).await {
        Ok(Err(error)) if means_outage(&error) => Err(error.to_string()),
        // Any other error proves that the server answers.
        Ok(_) => Ok(()),
        Err(_) => Err("no answer".to_owned()),
    }
}

/// The server is starting up, shutting down or unreachable.
pub fn means_outage(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        None => true,
        Some(code) => {
            [SqlState::CANNOT_CONNECT_NOW, SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code)
        }
    }
}
