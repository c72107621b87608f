//! What the data of most notifications have in common.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;

/// A time in Malaysia's time zone, which has no daylight saving time. The format is chrono's.
pub fn in_malaysia(time: DateTime<Utc>, format: &str) -> String {
    (time + TimeDelta::hours(8)).format(format).to_string()
}

/// The data that most notifications have in common.
#[derive(Deserialize)]
pub struct Notice {
    /// The other party. Missing when its account was deleted.
    name: Option<String>,
    pub title: Option<String>,
    state: Option<String>,
    /// The page about the subject.
    pub path: String,
}

impl Notice {
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("Former member")
    }

    /// The title in quotation marks, or these words if there is none.
    pub fn title_or(&self, words: &str) -> String {
        self.title.as_deref().map_or_else(|| words.to_owned(), |title| format!("“{title}”"))
    }

    pub fn is(&self, state: &str) -> bool {
        self.state.as_deref() == Some(state)
    }
}
