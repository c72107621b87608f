//! Whether the gateway can serve requests, for the admin endpoints.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

/// Clones share the same state.
#[derive(Clone, Default)]
pub struct Health(Arc<Flags>);

#[derive(Default)]
struct Flags {
    /// The last load of the schema cache succeeded.
    is_loaded: AtomicBool,
    /// The connection that listens for notifications is open.
    is_connected: AtomicBool,
    /// The schema cache was loaded once, or could not be read.
    has_attempted: watch::Sender<bool>,
    endpoint: watch::Sender<Endpoint>,
    has_given_up: watch::Sender<bool>,
}

/// Where requests arrive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Endpoint {
    /// The process that embeds the gateway accepts the requests.
    #[default]
    Embedded,
    /// The gateway does not accept requests yet.
    Closed,
    Port,
    Socket(PathBuf),
}

impl Health {
    pub fn set_loaded(&self, is_loaded: bool) {
        self.0.is_loaded.store(is_loaded, Ordering::Relaxed);
    }

    pub fn set_load_attempted(&self) {
        self.0.has_attempted.send_replace(true);
    }

    pub async fn load_attempted(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.has_attempted.subscribe().wait_for(|has_attempted| *has_attempted).await;
    }

    pub fn set_connected(&self, is_connected: bool) {
        self.0.is_connected.store(is_connected, Ordering::Relaxed);
    }

    pub fn is_current(&self) -> bool {
        self.0.is_loaded.load(Ordering::Relaxed) && self.0.is_connected.load(Ordering::Relaxed)
    }

    pub fn set_endpoint(&self, endpoint: Endpoint) {
        self.0.endpoint.send_replace(endpoint);
    }

    pub fn accepts_requests(&self) -> bool {
        match &*self.0.endpoint.borrow() {
            Endpoint::Embedded | Endpoint::Port => true,
            Endpoint::Closed => false,
            Endpoint::Socket(path) => path.exists(),
        }
    }

    pub fn is_embedded(&self) -> bool {
        *self.0.endpoint.borrow() == Endpoint::Embedded
    }

    /// Recovery is disabled and the database was lost.
    pub fn give_up(&self) {
        self.0.has_given_up.send_replace(true);
    }

    pub fn has_given_up(&self) -> bool {
        *self.0.has_given_up.borrow()
    }

    pub async fn given_up(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.has_given_up.subscribe().wait_for(|given_up| *given_up).await;
    }
}
