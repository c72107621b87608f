//! Compares the observations during a fault with its limits.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use tokio::time::Instant;

use super::kept::Kept;
use super::sampling::{Answer, Kind, Sample};
use super::table::Fault;

/// Maximum duration of requests that begin once the product has detected an outage.
const ONCE_KNOWN: Duration = Duration::from_secs(2);
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
}

impl Outcome {
    /// A limit that applies to this fault only.
    pub fn check(&mut self, holds: bool, otherwise: impl Into<String>) {
        if !holds {
            self.broken.push(otherwise.into());
        }
    }

    /// Lost writes are never allowed, nor is a 503 or 429 without Retry-After.
    pub fn judge(&mut self, fault: &Fault) {
        for (answer, said) in self.unwanted(&fault.answers) {
            self.broken.push(format!("{answer}: {said}").trim_end().to_owned());
        }
        let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
        let mut slow = |sample: Option<&Sample>, limit: Duration, what: &str| {
            if let Some(sample) = sample.filter(|sample| sample.took > limit + TOLERANCE) {
                let (kind, took, limit) = (sample.kind.name(), seconds(sample.took), seconds(limit));
                self.broken.push(format!("{kind} waited {took}{what} (limit {limit})"));
            }
        };
        slow(self.samples.iter().max_by_key(|sample| sample.took), fault.wait(), "");
        if let Some((known, began)) = fault.known_after.map(Duration::from_secs).zip(self.began) {
            let late = self.samples.iter().filter(|sample| sample.began > began + known);
            let late = late.max_by_key(|sample| sample.took);
            slow(late, ONCE_KNOWN, " after the outage was detected");
        }
        let hurried = self.hurried().filter(|sample| !sample.has_retry_after);
        let hurried: BTreeSet<_> = hurried.map(|sample| sample.kind.name()).collect();
        self.check(hurried.is_empty(), format!("rejections without Retry-After: {hurried:?}"));
        if let Some(recovered) = self.recovered {
            let text = format!("recovered after {}", seconds(recovered));
            self.check(recovered <= fault.recovery() + TOLERANCE, text);
        }
        self.check_lost();
    }

    pub fn check_lost(&mut self) {
        let lost = &self.kept.lost;
        let examples = lost.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        self.check(lost.is_empty(), format!("{} acknowledged writes lost: {examples}", lost.len()));
    }

    /// Answers that are neither a success nor allowed, with the kinds of requests that got them and an error.
    pub fn unwanted(&self, allowed: &[String]) -> Vec<(Answer, String)> {
        let mut unwanted: BTreeMap<Answer, (BTreeMap<&str, usize>, &str)> = BTreeMap::new();
        for sample in self.samples.iter().filter(|sample| !sample.answer.is_good()) {
            if !allowed.contains(&sample.answer.to_string()) {
                let (kinds, said) = unwanted.entry(sample.answer).or_default();
                *kinds.entry(sample.kind.name()).or_default() += 1;
                *said = &sample.said;
            }
        }
        let shown = |(kinds, said): (BTreeMap<&str, usize>, &str)| {
            let kinds: Vec<_> = kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
            format!("{} {said}", kinds.join(", "))
        };
        unwanted.into_iter().map(|(answer, found)| (answer, shown(found))).collect()
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
}
