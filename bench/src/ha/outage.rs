//! Measures the length of outages.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::faults::Fault;
use crate::faults::outcome::Outcome;
use crate::faults::sampling::{Answer, Kind, Sample};

const READS: [Kind; 4] = [Kind::Read, Kind::User, Kind::Download, Kind::Page];
const WRITES: [Kind; 7] =
    [Kind::Write, Kind::Edit, Kind::SignIn, Kind::SignUp, Kind::Upload, Kind::Replace, Kind::Function];

/// The longest time without a success in each group, for the kind that waited longest.
#[derive(Default, Clone, Copy)]
pub struct Outage {
    pub reads: Duration,
    pub writes: Duration,
}

fn measure(samples: &[Sample], spared: &[Kind], began: Instant, ended: Instant) -> Outage {
    let longest = |kinds: &[Kind]| {
        let kinds = kinds.iter().filter(|kind| !spared.contains(kind));
        kinds.map(|kind| gap(samples, *kind, began, ended)).max().unwrap_or_default()
    };
    Outage { reads: longest(&READS), writes: longest(&WRITES) }
}

/// Longest time between two successes of one kind, minus its sending interval.
fn gap(samples: &[Sample], kind: Kind, began: Instant, ended: Instant) -> Duration {
    let good = samples.iter().filter(|sample| sample.kind == kind && sample.answer.is_good());
    let mut times: Vec<Instant> = good.map(|sample| sample.began + sample.took).collect();
    times.extend([began, ended]);
    times.sort();
    let gaps = times.windows(2).map(|pair| pair[1].saturating_duration_since(pair[0]));
    gaps.max().unwrap_or_default().saturating_sub(kind.pace())
}

/// Whether an unsuccessful response tells the client to try again.
fn asks_to_retry(sample: &Sample) -> bool {
    matches!(sample.answer, Answer::Status(503 | 429)) && sample.has_retry_after
}

/// Responses that are neither a success nor tell the client when to retry.
pub fn wrong(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    samples.iter().filter(|sample| !sample.answer.is_good() && !asks_to_retry(sample))
}

/// Compares the observations with the fault's limits.
pub fn judge(fault: &Fault, outcome: &mut Outcome, ended: Instant) -> Outage {
    let outage = measure(&outcome.samples, fault.spared, outcome.began.unwrap_or(ended), ended);
    for (what, took) in [("reads", outage.reads), ("writes", outage.writes)] {
        let within = took <= fault.limit;
        outcome.check(
            within,
            format!("{what} failed for {:.1} s (limit {} s)", took.as_secs_f64(), fault.limit.as_secs()),
        );
    }
    let mut unwanted: BTreeMap<(Answer, Kind), (usize, String)> = BTreeMap::new();
    for sample in wrong(&outcome.samples) {
        let (count, said) = unwanted.entry((sample.answer, sample.kind)).or_default();
        *count += 1;
        said.clone_from(&sample.said);
    }
    for ((answer, kind), (count, said)) in unwanted {
        outcome.broken.push(format!("{answer} ×{count}: {} {said}", kind.name()).trim_end().to_owned());
    }
    outage
}
