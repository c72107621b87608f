//! A line of the results.

use super::faults::Fault;
use super::outage::{Outage, wrong};
use crate::faults::outcome::Outcome;

pub const HEADER: &str = "| fault | outage of reads | outage of writes | answers | wrong answers | longest wait | acknowledged writes lost | limits |\n\
                          |---|---|---|---|---|---|---|---|";

pub struct Row<'a> {
    fault: &'a Fault,
    outcome: Outcome,
    outage: Outage,
}

impl<'a> Row<'a> {
    pub fn new(fault: &'a Fault, outcome: Outcome, outage: Outage) -> Self {
        Self { fault, outcome, outage }
    }

    /// The fault could not be observed, which is not a pass.
    pub fn failed(fault: &'a Fault, error: &anyhow::Error) -> Self {
        Self::new(
            fault,
            Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() },
            Outage::default(),
        )
    }

    pub fn is_kept(&self) -> bool {
        self.outcome.broken.is_empty()
    }

    pub fn line(&self) -> String {
        let outcome = &self.outcome;
        let longest = outcome.longest().map_or_else(String::new, |sample| {
            format!("{:.1} s ({})", sample.took.as_secs_f64(), sample.kind.name())
        });
        format!(
            "| `{}`: {} | {:.1} s | {:.1} s | {} | {} | {longest} | {} of {} | {} |",
            self.fault.name,
            self.fault.about,
            self.outage.reads.as_secs_f64(),
            self.outage.writes.as_secs_f64(),
            outcome.answers(),
            wrong(&outcome.samples).count(),
            outcome.kept.lost.len(),
            outcome.kept.acknowledged,
            if self.is_kept() { "kept" } else { "MISSED" },
        )
    }

    /// Missed limits, and remarks.
    pub fn details(&self) -> Vec<String> {
        let missed = self.outcome.broken.iter().map(|text| format!("! {text}"));
        missed.chain(self.outcome.notes.iter().map(|text| format!("· {text}"))).collect()
    }
}
