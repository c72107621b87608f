//! `bench faults`: injects faults into the product and its dependencies, one at a time, while clients use it.
//! Reports what the clients see, how long recovery takes, and whether any acknowledged write is lost. See
//! docs/reliability.md for the method and the latest results.

mod checks;
pub mod client;
mod driver;
mod floods;
pub mod kept;
pub mod load;
mod mail_server;
pub mod outcome;
mod product;
pub mod sampling;
mod stage;
pub mod system;
mod table;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use tokio::time::{Duration, Instant, timeout};

use outcome::Outcome;
use stage::{On, Stage};
use system::Unavailable;
use table::{FAULTS, Fault};

#[derive(Args)]
pub struct Options {
    /// Run only these faults, by name or prefix
    names: Vec<String>,
    /// List the faults
    #[arg(long)]
    list: bool,
    /// Print the results as a Markdown table
    #[arg(long)]
    markdown: bool,
    /// Print the outcomes of each kind of request
    #[arg(long)]
    details: bool,
    /// The serasi program
    #[arg(long, default_value = "target/debug/serasi")]
    serasi: PathBuf,
    /// The folder with `initdb` and `postgres`, for an external database
    #[arg(long, default_value = "/usr/lib/postgresql/15/bin")]
    postgresql: PathBuf,
    /// The path of libfaketimeMT.so.1, for clock changes
    #[arg(long)]
    faketime: Option<PathBuf>,
}

/// Timeout for one fault, including startup and the final check.
const LONGEST: Duration = Duration::from_secs(180);
const HEADER: &str = "\
| fault | what clients see | longest wait | Retry-After | good again after | acknowledged writes lost | limits | remarks |
|---|---|---|---|---|---|---|---|";

/// Runs all selected faults, and returns whether every limit was kept.
///
/// # Errors
/// When a name is unknown.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    if options.list {
        FAULTS.iter().for_each(|fault| println!("{:<28} {}", fault.name, fault.about));
        return Ok(true);
    }
    tokio::select! {
        kept = run_all(options) => kept,
        // Dropping it stops everything that was started.
        () = platform::http::server::stop_signal() => anyhow::bail!("interrupted"),
    }
}

async fn run_all(options: &Options) -> anyhow::Result<bool> {
    for name in &options.names {
        let is_known = FAULTS.iter().any(|fault| fault.name.starts_with(name.as_str()));
        ensure!(is_known, "there is no fault {name}: see --list");
    }
    let is_chosen = |fault: &&Fault| {
        options.names.is_empty() || options.names.iter().any(|name| fault.name.starts_with(name.as_str()))
    };
    let began = Instant::now();
    if options.markdown {
        println!("{HEADER}");
    }
    // Faults share a product while it is healthy.
    let (mut shared, mut group) = (None, "");
    let (mut within, mut outside, mut not_run) = (0, 0, 0);
    for fault in FAULTS.iter().filter(is_chosen) {
        if std::mem::replace(&mut group, fault.group) != fault.group {
            let rest = if options.markdown { "** | | | | | | | |" } else { "" };
            println!("{}{}{rest}", if options.markdown { "| **" } else { "\n" }, fault.group);
        }
        let outcome = produce(options, fault, &mut shared).await;
        let verdict = match &outcome.not_run {
            Some(reason) => format!("not run: {reason}"),
            None if outcome.broken.is_empty() => "kept".to_owned(),
            None => "BROKEN".to_owned(),
        };
        *(match verdict.as_str() {
            "kept" => &mut within,
            "BROKEN" => &mut outside,
            // A fault that could not be injected does not count as a pass.
            _ => &mut not_run,
        }) += 1;
        println!("{}", line(fault, &outcome, &verdict, options.markdown));
        if options.details {
            outcome.details().iter().for_each(|line| println!("      {line}"));
        }
    }
    println!(
        "\n{within} within the limits, {outside} outside, {not_run} not run in {} s",
        began.elapsed().as_secs()
    );
    Ok(outside == 0 && not_run == 0)
}

async fn produce(options: &Options, fault: &Fault, shared: &mut Option<(On, Stage)>) -> Outcome {
    let produced = timeout(LONGEST, async {
        let previous = match shared.take() {
            Some((on, stage)) if on == fault.on && on.is_shared() => Some(stage),
            _ => None,
        };
        // The previous one stops first, to keep the machine's load low.
        let reused = match previous {
            Some(mut stage) => stage.is_well().await.then_some(stage),
            None => None,
        };
        let mut stage = match reused {
            Some(stage) => stage,
            None => Stage::start(options, fault.on).await?,
        };
        let outcome = driver::run(&mut stage, fault).await;
        *shared = Some((fault.on, stage));
        outcome
    });
    match produced.await {
        Ok(Ok(mut outcome)) => {
            outcome.judge(&fault.limits);
            outcome
        }
        Ok(Err(error)) => match error.downcast_ref::<Unavailable>() {
            Some(reason) => Outcome { not_run: Some(reason.0), ..Outcome::default() },
            // The harness failed, or the product failed before the fault. This is not a pass.
            None => Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() },
        },
        Err(_) => {
            let text = format!("aborted after {} s: the product does not respond", LONGEST.as_secs());
            Outcome { broken: vec![text], ..Outcome::default() }
        }
    }
}

fn line(fault: &Fault, outcome: &Outcome, verdict: &str, markdown: bool) -> String {
    let name = fault.name;
    let longest = outcome.longest_text();
    let retry_after = match outcome.retry_after() {
        (_, 0) => "–".to_owned(),
        (with, all) => format!("{with} of {all}"),
    };
    let recovered =
        outcome.recovered.map_or_else(|| "–".to_owned(), |after| format!("{:.1} s", after.as_secs_f64()));
    let lost = format!("{} of {}", outcome.kept.lost.len(), outcome.kept.acknowledged);
    let seen = if outcome.samples.is_empty() { String::new() } else { outcome.answers() };
    let remarks = outcome.broken.iter().map(|text| format!("! {text}"));
    let remarks: Vec<_> = remarks.chain(outcome.notes.iter().cloned()).collect();
    if markdown {
        let remarks = remarks.join("; ").replace('|', "\\|");
        return format!(
            "| `{name}`: {} | {seen} | {longest} | {retry_after} | {recovered} | {lost} | {verdict} | {remarks} |",
            fault.about
        );
    }
    let text = format!(
        "{verdict:<8} {name:<28} {seen}; longest {longest}; Retry-After {retry_after}; recovered {recovered}; lost {lost}"
    );
    remarks.into_iter().fold(text, |text, remark| format!("{text}\n         {remark}"))
}
