//! `bench faults`: injects faults into the product and its dependencies, one at a time, while clients use it.
//! Reports what the clients see, how long recovery takes, and whether any acknowledged write is lost. See
//! docs/reliability.md for the method and the latest results.

pub mod client;
mod clients;
mod clock;
mod cluster;
pub mod kept;
mod ledger;
pub mod load;
mod mail;
mod mail_server;
mod network;
pub mod outcome;
mod postgres;
mod postgres_limits;
mod process;
mod product;
mod report;
pub mod sampling;
mod stage;
mod storage;
pub mod system;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use clap::Args;
use futures::future::LocalBoxFuture;
use tokio::time::Instant;

use outcome::{Limits, Outcome};
use report::Row;
use stage::{Stage, Wanted};
use system::Unavailable;

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

type Run = for<'a> fn(&'a mut SharedProducts<'_>) -> LocalBoxFuture<'a, anyhow::Result<Outcome>>;

pub struct Fault {
    pub name: &'static str,
    pub about: &'static str,
    pub limits: Limits,
    pub run: Run,
}

const GROUPS: [(&str, &[Fault]); 8] = [
    ("PostgreSQL", postgres::FAULTS),
    ("PostgreSQL at a limit", postgres_limits::FAULTS),
    ("Network to the database", network::FAULTS),
    ("Storage", storage::FAULTS),
    ("Process", process::FAULTS),
    ("Clock", clock::FAULTS),
    ("Mail", mail::FAULTS),
    ("Clients", clients::FAULTS),
];

/// Products that several faults share while they are healthy.
pub struct SharedProducts<'a> {
    options: &'a Options,
    external: Option<Stage>,
    embedded: Option<Stage>,
}

impl SharedProducts<'_> {
    /// A product with an external PostgreSQL behind a proxy.
    ///
    /// # Errors
    /// When it can't be started.
    pub async fn external(&mut self) -> anyhow::Result<&mut Stage> {
        let wanted = Wanted { external: true, ..Wanted::default() };
        well(&mut self.external, self.options, wanted).await
    }

    /// `serasi up` with its defaults.
    ///
    /// # Errors
    /// When it can't be started.
    pub async fn embedded(&mut self) -> anyhow::Result<&mut Stage> {
        well(&mut self.embedded, self.options, Wanted::default()).await
    }

    /// A separate product for one fault.
    ///
    /// # Errors
    /// When it can't be started.
    pub async fn fresh(&self, wanted: Wanted) -> anyhow::Result<Stage> {
        Stage::start(self.options, wanted).await
    }
}

async fn well<'a>(
    kept: &'a mut Option<Stage>,
    options: &Options,
    wanted: Wanted,
) -> anyhow::Result<&'a mut Stage> {
    let is_well = match kept {
        Some(stage) => stage.is_well().await,
        None => false,
    };
    match kept.take() {
        Some(stage) if is_well => Ok(kept.insert(stage)),
        // Stop the previous one first.
        old => {
            drop(old);
            Ok(kept.insert(Stage::start(options, wanted).await?))
        }
    }
}

/// Runs all selected faults, and returns whether every limit was kept.
///
/// # Errors
/// When a name is unknown.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    if options.list {
        for (group, faults) in GROUPS {
            println!("{group}");
            faults.iter().for_each(|fault| println!("  {:<28} {}", fault.name, fault.about));
        }
        return Ok(true);
    }
    tokio::select! {
        kept = run_all(options) => kept,
        // Dropping it stops everything that was started.
        () = platform::http::server::stop_signal() => anyhow::bail!("interrupted"),
    }
}

async fn run_all(options: &Options) -> anyhow::Result<bool> {
    let all = || GROUPS.iter().flat_map(|(_, faults)| faults.iter());
    for name in &options.names {
        ensure!(
            all().any(|fault| fault.name.starts_with(name.as_str())),
            "there is no fault {name}: see --list"
        );
    }
    let is_chosen = |fault: &&Fault| {
        options.names.is_empty() || options.names.iter().any(|name| fault.name.starts_with(name.as_str()))
    };
    let began = Instant::now();
    let mut lab = SharedProducts { options, external: None, embedded: None };
    let mut counts = report::Counts::default();
    println!("{}", report::header(options.markdown));
    for (group, faults) in GROUPS {
        let mut is_first = true;
        for fault in faults.iter().filter(is_chosen) {
            if std::mem::take(&mut is_first) {
                println!("{}", report::group(group, options.markdown));
            }
            let row = produce(&mut lab, fault).await;
            counts.add(&row);
            println!("{}", row.line(options.markdown));
            if options.details {
                row.outcome().details().iter().for_each(|line| println!("      {line}"));
            }
        }
        // Run only one product at a time, to keep the machine's load low.
        lab.embedded = None;
    }
    drop(lab);
    println!("\n{counts} in {} s", began.elapsed().as_secs());
    Ok(counts.all_kept())
}

async fn produce(lab: &mut SharedProducts<'_>, fault: &'static Fault) -> Row {
    let began = Instant::now();
    let produced = tokio::time::timeout(LONGEST, (fault.run)(lab)).await;
    let produced = produced.unwrap_or_else(|_| {
        // Their state is unknown.
        (lab.external, lab.embedded) = (None, None);
        Err(anyhow::anyhow!("aborted after {} s: the product does not respond", LONGEST.as_secs()))
    });
    let took = began.elapsed();
    match produced {
        Ok(mut outcome) => {
            outcome.judge(&fault.limits);
            Row::produced(fault, outcome, took)
        }
        Err(error) => match error.downcast_ref::<Unavailable>() {
            Some(reason) => Row::unavailable(fault, reason.0),
            None => Row::failed(fault, &error),
        },
    }
}
