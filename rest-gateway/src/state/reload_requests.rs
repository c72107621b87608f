//! Requests to reload, from signals and notifications. Those that arrive during a reload are combined, so that
//! they don't queue up.

use tokio::sync::watch;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reload {
    pub schema: bool,
    pub config: bool,
}

impl Reload {
    pub const SCHEMA: Self = Self { schema: true, config: false };
    pub const CONFIG: Self = Self { schema: false, config: true };

    /// The reload that a notification requests.
    pub fn from_payload(payload: &str) -> Self {
        match payload {
            "" | "reload schema" => Self::SCHEMA,
            "reload config" => Self::CONFIG,
            _ => Self::default(),
        }
    }

    fn is_any(self) -> bool {
        self.schema || self.config
    }
}

/// The pending requests. Clones share them.
#[derive(Clone, Default)]
pub struct ReloadRequests(watch::Sender<Reload>);

impl ReloadRequests {
    pub fn add(&self, wanted: Reload) {
        self.0.send_if_modified(|all| {
            all.schema |= wanted.schema;
            all.config |= wanted.config;
            wanted.is_any()
        });
    }

    pub async fn wait(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.subscribe().wait_for(|wanted| wanted.is_any()).await;
    }

    /// Takes all pending requests.
    pub fn take(&self) -> Reload {
        self.0.send_replace(Reload::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_are_combined() {
        let requests = ReloadRequests::default();
        for payload in ["reload config", "nonsense", "", "reload schema"] {
            requests.add(Reload::from_payload(payload));
        }
        requests.wait().await;
        assert_eq!(requests.take(), Reload { schema: true, config: true });
        requests.add(Reload::from_payload("reload config"));
        assert_eq!((requests.take(), requests.take()), (Reload::CONFIG, Reload::default()));
        requests.add(Reload::from_payload("anything else"));
        let more = tokio::time::timeout(std::time::Duration::from_millis(20), requests.wait()).await;
        assert!(more.is_err());
    }
}
