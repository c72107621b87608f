//! `Server-Timing`: the duration of each stage.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// In the order in which they run.
const STAGES: [&str; 5] = ["jwt", "parse", "plan", "transaction", "response"];

/// Measures the stages, unless the header is off.
#[derive(Debug)]
pub struct Timing {
    stage_began: Option<Instant>,
    stages: Vec<(&'static str, Duration)>,
}

impl Timing {
    pub fn start(is_on: bool) -> Self {
        Self { stage_began: is_on.then(Instant::now), stages: Vec::new() }
    }

    /// Records the end of the current stage, also by an error, and starts the next one.
    pub fn ended(&mut self) {
        let (Some(began), Some(&stage)) = (&mut self.stage_began, STAGES.get(self.stages.len())) else {
            return;
        };
        let now = Instant::now();
        self.stages.push((stage, now.duration_since(*began)));
        *began = now;
    }

    pub fn add(&self, headers: &mut HeaderMap) {
        if self.stage_began.is_some()
            && let Ok(value) = HeaderValue::from_str(&self.value())
        {
            headers.insert(HeaderName::from_static("server-timing"), value);
        }
    }

    /// `jwt;dur=0.1, parse;dur=0.3, …`, in milliseconds.
    fn value(&self) -> String {
        let mut value = String::new();
        for (stage, duration) in &self.stages {
            let separator = if value.is_empty() { "" } else { ", " };
            // Writing to a string can't fail.
            let _ = write!(value, "{separator}{stage};dur={:.1}", duration.as_secs_f64() * 1000.0);
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_listed_in_milliseconds() {
        let stages = vec![("jwt", Duration::from_micros(140)), ("parse", Duration::from_millis(12))];
        let timing = Timing { stage_began: Some(Instant::now()), stages };
        assert_eq!(timing.value(), "jwt;dur=0.1, parse;dur=12.0");
    }
}
