//! Compares the observations during a fault with its limits.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::kept::Kept;
use super::sampling::{Answer, Kind, Sample};

/// The responses that a user may see. Lost writes are never allowed, nor is a 503 or 429 without Retry-After.
pub struct Limits {
    /// Statuses that are allowed besides success.
    pub refusals: &'static [Answer],
    /// Maximum duration of any request.
    pub wait: Duration,
    /// Maximum duration of requests that begin once the product has detected the fault.
    pub wait_once_known: Duration,
    /// Time by which the product must have detected the fault.
    pub known_after: Duration,
    /// Maximum time from the end of the fault until every service responds normally.
    pub recovery: Duration,
}

impl Limits {
    pub const fn new(refusals: &'static [Answer], wait: u64, recovery: u64) -> Self {
        let (wait, recovery) = (Duration::from_secs(wait), Duration::from_secs(recovery));
        Self { refusals, wait, wait_once_known: wait, known_after: Duration::ZERO, recovery }
    }

    /// A database outage: 503, within 2 s once it is detected.
    pub const fn outage(known_after: u64) -> Self {
        Self {
            wait_once_known: Duration::from_secs(2),
            known_after: Duration::from_secs(known_after),
            ..Self::new(&[Answer::Status(503)], 10, 2)
        }
    }
}

/// Tolerance, because timing is inexact on a busy machine.
const TOLERANCE: Duration = Duration::from_millis(500);

#[derive(Default)]
pub struct Outcome {
    /// Samples since the beginning of the fault.
    pub samples: Vec<Sample>,
    pub began: Option<Instant>,
    /// `None`: not measured; `broken` has the reason.
    pub recovered: Option<Duration>,
    pub kept: Kept,
    /// Additional information.
    pub notes: Vec<String>,
    /// Limits that were exceeded.
    pub broken: Vec<String>,
    /// Why the fault was not injected.
    pub not_run: Option<&'static str>,
}

impl Outcome {
    /// A limit that applies to this fault only.
    pub fn check(&mut self, holds: bool, otherwise: impl Into<String>) {
        if !holds {
            self.broken.push(otherwise.into());
        }
    }

    pub fn judge(&mut self, limits: &Limits) {
        let mut unwanted: BTreeMap<Answer, (BTreeMap<Kind, usize>, &str)> = BTreeMap::new();
        for sample in &self.samples {
            if !sample.answer.is_good() && !limits.refusals.contains(&sample.answer) {
                let (kinds, said) = unwanted.entry(sample.answer).or_default();
                *kinds.entry(sample.kind).or_default() += 1;
                *said = &sample.said;
            }
        }
        for (answer, (kinds, said)) in unwanted {
            let kinds: Vec<_> =
                kinds.iter().map(|(kind, count)| format!("{} {count}", kind.name())).collect();
            self.broken.push(format!("{answer}: {} {said}", kinds.join(", ")).trim_end().to_owned());
        }
        if let Some(sample) = self.longest().filter(|sample| sample.took > limits.wait + TOLERANCE) {
            let (kind, took) = (sample.kind.name(), sample.took.as_secs_f64());
            self.broken.push(format!("{kind} waited {took:.1} s (limit {} s)", limits.wait.as_secs()));
        }
        let late = self
            .samples
            .iter()
            .filter(|sample| self.began.is_some_and(|began| sample.began > began + limits.known_after));
        let late = late.max_by_key(|sample| sample.took);
        let late = late.filter(|_| limits.wait_once_known < limits.wait);
        if let Some(sample) = late.filter(|sample| sample.took > limits.wait_once_known + TOLERANCE) {
            let (kind, took, limit) =
                (sample.kind.name(), sample.took.as_secs_f64(), limits.wait_once_known.as_secs());
            self.broken
                .push(format!("{kind} took {took:.1} s after the outage was detected (limit {limit} s)"));
        }
        let (with, all) = self.retry_after();
        if with < all {
            let kinds =
                self.hurried().filter(|sample| !sample.has_retry_after).map(|sample| sample.kind.name());
            let kinds: std::collections::BTreeSet<_> = kinds.collect();
            let kinds = kinds.into_iter().collect::<Vec<_>>().join(", ");
            self.broken.push(format!("{} of {all} rejections have no Retry-After ({kinds})", all - with));
        }
        if let Some(recovered) = self.recovered.filter(|recovered| *recovered > limits.recovery + TOLERANCE) {
            let (took, limit) = (recovered.as_secs_f64(), limits.recovery.as_secs());
            self.broken.push(format!("recovered after {took:.1} s (limit {limit} s)"));
        }
        if !self.kept.lost.is_empty() {
            let examples = self.kept.lost.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
            self.broken.push(format!("{} acknowledged writes lost: {examples}", self.kept.lost.len()));
        }
    }

    fn longest(&self) -> Option<&Sample> {
        self.samples.iter().max_by_key(|sample| sample.took)
    }

    pub fn longest_text(&self) -> String {
        let text = |sample: &Sample| format!("{:.1} s ({})", sample.took.as_secs_f64(), sample.kind.name());
        self.longest().map(text).unwrap_or_default()
    }

    /// Requests of these kinds without success.
    pub fn failed(&self, kinds: &[Kind]) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(move |sample| kinds.contains(&sample.kind) && !sample.answer.is_good())
    }

    /// The longest duration of one kind.
    pub fn longest_of(&self, kind: Kind) -> Duration {
        let times = self.samples.iter().filter(|sample| sample.kind == kind).map(|sample| sample.took);
        times.max().unwrap_or_default()
    }

    fn hurried(&self) -> impl Iterator<Item = &Sample> {
        self.samples.iter().filter(|sample| matches!(sample.answer, Answer::Status(429 | 503)))
    }

    /// How many responses that need Retry-After have it.
    pub fn retry_after(&self) -> (usize, usize) {
        (self.hurried().filter(|sample| sample.has_retry_after).count(), self.hurried().count())
    }

    /// `good 120, 503 ×14`
    pub fn answers(&self) -> String {
        let mut refusals: BTreeMap<Answer, usize> = BTreeMap::new();
        let mut good = 0;
        for sample in &self.samples {
            if sample.answer.is_good() { good += 1 } else { *refusals.entry(sample.answer).or_default() += 1 }
        }
        let mut parts = vec![format!("good ×{good}")];
        parts.extend(refusals.into_iter().map(|(answer, count)| format!("{answer} ×{count}")));
        parts.join(", ")
    }

    /// One line for each kind of request, for debugging.
    pub fn details(&self) -> Vec<String> {
        let lines = Kind::ALL.iter().map(|kind| {
            let samples = self.samples.iter().filter(|sample| sample.kind == *kind).cloned().collect();
            let one = Self { samples, ..Self::default() };
            let longest = one.longest().map(|sample| sample.took.as_secs_f64()).unwrap_or_default();
            format!("{:<9} {} (longest {longest:.2} s)", kind.name(), one.answers())
        });
        lines.collect()
    }
}
