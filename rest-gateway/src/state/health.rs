//! Whether the gateway can serve requests, for the admin endpoints.

use std::path::PathBuf;

use tokio::sync::watch;

/// Clones share the same state.
#[derive(Clone, Default)]
pub struct Health(watch::Sender<Condition>);

#[derive(Default)]
pub struct Condition {
    /// The last load of the schema cache succeeded.
    pub is_loaded: bool,
    /// The connection that listens for notifications is open.
    pub is_connected: bool,
    /// The schema cache was loaded once, or could not be read.
    pub has_attempted: bool,
    pub endpoint: Endpoint,
    /// Recovery is disabled and the database was lost.
    pub has_given_up: bool,
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
    pub fn update(&self, change: impl FnOnce(&mut Condition)) {
        self.0.send_modify(change);
    }

    pub fn is(&self, condition: impl FnOnce(&Condition) -> bool) -> bool {
        condition(&self.0.borrow())
    }

    pub async fn wait_until(&self, condition: impl FnMut(&Condition) -> bool) {
        // The sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(condition).await;
    }

    pub fn is_current(&self) -> bool {
        self.is(|now| now.is_loaded && now.is_connected)
    }

    pub fn accepts_requests(&self) -> bool {
        self.is(|now| match &now.endpoint {
            Endpoint::Embedded | Endpoint::Port => true,
            Endpoint::Closed => false,
            Endpoint::Socket(path) => path.exists(),
        })
    }
}
