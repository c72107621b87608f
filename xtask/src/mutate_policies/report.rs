//! Reports the results on the console and in docs/policy-mutation.md.

use std::fmt::Write as _;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::equivalents;
use super::verdict::{Proof, Verdict};
use super::{Mutant, PRIVILEGES};
use crate::run;

const DOCUMENT: &str = "docs/policy-mutation.md";

#[derive(Clone, Copy, Default)]
struct Tally {
    mutants: usize,
    behavior: usize,
    lints: usize,
    plans: usize,
    structure: usize,
    equivalent: usize,
    surviving: usize,
    impossible: usize,
}

#[derive(Default)]
pub(super) struct Report<'a> {
    groups: Vec<(&'static str, Tally)>,
    total: Tally,
    structure_only: Vec<(&'a Mutant, &'a str)>,
    equivalent: Vec<(&'a Mutant, &'static str)>,
    surviving: Vec<&'a Mutant>,
    impossible: Vec<(&'a Mutant, &'a str)>,
    /// Listed as equivalent, but killed by a test.
    noticed: Vec<(&'a Mutant, &'a str)>,
    /// Listed as equivalent, but no mutant has this name.
    unknown: Vec<&'static str>,
    took: Duration,
    jobs: usize,
    spared: usize,
}

impl<'a> Report<'a> {
    pub(super) fn new(judged: &'a [(Mutant, Verdict)], took: Duration, jobs: usize, spared: usize) -> Self {
        let mut report = Self { took, jobs, spared, ..Self::default() };
        for (mutant, verdict) in judged {
            report.add(mutant, verdict);
        }
        let is_there = |pattern| judged.iter().any(|(mutant, _)| equivalents::matches(pattern, &mutant.name));
        report.unknown = equivalents::patterns().filter(|pattern| !is_there(pattern)).collect();
        report
    }

    fn add(&mut self, mutant: &'a Mutant, verdict: &'a Verdict) {
        let reason = equivalents::reason(&mutant.name);
        let count: fn(&mut Tally) -> &mut usize = match verdict {
            Verdict::Killed { proof, file, by } => {
                if reason.is_some() {
                    self.noticed.push((mutant, file));
                }
                match proof {
                    Proof::Behavior => |tally| &mut tally.behavior,
                    Proof::Lint => |tally| &mut tally.lints,
                    Proof::Plan => |tally| &mut tally.plans,
                    Proof::Structure => {
                        // Privileges are not listed: the snapshot comes first for them, and there are a thousand.
                        if mutant.group != PRIVILEGES {
                            self.structure_only.push((mutant, by));
                        }
                        |tally| &mut tally.structure
                    }
                }
            }
            Verdict::Survived => match reason {
                Some(reason) => {
                    self.equivalent.push((mutant, reason));
                    |tally| &mut tally.equivalent
                }
                None => {
                    self.surviving.push(mutant);
                    |tally| &mut tally.surviving
                }
            },
            Verdict::Impossible(error) => {
                self.impossible.push((mutant, error));
                |tally| &mut tally.impossible
            }
        };
        let at = self.groups.iter().position(|(name, _)| *name == mutant.group).unwrap_or_else(|| {
            self.groups.push((mutant.group, Tally::default()));
            self.groups.len() - 1
        });
        for tally in [&mut self.groups[at].1, &mut self.total] {
            tally.mutants += 1;
            *count(tally) += 1;
        }
    }

    /// # Errors
    /// When a mutant survived, or the list of equivalents is out of date.
    pub(super) fn verdict(&self) -> anyhow::Result<()> {
        ensure!(self.impossible.is_empty(), "{} mutants can't be applied", self.impossible.len());
        ensure!(self.surviving.is_empty(), "{} mutants survive", self.surviving.len());
        ensure!(self.noticed.is_empty(), "{} mutants are not equivalent", self.noticed.len());
        Ok(())
    }

    fn summary(&self) -> String {
        let Tally { mutants, behavior, lints, plans, structure, equivalent, surviving, .. } = self.total;
        format!(
            "{mutants} mutants: {} killed ({behavior} by behavior, {lints} by lints, {plans} by plans, {structure} by \
             structure only), {equivalent} equivalent, {surviving} surviving",
            behavior + lints + plans + structure
        )
    }

    pub(super) fn printed(&self) -> String {
        let mut text = String::new();
        let mut section = |title: &str, entries: Vec<String>| {
            if !entries.is_empty() {
                let _ = writeln!(text, "\n{title}:\n  {}", entries.join("\n  "));
            }
        };
        let with = |(mutant, why): &(&Mutant, &str)| format!("{}\n      {why}", mutant.name);
        section("Detected only by the snapshot", self.structure_only.iter().map(with).collect());
        section("Equivalent", self.equivalent.iter().map(|(mutant, _)| mutant.name.clone()).collect());
        section("Can't be applied", self.impossible.iter().map(with).collect());
        section("Listed as equivalent, but killed by", self.noticed.iter().map(with).collect());
        section(
            "Surviving",
            self.surviving
                .iter()
                .map(|mutant| format!("{}\n      {}", mutant.name, mutant.sql.replace('\n', "\n      ")))
                .collect(),
        );
        let _ = writeln!(text, "\n{} in {} s with {} jobs", self.summary(), self.took.as_secs(), self.jobs);
        text
    }

    /// # Errors
    /// When the document can't be written.
    pub(super) fn write(&self) -> anyhow::Result<()> {
        ensure!(
            self.unknown.is_empty(),
            "listed as equivalent, but no such mutant exists: {}",
            self.unknown.join("; ")
        );
        let path = run::root().join(DOCUMENT);
        let document = std::fs::read_to_string(&path)?;
        // What comes before the results is written by hand.
        let (introduction, _) = document.split_once(RESULTS).context("the document has no results yet")?;
        std::fs::write(path, format!("{introduction}{RESULTS}{}", self.results()))?;
        Ok(())
    }

    fn results(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "\n\n{}.\n", self.summary());
        text.push_str("| what is weakened | mutants | behavior | lints | plans | snapshot only | equivalent | surviving |\n");
        text.push_str("|---|--:|--:|--:|--:|--:|--:|--:|\n");
        for (name, tally) in self.groups.iter().chain([&("all", self.total)]) {
            let Tally { mutants, behavior, lints, plans, structure, equivalent, surviving, .. } = tally;
            let _ = writeln!(
                text,
                "| {name} | {mutants} | {behavior} | {lints} | {plans} | {structure} | {equivalent} | {surviving} |"
            );
        }
        let minutes = self.took.as_secs_f64() / 60.0;
        let _ = writeln!(
            text,
            "\n{minutes:.0} minutes with {} jobs; {} verdicts are from earlier runs, whose tests have not changed.",
            self.jobs, self.spared
        );
        text
    }
}

/// The heading of the results.
const RESULTS: &str = "## Last result";
