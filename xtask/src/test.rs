//! `cargo xtask test`: every test there is, and one closing line that counts them.

use anyhow::ensure;
use clap::ValueEnum;

use crate::report::Count;
use crate::{end_to_end, frontend, fuzz, lint, policies, rust};

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    /// Format, clippy, tidy, the compose file
    Lint,
    /// Rust tests, each on a fresh database
    Rust,
    /// pgTAP: who may do what, and the structure
    Policies,
    /// The frontend's linter, types and unit tests
    Frontend,
    /// The journeys in a real browser, on a real `serasi up`
    E2e,
    /// 20,000 malformed and unusual requests to a real `serasi up`, always the same ones
    Fuzz,
}

const ALL: [Part; 6] = [Part::Lint, Part::Rust, Part::Policies, Part::Frontend, Part::E2e, Part::Fuzz];

/// # Errors
/// When a test failed. All parts run, so that one report tells everything.
pub fn run(parts: &[Part]) -> anyhow::Result<()> {
    let parts = if parts.is_empty() { &ALL[..] } else { parts };
    let mut total = Count::default();
    let mut lines = Vec::new();
    for part in parts {
        let name = part.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        println!("\n=== {name}");
        let began = std::time::Instant::now();
        let count = match part {
            Part::Lint => lint::run(),
            Part::Rust => rust::run(),
            Part::Policies => policies::run(),
            Part::Frontend => frontend::run(),
            Part::E2e => end_to_end::run(),
            Part::Fuzz => fuzz::test(),
        }
        .unwrap_or_else(|error| {
            eprintln!("{name}: {error:#}");
            Count { passed: 0, failed: 1 }
        });
        lines.push(format!(
            "{name:<9} {:>5} passed {:>3} failed  {:>4} s",
            count.passed,
            count.failed,
            began.elapsed().as_secs()
        ));
        total += count;
    }
    println!("\n{}", lines.join("\n"));
    println!("{} passed, {} failed", total.passed, total.failed);
    ensure!(total.failed == 0, "{} failed", total.failed);
    ensure!(total.passed > 0, "no test ran");
    Ok(())
}
