//! `cargo xtask test`: runs every test, and prints a closing line with the counts.

mod changed;

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};

use crate::report::Count;
use crate::server::Server;
use changed::Selection;

use crate::{bench, build, end_to_end, failures, frontend, lint, policies, run, rust, scratch, times, tools};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Part {
    /// Format, Clippy, tidy, the compose file
    Lint,
    /// Rust tests, each on a fresh database
    Rust,
    /// pgTAP: who may do what, and the structure
    Policies,
    /// The frontend's linter, types and unit tests
    Frontend,
    /// Complete user flows in a real browser, on a real `serasi up`
    E2e,
    /// 20,000 malformed and unusual requests to a real `serasi up`, always the same ones
    Fuzz,
}

/// The table that is printed at the end.
const TIMES: &str = "target/test-times.txt";

/// Parts that run side by side, so that they end at about the same time. Most tests spend more time waiting than
/// computing.
const LANES: [&[Part]; 2] =
    [&[Part::Lint, Part::Rust, Part::Fuzz], &[Part::Policies, Part::Frontend, Part::E2e]];

impl Part {
    const ALL: [Self; 6] = [Self::Lint, Self::Rust, Self::Policies, Self::Frontend, Self::E2e, Self::Fuzz];

    fn name(self) -> &'static str {
        match self {
            Self::Lint => "lint",
            Self::Rust => "rust",
            Self::Policies => "policies",
            Self::Frontend => "frontend",
            Self::E2e => "e2e",
            Self::Fuzz => "fuzz",
        }
    }

    fn run(self, databases: &Databases, names: &[String], changed: &Selection) -> anyhow::Result<Count> {
        match self {
            Self::Lint => lint::run(),
            Self::Rust => rust::run(databases.server()?, names, &changed.crates),
            Self::Policies if names.is_empty() => policies::run(&changed.policies),
            Self::Policies => policies::run(names),
            Self::Frontend if names.is_empty() => frontend::run(&databases.server()?.database_url()?),
            Self::Frontend => frontend::unit_tests(names),
            Self::E2e => end_to_end::run(names, &changed.pages),
            Self::Fuzz => Ok(bench::test()),
        }
    }

    /// Whether the part consists of named tests.
    fn has_names(self) -> bool {
        !matches!(self, Self::Lint | Self::Fuzz)
    }
}

/// The server on which tests create their databases, started when the first part needs it.
#[derive(Default)]
struct Databases {
    server: OnceLock<Server>,
    starting: Mutex<()>,
}

impl Databases {
    fn server(&self) -> anyhow::Result<&Server> {
        let _one_at_a_time = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
        if self.server.get().is_none() {
            let _ = self.server.set(Server::start_for_tests(&["--api-only", "--no-demo"])?);
        }
        self.server.get().context("the server was started")
    }
}

/// Which tests to run.
#[derive(Args)]
pub struct Options {
    /// Parts (lint, rust, policies, frontend, e2e, fuzz), then words: only tests whose names contain one run.
    /// Names are functions and modules, files of db/tests, and titles. `containers` alone runs the full flow
    /// through compose.yaml instead, `ha [FAULT…]` breaks the pieces of deploy/ha, and
    /// `install [ARCHIVE [ARCHIVE]]` installs a release on a machine with systemd, and upgrades it to the
    /// second one
    #[arg(value_name = "PART | WORD")]
    words: Vec<String>,
    /// Run only the tests that the change affects: the files that differ from the main branch, committed or
    /// not
    #[arg(long, conflicts_with = "words")]
    changed: bool,
}

impl Options {
    /// The first word, which may name a suite that runs alone, and the words after it.
    pub fn suite(&self) -> (&str, &[String]) {
        self.words.split_first().map_or(("", &[]), |(first, words)| (first.as_str(), words))
    }

    fn parts_and_names(&self) -> (Vec<Part>, &[String]) {
        let part = |word: &String| Part::from_str(word, false).ok();
        let parts: Vec<Part> = self.words.iter().map_while(part).collect();
        let names = &self.words[parts.len()..];
        let all = || Part::value_variants().iter().filter(|part| names.is_empty() || part.has_names());
        (if parts.is_empty() { all().copied().collect() } else { parts }, names)
    }
}

/// # Errors
/// When a test failed. All parts run, so that one report shows every failure.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let began = Instant::now();
    let (mut parts, names) = options.parts_and_names();
    let mut changed = Selection::default();
    if options.changed {
        changed = changed::selection()?;
        parts = changed.parts.iter().copied().collect();
        if parts.is_empty() {
            return Ok(());
        }
    }
    let is_wanted = |part: &Part| parts.contains(part);
    check_names(&parts, names)?;
    thread::scope(|scope| {
        let installing = scope.spawn(|| {
            run::label("install");
            times::measure("install (beside the build)", || install(is_wanted))
        });
        build::development()?;
        installing.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the installation panicked")))
    })?;

    let results = run_parts(&is_wanted, names, &changed);
    times::report(began, &run::root().join(TIMES))?;
    failures::print();

    let mut total = Count::default();
    println!();
    for (part, count) in results {
        println!("{:<9} {:>5} passed {:>3} failed", part.name(), count.passed, count.failed);
        total += count;
    }
    println!("{} passed, {} failed", total.passed, total.failed);
    ensure!(total.failed == 0, "{} failed", total.failed);
    ensure!(total.passed > 0, "{}", unknown(names));
    Ok(())
}

/// Runs the parts, those of different lanes side by side.
fn run_parts(
    is_wanted: &(impl Fn(&Part) -> bool + Sync),
    names: &[String],
    changed: &Selection,
) -> BTreeMap<Part, Count> {
    // Dropped last, after the servers that use it.
    let _scratch = scratch::in_memory();
    let databases = Databases::default();
    let results = Mutex::new(BTreeMap::<Part, Count>::new());
    let add = |part: Part, count: Count| {
        *results.lock().unwrap_or_else(PoisonError::into_inner).entry(part).or_default() += count;
    };
    if is_wanted(&Part::Rust) && names.is_empty() && rust::includes_alone(&changed.crates) {
        add(Part::Rust, counted("rust", "rust, alone", || rust::run_alone(databases.server()?)));
        run::label("");
    }
    thread::scope(|scope| {
        for lane in LANES {
            scope.spawn(|| {
                for part in lane.iter().filter(|part| is_wanted(part)) {
                    let run = || part.run(&databases, names, changed);
                    add(*part, counted(part.name(), part.name(), run));
                }
            });
        }
    });
    drop(databases);
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// # Errors
/// When no test can have one of the names.
fn check_names(parts: &[Part], names: &[String]) -> anyhow::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    if let Some(part) = parts.iter().find(|part| !part.has_names()) {
        bail!("{} has no tests with names: leave out {}", part.name(), names.join(", "));
    }
    ensure!(names.iter().any(|name| is_plausible(name)), "{}", unknown(names));
    Ok(())
}

/// Whether the source contains the words of a name. If not, it is a typo, which should not cause a build.
fn is_plausible(name: &str) -> bool {
    let words = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    words.filter(|word| !word.is_empty()).all(|word| is_in_contents(word) || is_in_file_names(word))
}

fn is_in_contents(word: &str) -> bool {
    let mut grep = run::command("git");
    grep.args(["grep", "--quiet", "--untracked", "--fixed-strings", "-e", word]);
    grep.status().is_ok_and(|status| status.success())
}

fn is_in_file_names(word: &str) -> bool {
    let listed =
        run::command("git").args(["ls-files", "--cached", "--others", "--exclude-standard"]).output();
    listed.is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).contains(word))
}

/// The error for words that no test's name contains.
fn unknown(names: &[String]) -> String {
    format!(
        "no test's name contains {}: give a part (lint, rust, policies, frontend, e2e, fuzz), or a word of a \
         function's, file's or test's name",
        names.join(" or ")
    )
}

/// Runs tests, prints their output behind a label, and measures them.
fn counted(label: &'static str, measured_as: &str, tests: impl FnOnce() -> anyhow::Result<Count>) -> Count {
    run::label(label);
    times::measure(measured_as, tests).unwrap_or_else(|error| {
        run::print(&format!("FAILED: {error:#}"));
        Count { passed: 0, failed: 1 }
    })
}

/// Packages that the parts need, downloaded during compilation.
fn install(is_wanted: impl Fn(&Part) -> bool) -> anyhow::Result<()> {
    if is_wanted(&Part::Rust) {
        tools::clients()?;
        tools::proxies()?;
    }
    if is_wanted(&Part::Policies) {
        tools::pgtap()?;
        tools::postgresql_15()?;
    }
    if is_wanted(&Part::E2e) {
        tools::psql()?;
        tools::headless_chromium()?;
    }
    if is_wanted(&Part::Frontend) || is_wanted(&Part::E2e) {
        frontend::install()?;
    }
    if is_wanted(&Part::Lint) {
        lint::install()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_whose_words_occur_are_worth_a_build() {
        assert!(is_plausible("tests::only_names_whose_words_occur"));
        assert!(is_plausible("documents.rs"));
        let misspelled = ["only", "nmaes"].join("_");
        assert!(!is_plausible(&misspelled));
        assert!(unknown(&[misspelled]).contains("give a part"));
    }
}
