//! Measures the queries that read the catalog.

use std::time::{Duration, Instant};

/// How long the queries took, under PostgREST's names.
pub type Timings = Vec<(&'static str, Duration)>;

pub struct Stopwatch {
    began: Instant,
    pub timings: Timings,
}

impl Stopwatch {
    pub fn start() -> Self {
        Self { began: Instant::now(), timings: Vec::new() }
    }

    pub fn ended(&mut self, name: &'static str) {
        self.timings.push((name, self.began.elapsed()));
        self.began = Instant::now();
    }
}
