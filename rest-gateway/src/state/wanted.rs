//! Requests to reload, from signals and notifications. Those that arrive during a reload are combined, so any
//! number of them takes no memory.

use tokio::sync::watch;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Wanted {
    pub schema: bool,
    pub config: bool,
}

impl Wanted {
    pub const SCHEMA: Self = Self { schema: true, config: false };
    pub const CONFIG: Self = Self { schema: false, config: true };

    /// What a notification asks for.
    pub fn by(payload: &str) -> Self {
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

/// Clones share the same requests.
#[derive(Clone, Default)]
pub struct Requests(watch::Sender<Wanted>);

impl Requests {
    pub fn add(&self, wanted: Wanted) {
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

    /// Takes all requests that have arrived.
    pub fn take(&self) -> Wanted {
        self.0.send_replace(Wanted::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_are_combined() {
        let requests = Requests::default();
        for payload in ["reload config", "nonsense", "", "reload schema"] {
            requests.add(Wanted::by(payload));
        }
        requests.wait().await;
        assert_eq!(requests.take(), Wanted { schema: true, config: true });
        requests.add(Wanted::by("reload config"));
        assert_eq!((requests.take(), requests.take()), (Wanted::CONFIG, Wanted::default()));
        requests.add(Wanted::by("anything else"));
        let more = tokio::time::timeout(std::time::Duration::from_millis(20), requests.wait()).await;
        assert!(more.is_err());
    }
}
