//! Whether the database is known to be unavailable. Then requests are refused at once instead of each finding out for
//! itself, and one task asks until the database answers again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;
use tokio_postgres::error::SqlState;

/// A database that does not answer by then is taken for unavailable.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// Clones speak of the same database.
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

    /// Tells when an outage begins or ends.
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.0.is_known.subscribe()
    }

    /// Something went wrong on the way to the database: asks whether it is there.
    pub fn suspect(&self) {
        if !self.0.is_probing.swap(true, Ordering::SeqCst) {
            tokio::spawn(probe(Arc::downgrade(&self.0)));
        }
    }

    /// The database can't be connected to.
    pub fn begins(&self) {
        self.0.begins("no connection can be made");
        self.suspect();
    }
}

impl Shared {
    fn begins(&self, cause: &str) {
        if !self.is_known.send_replace(true) {
            tracing::warn!(%cause, "the database is unavailable; requests are refused until it answers");
        }
    }
}

/// Ends when the database answers, or nobody is interested any more.
async fn probe(shared: Weak<Shared>) {
    loop {
        let Some(shared) = shared.upgrade() else { return };
        let mut answer = answers(&shared.connection).await;
        if answer.is_err() && !*shared.is_known.borrow() {
            // The probe's own connection may have been terminated: one failure is no outage.
            answer = answers(&shared.connection).await;
        }
        match answer {
            Ok(()) => {
                // First, so that a failure from now on starts the next probe.
                shared.is_probing.store(false, Ordering::SeqCst);
                if shared.is_known.send_replace(false) {
                    tracing::info!("the database is available again");
                }
                return;
            }
            Err(cause) => shared.begins(&cause),
        }
        drop(shared);
        sleep(PAUSE).await;
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
    match timeout(PATIENCE, ask).await {
        Ok(Err(error)) if means_outage(&error) => Err(error.to_string()),
        // Another refusal is an answer too.
        Ok(_) => Ok(()),
        Err(_) => Err("no answer".to_owned()),
    }
}

/// Starting up, shutting down, or not there at all.
pub fn means_outage(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        None => true,
        Some(code) => {
            [SqlState::CANNOT_CONNECT_NOW, SqlState::ADMIN_SHUTDOWN, SqlState::CRASH_SHUTDOWN].contains(code)
        }
    }
}
