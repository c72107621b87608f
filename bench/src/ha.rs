//! `bench ha`: kills, freezes and disconnects each piece of a running `deploy/ha`, one at a time, while clients use it.
//! Reports the length of the outage, what clients saw, and whether any acknowledged write is lost.

mod containers;
mod faults;
mod inject;
mod kept;
mod outage;
mod row;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use tokio::time::Instant;

use crate::faults::client::Client;
use crate::faults::load::{Load, recovery};
use crate::faults::outcome::Outcome;
use crate::faults::sampling::Kind;
use crate::faults::system::wait_until;
use containers::Containers;
use faults::{FAULTS, Fault};
use outage::Outage;
use row::Row;

#[derive(Args)]
pub struct Options {
    /// Run only these faults, by name or prefix
    names: Vec<String>,
    /// The public address
    #[arg(long)]
    url: String,
    /// docker or podman
    #[arg(long)]
    engine: String,
    /// Compose's name of the project
    #[arg(long)]
    project: String,
    /// The folder with the secrets
    #[arg(long)]
    secrets: PathBuf,
    /// Also write the table to this file
    #[arg(long)]
    report: PathBuf,
}

/// Load before the fault, so that connections are warm.
const QUIET: Duration = Duration::from_secs(2);
/// If recovery takes longer, the deployment counts as not recovering on its own.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the load continues while the nodes return. An agency can post 500 gigs, which limits the length
/// of the load.
const RETURN: Duration = Duration::from_secs(10);
/// Time until all three nodes are in sync again.
const SETTLED: Duration = Duration::from_secs(120);

/// Runs all selected faults, and returns whether every limit was kept.
///
/// # Errors
/// When a name is unknown, or the deployment does not work at the start.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    for name in &options.names {
        ensure!(FAULTS.iter().any(|fault| fault.name.starts_with(name.as_str())), "there is no fault {name}");
    }
    let chosen = FAULTS.iter().filter(|fault| {
        options.names.is_empty() || options.names.iter().any(|name| fault.name.starts_with(name.as_str()))
    });
    let key = |name: &str| {
        let path = options.secrets.join(name);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        Ok::<_, anyhow::Error>(text.trim().to_owned())
    };
    let containers = Containers::new(&options.engine, &options.project);
    settle(&containers).await?;
    let client = Client::new(options.url.clone(), key("anon_key")?, key("service_role_key")?).await?;
    let began = Instant::now();
    let mut table = format!("{}\n", row::HEADER);
    println!("{}", row::HEADER);
    let mut missed = 0;
    for fault in chosen {
        let row = match observe(fault, &client, &containers).await {
            Ok((outcome, outage)) => Row::new(fault, outcome, outage),
            Err(error) => Row::failed(fault, &error),
        };
        missed += usize::from(!row.is_kept());
        println!("{}", row.line());
        table.push_str(&format!("{}\n", row.line()));
        std::fs::write(&options.report, &table)?;
        row.details().iter().for_each(|line| println!("    {line}"));
    }
    println!("\n{missed} missed, in {} s", began.elapsed().as_secs());
    Ok(missed == 0)
}

/// # Errors
/// When the fault can't be injected.
async fn observe(
    fault: &Fault,
    client: &Arc<Client>,
    containers: &Containers,
) -> anyhow::Result<(Outcome, Outage)> {
    let load = Load::start(client, &Kind::DEPLOYED);
    tokio::time::sleep(QUIET).await;
    let mut outcome = Outcome::default();
    let mut injected = Ok(());
    for round in 0..fault.rounds() {
        let before = Instant::now();
        let fault_of_round = inject::prepare(fault, round, containers).await?;
        outcome.began.get_or_insert_with(Instant::now);
        injected = async {
            fault_of_round.inject().await.context("injecting the fault")?;
            tokio::time::sleep(fault.hold).await;
            fault_of_round.remove().await.context("removing the fault")
        }
        .await;
        outcome.recovered = recovery(client, RECOVERY_TIMEOUT).await.max(outcome.recovered);
        outcome.notes.extend(fault_of_round.note());
        tokio::time::sleep(Duration::from_secs(1)).await;
        if injected.is_err() || before.elapsed() > Duration::from_secs(90) {
            break;
        }
    }
    let _ = wait_until("all nodes", RETURN, async || containers.is_settled().await).await;
    let ended = Instant::now();
    outcome.samples = load.stop().await;
    let began = outcome.began.unwrap_or(ended);
    outcome.samples.retain(|sample| sample.began + sample.took >= began);
    injected?;
    if outcome.recovered.is_none() {
        outcome.broken.push(format!("not every service recovered within {} s", RECOVERY_TIMEOUT.as_secs()));
    }
    let outage = outage::judge(fault, &mut outcome, ended);
    if let Err(error) = settle(containers).await {
        outcome.broken.push(format!("{error:#}"));
    }
    match kept::look_up(client, containers).await {
        Ok(kept) => outcome.kept = kept,
        Err(error) => outcome.broken.push(format!("{error:#}")),
    }
    if !outcome.kept.lost.is_empty() {
        let examples = outcome.kept.lost.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
        outcome.broken.push(format!("lost: {examples}"));
    }
    Ok((outcome, outage))
}

/// Waits until both replicas stream from the primary.
async fn settle(containers: &Containers) -> anyhow::Result<()> {
    wait_until("both replicas stream again", SETTLED, async || containers.is_settled().await).await
}
