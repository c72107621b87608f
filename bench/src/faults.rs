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
pub mod table;

use std::path::PathBuf;

use anyhow::{anyhow, bail};
use clap::Args;
use tokio::time::{Duration, Instant, timeout};

use outcome::Outcome;
use stage::Stage;
use table::Fault;

#[derive(Args)]
pub struct Options {
    /// Run only these faults, by name or prefix
    names: Vec<String>,
    /// List the faults
    #[arg(long)]
    list: bool,
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
    let faults =
        table::chosen(include_str!("faults/faults.toml"), &options.names, |fault: &Fault| &fault.name)?;
    if options.list {
        faults.iter().for_each(|fault| println!("{:<28} {}", fault.name, fault.about));
        return Ok(true);
    }
    tokio::select! {
        kept = run_all(options, &faults) => Ok(kept),
        // Dropping it stops everything that was started.
        () = platform::http::server::stop_signal() => bail!("interrupted"),
    }
}

async fn run_all(options: &Options, faults: &[Fault]) -> bool {
    let began = Instant::now();
    println!("{HEADER}");
    let (mut group, mut broken) = ("", 0);
    for fault in faults {
        if std::mem::replace(&mut group, &fault.group) != fault.group {
            println!("| **{group}** | | | | | | | |");
        }
        let aborted = |_| Err(anyhow!("aborted: the product does not respond"));
        let outcome = timeout(LONGEST, observe(options, fault)).await.unwrap_or_else(aborted);
        // A fault that could not be injected is not a pass.
        let outcome = outcome
            .unwrap_or_else(|error| Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() });
        broken += usize::from(!outcome.broken.is_empty());
        println!("{}", line(fault, &outcome));
    }
    println!("\n{broken} of {} faults outside the limits, in {} s", faults.len(), began.elapsed().as_secs());
    broken == 0
}

async fn observe(options: &Options, fault: &Fault) -> anyhow::Result<Outcome> {
    let mut stage = Stage::start(options, fault).await?;
    let mut outcome = driver::run(&mut stage, fault).await?;
    outcome.judge(fault);
    Ok(outcome)
}

fn line(fault: &Fault, outcome: &Outcome) -> String {
    let retry_after = match outcome.retry_after() {
        (_, 0) => "–".to_owned(),
        (with, all) => format!("{with} of {all}"),
    };
    let recovered =
        outcome.recovered.map_or_else(|| "–".to_owned(), |after| format!("{:.1} s", after.as_secs_f64()));
    let remarks = [outcome.broken.as_slice(), &outcome.notes].concat().join("; ").replace('|', "\\|");
    format!(
        "| `{}`: {} | {} | {} | {retry_after} | {recovered} | {} of {} | {} | {remarks} |",
        fault.name,
        fault.about,
        outcome.answers(),
        outcome.longest_text(),
        outcome.kept.lost.len(),
        outcome.kept.acknowledged,
        if outcome.broken.is_empty() { "kept" } else { "BROKEN" },
    )
}
