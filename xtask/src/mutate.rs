//! `cargo xtask mutate`: weakens every policy, grant, guard and constraint once, and expects a test of behavior to fail.
//! The mutants come from the catalog of a migrated database, so a new table is covered. See docs/policy-mutation.md.
//!
//! Each mutant runs in a transaction that is rolled back: nobody else sees it, and nothing has to be undone.

mod catalog;
mod databases;
mod equivalents;
mod expressions;
mod suite;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::{anyhow, bail, ensure};

use crate::server::Server;
use crate::{run, tools};
use databases::{Database, Databases};
use suite::{Suite, Verdict};

#[derive(clap::Args)]
pub struct Options {
    /// Only mutants whose name contains this; `*` matches anything
    #[arg(long)]
    only: Option<String>,
    /// Number of concurrent jobs, each with its own database
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// List the mutants and their SQL without running anything
    #[arg(long)]
    list: bool,
}

/// One way to weaken the database.
pub struct Mutant {
    /// `policies`, `grants`, `guards` or `constraints`.
    kind: &'static str,
    /// The table, view or function. Tests that mention it run first.
    subject: String,
    name: String,
    sql: String,
}

const RESULTS: &str = "target/mutants.md";

/// # Errors
/// When a mutant survives, when the tests fail without a mutant, or when the tools are unavailable.
pub fn run(options: &Options) -> anyhow::Result<()> {
    let pgtap = tools::pgtap()?;
    let server = Server::start_for_tests(&["--api-only", "--no-demo"])?;
    let databases = Databases::create(&server.database_url()?, options.jobs.max(1), &pgtap)?;
    let mut mutants = catalog::mutants(&databases.copies[0])?;
    if let Some(pattern) = &options.only {
        mutants.retain(|mutant| equivalents::matches(&format!("*{pattern}*"), &mutant.name));
    }
    ensure!(!mutants.is_empty(), "no mutant matches this name");
    if options.list {
        mutants.iter().for_each(|mutant| println!("{}\n    {};", mutant.name, mutant.sql));
        println!("{} mutants", mutants.len());
        return Ok(());
    }
    let suite = Suite::read()?;
    match suite.judge(&databases.copies[0].url, None)? {
        Verdict::Survived => {}
        Verdict::Killed { file, by } => bail!("{file} fails without any mutant: {by}"),
        Verdict::Impossible(error) => bail!("the tests can't be run: {error}"),
    }
    let began = Instant::now();
    let judged = judge_all(&databases, &suite, mutants)?;
    report(&judged, options, began)
}

/// Each job takes the next mutant.
fn judge_all(
    databases: &Databases,
    suite: &Suite,
    mutants: Vec<Mutant>,
) -> anyhow::Result<Vec<(Mutant, Verdict)>> {
    let total = mutants.len();
    let waiting = Mutex::new(VecDeque::from(mutants));
    let judged = Mutex::new(Vec::new());
    let work = |database: &Database| -> anyhow::Result<()> {
        for turn in 1.. {
            let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(mutant) = next else { break };
            let verdict = suite.judge(&database.url, Some(&mutant))?;
            databases.renew_after(turn, database)?;
            let mut judged = judged.lock().unwrap_or_else(PoisonError::into_inner);
            if !matches!(verdict, Verdict::Killed { .. }) && equivalents::reason(&mutant.name).is_none() {
                println!("not killed: {}", mutant.name);
            }
            judged.push((mutant, verdict));
            if judged.len().is_multiple_of(100) {
                println!("{} of {total} mutants", judged.len());
            }
        }
        Ok(())
    };
    let work = &work;
    std::thread::scope(|scope| {
        let jobs: Vec<_> =
            databases.copies.iter().map(|database| scope.spawn(move || work(database))).collect();
        jobs.into_iter().try_for_each(|job| job.join().unwrap_or_else(|_| Err(anyhow!("a job panicked"))))
    })?;
    Ok(judged.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Prints the results and writes the table to `target/mutants.md`.
fn report(judged: &[(Mutant, Verdict)], options: &Options, began: Instant) -> anyhow::Result<()> {
    let mut counts: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    let mut failures = Vec::new();
    for (mutant, verdict) in judged {
        let reason = equivalents::reason(&mutant.name);
        let column = match verdict {
            Verdict::Killed { file, .. } => {
                if reason.is_some() {
                    failures.push(format!("listed as equivalent, but {file} kills it: {}", mutant.name));
                }
                usize::from(file.starts_with("lints/"))
            }
            Verdict::Survived if reason.is_some() => 2,
            Verdict::Survived => {
                failures.push(format!("survives: {}\n    {}", mutant.name, mutant.sql));
                3
            }
            Verdict::Impossible(error) => {
                failures.push(format!("can't be applied: {}: {error}", mutant.name));
                3
            }
        };
        for kind in [mutant.kind, "all"] {
            counts.entry(kind).or_default()[column] += 1;
        }
    }
    if options.only.is_none() {
        let is_unused =
            |pattern: &&str| !judged.iter().any(|(mutant, _)| equivalents::matches(pattern, &mutant.name));
        failures.extend(
            equivalents::patterns().filter(is_unused).map(|pattern| format!("no mutant is named {pattern}")),
        );
    }
    let mut table = String::from(
        "| what is weakened | mutants | behavior | rule | equivalent | surviving |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for (kind, [behavior, rule, equivalent, surviving]) in counts {
        let all = behavior + rule + equivalent + surviving;
        table += &format!("| {kind} | {all} | {behavior} | {rule} | {equivalent} | {surviving} |\n");
    }
    failures.sort();
    std::fs::write(run::root().join(RESULTS), format!("{table}\n{}\n", failures.join("\n")))?;
    println!(
        "\n{}\n\n{table}\n{} s with {} jobs",
        failures.join("\n"),
        began.elapsed().as_secs(),
        options.jobs
    );
    ensure!(failures.is_empty(), "{} of {} mutants are not killed as expected", failures.len(), judged.len());
    Ok(())
}
