//! Tracks whether the database is unavailable. During an outage requests fail immediately instead of waiting
//! for a timeout, and a single task probes the database until it responds again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::config::connection::ConnectionConfig;
use crate::wire::connect::{ConnectError, open};

/// The timeout of a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// The pause between probes.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);

/// Clones share the same state.
#[derive(Clone)]
pub struct Outage(Arc<Shared>);

struct Shared {
    connection: ConnectionConfig,
    is_known: watch::Sender<bool>,
    is_probing: AtomicBool,
}

impl Outage {
    pub fn new(connection: ConnectionConfig) -> Self {
        let is_known = watch::Sender::new(false);
        let is_probing = AtomicBool::new(false);
        Self(Arc::new(Shared { connection, is_known, is_probing }))
    }

    pub fn is_known(&self) -> bool {
        *self.0.is_known.borrow()
    }

    /// Notifies when an outage begins or ends.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.0.is_known.subscribe()
    }

    /// Checks whether the database responds, on a new connection.
    pub async fn database_responds(&self) -> bool {
        if self.is_known() {
            return false;
        }
        let responded = check(&self.0.connection).await.is_ok();
        if !responded {
            self.suspect();
        }
        responded
    }

    /// Starts probing after a sign of an outage.
    pub fn suspect(&self) {
        if !self.0.is_probing.swap(true, Ordering::SeqCst) {
            tokio::spawn(probe(Arc::downgrade(&self.0)));
        }
    }

    /// Records an outage, because no connection can be opened.
    pub fn begin(&self) {
        self.0.begin("can't connect");
        self.suspect();
    }
}

impl Shared {
    fn begin(&self, cause: &str) {
        if !self.is_known.send_replace(true) {
            tracing::warn!(%cause, "the database is unavailable; requests fail until it answers");
        }
    }
}

/// Probes until the database responds or the gateway is dropped.
async fn probe(shared: Weak<Shared>) {
    loop {
        let Some(shared) = shared.upgrade() else { return };
        let mut result = check(&shared.connection).await;
        if result.is_err() && !*shared.is_known.borrow() {
            // Check again, because the server may have terminated only this connection.
            result = check(&shared.connection).await;
        }
        match result {
            Ok(()) => {
                // Reset the flag first, so that a later failure starts a new probe.
                shared.is_probing.store(false, Ordering::SeqCst);
                if shared.is_known.send_replace(false) {
                    tracing::info!("the database is available again");
                }
                return;
            }
            Err(cause) => shared.begin(&cause),
        }
        drop(shared);
        sleep(PROBE_INTERVAL).await;
    }
}

/// Connects and sends an empty query.
async fn check(connection: &ConnectionConfig) -> Result<(), String> {
    let query = async { Ok::<_, ConnectError>(open(connection).await?.simple("").await?) };
    match timeout(PROBE_TIMEOUT, query).await {
        Ok(Err(error)) if error.means_outage() => Err(error.to_string()),
        // Any other error proves that the server responds.
        Ok(_) => Ok(()),
        Err(_) => Err("no answer".to_owned()),
    }
}
