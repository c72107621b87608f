//! Prints the results as a table.

use std::fmt;
use std::time::Duration;

use super::Fault;
use super::outcome::Outcome;

pub struct Row {
    fault: &'static Fault,
    outcome: Outcome,
    verdict: Verdict,
    took: Duration,
}

#[derive(PartialEq, Eq)]
enum Verdict {
    Kept,
    Broken,
    /// The fault was not injected, for this reason.
    NotRun(String),
}

impl Row {
    pub fn produced(fault: &'static Fault, outcome: Outcome, took: Duration) -> Self {
        let verdict = if outcome.broken.is_empty() { Verdict::Kept } else { Verdict::Broken };
        Self { fault, outcome, verdict, took }
    }

    pub fn unavailable(fault: &'static Fault, reason: &str) -> Self {
        let verdict = Verdict::NotRun(reason.to_owned());
        Self { fault, outcome: Outcome::default(), verdict, took: Duration::ZERO }
    }

    /// The harness failed, or the product failed before the fault. This is not a pass.
    pub fn failed(fault: &'static Fault, error: &anyhow::Error) -> Self {
        let outcome = Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() };
        Self { fault, outcome, verdict: Verdict::Broken, took: Duration::ZERO }
    }

    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    pub fn line(&self, markdown: bool) -> String {
        let outcome = &self.outcome;
        let longest = outcome.longest().map_or_else(String::new, |sample| {
            format!("{:.1} s ({})", sample.took.as_secs_f64(), sample.kind.name())
        });
        let retry_after = match outcome.retry_after() {
            (_, 0) => "–".to_owned(),
            (with, all) => format!("{with} of {all}"),
        };
        let recovered =
            outcome.recovered.map_or_else(|| "–".to_owned(), |after| format!("{:.1} s", after.as_secs_f64()));
        let lost = format!("{} of {}", outcome.kept.lost.len(), outcome.kept.acknowledged);
        let verdict = match &self.verdict {
            Verdict::Kept => "kept".to_owned(),
            Verdict::Broken => "BROKEN".to_owned(),
            Verdict::NotRun(reason) => format!("not run: {reason}"),
        };
        let seen = if outcome.samples.is_empty() { String::new() } else { outcome.answers() };
        if markdown {
            // The error texts are only printed for debugging.
            let remarks = outcome.broken.iter().chain(&outcome.notes).map(|text| {
                let (text, _) = text.split_once(" {").unwrap_or((text, ""));
                text.replace('|', "\\|")
            });
            let remarks = remarks.collect::<Vec<_>>().join("; ");
            return format!(
                "| `{}`: {} | {seen} | {longest} | {retry_after} | {recovered} | {lost} | {verdict} | {remarks} |",
                self.fault.name, self.fault.about
            );
        }
        let mut text = format!(
            "{:<8} {:<28} {seen}; longest {longest}; Retry-After {retry_after}; recovered {recovered}; lost {lost} [{} s]",
            verdict,
            self.fault.name,
            self.took.as_secs()
        );
        for broken in &outcome.broken {
            text.push_str(&format!("\n         ! {broken}"));
        }
        for note in &outcome.notes {
            text.push_str(&format!("\n         · {note}"));
        }
        text
    }
}

pub fn header(markdown: bool) -> &'static str {
    if markdown {
        "| fault | what clients see | longest wait | Retry-After | good again after | acknowledged writes lost | limits | remarks |\n\
         |---|---|---|---|---|---|---|---|"
    } else {
        ""
    }
}

pub fn group(name: &str, markdown: bool) -> String {
    if markdown { format!("| **{name}** | | | | | | | |") } else { format!("\n{name}") }
}

#[derive(Default)]
pub struct Counts {
    kept: usize,
    broken: usize,
    not_run: usize,
}

impl Counts {
    pub fn add(&mut self, row: &Row) {
        match row.verdict {
            Verdict::Kept => self.kept += 1,
            Verdict::Broken => self.broken += 1,
            Verdict::NotRun(_) => self.not_run += 1,
        }
    }

    /// A fault that could not be injected does not count as a pass.
    pub fn all_kept(&self) -> bool {
        self.broken == 0 && self.not_run == 0
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} within the limits, {} outside, {} not run", self.kept, self.broken, self.not_run)
    }
}
