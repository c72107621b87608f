//! Log lines of a standalone gateway that PostgREST also writes.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::config::server::STATUS_LOG;

/// PostgREST's pause between equal lines.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes the first of many equal lines immediately, and one for all others at the end of each pause.
#[derive(Clone, Default)]
pub struct Debounced(Arc<Mutex<State>>);

#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum State {
    #[default]
    Idle,
    Paused,
    /// A line was suppressed during the pause.
    Pending,
}

impl Debounced {
    /// Must be called inside a runtime, because it spawns a task.
    pub fn write(&self, line: &str) {
        if self.replace(|state| if state == State::Idle { State::Paused } else { State::Pending })
            != State::Idle
        {
            return;
        }
        tracing::warn!(target: STATUS_LOG, "{line}");
        let (debounced, line) = (self.clone(), line.to_owned());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(PAUSE).await;
                let next = |state| if state == State::Pending { State::Paused } else { State::Idle };
                if debounced.replace(next) != State::Pending {
                    return;
                }
                tracing::warn!(target: STATUS_LOG, "{line}");
            }
        });
    }

    /// Returns the previous state.
    fn replace(&self, next: impl FnOnce(State) -> State) -> State {
        let mut state = self.0.lock();
        let before = *state;
        *state = next(before);
        before
    }
}

/// SQL as one line of the log, without comments, which would end it.
pub fn on_one_line(sql: &str) -> String {
    let lines = sql.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join(" ")
}

/// Logs an event of the connection pool for operators who debug it.
pub fn connection(is_enabled: bool, event: impl std::fmt::Display) {
    if is_enabled {
        tracing::info!(target: STATUS_LOG, "{event}");
    }
}
