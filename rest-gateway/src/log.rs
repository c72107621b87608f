//! Log lines of a standalone gateway that PostgREST also writes.

use std::time::Duration;

use tokio::sync::mpsc;

use crate::config::server::STATUS_LOG;

/// PostgREST's pause between equal lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes the first of many equal lines immediately, and one for all others at the end of each pause.
pub struct Debounced(mpsc::Sender<String>);

impl Debounced {
    /// Must be called inside a runtime, because it spawns a task.
    pub fn start() -> Self {
        let (sender, mut lines) = mpsc::channel::<String>(1);
        tokio::spawn(async move {
            while let Some(line) = lines.recv().await {
                tracing::warn!(target: STATUS_LOG, "{line}");
                tokio::time::sleep(PAUSE).await;
            }
        });
        Self(sender)
    }

    pub fn write(&self, line: String) {
        // The channel is full when one is waiting for the end of the pause.
        let _ = self.0.try_send(line);
    }
}

/// SQL as one line of the log, without comments, which would end it.
pub fn on_one_line(sql: &str) -> String {
    let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join(" ")
}
