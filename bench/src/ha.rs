//! `bench ha`: kills, freezes and disconnects each piece of a running `deploy/ha`, one at a time, while clients use it.
//! Reports the length of the outage, what clients saw, and whether any acknowledged write is lost.

mod containers;
mod table;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use tokio::time::{Instant, sleep};

use crate::faults::client::Client;
use crate::faults::kept::{Kept, lost_pictures};
use crate::faults::load::{Load, recovery};
use crate::faults::outcome::Outcome;
use crate::faults::sampling::{Answer, Kind, Sample};
use crate::faults::system::wait_until;
use containers::Containers;
use table::{FAULTS, Fault, Target};

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
const READS: [Kind; 4] = [Kind::Read, Kind::User, Kind::Download, Kind::Page];
const WRITES: [Kind; 7] =
    [Kind::Write, Kind::Edit, Kind::SignIn, Kind::SignUp, Kind::Upload, Kind::Replace, Kind::Function];
const HEADER: &str = "\
| fault | outage of reads | outage of writes | answers | wrong answers | longest wait | acknowledged writes lost | limits |
|---|---|---|---|---|---|---|---|";

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
        anyhow::Ok(text.trim().to_owned())
    };
    let containers = Containers::new(&options.engine, &options.project);
    settle(&containers).await?;
    let client = Client::new(options.url.clone(), key("anon_key")?, key("service_role_key")?).await?;
    let began = Instant::now();
    let mut table = format!("{HEADER}\n");
    println!("{HEADER}");
    let mut missed = 0;
    for fault in chosen {
        let mut outages = [Duration::ZERO; 2];
        let outcome = observe(fault, &client, &containers, &mut outages).await.unwrap_or_else(|error| {
            // The fault could not be observed, which is not a pass.
            Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() }
        });
        missed += usize::from(!outcome.broken.is_empty());
        let line = line(fault, &outcome, outages);
        println!("{line}");
        table.push_str(&format!("{line}\n"));
        std::fs::write(&options.report, &table)?;
        outcome.broken.iter().chain(&outcome.notes).for_each(|line| println!("    {line}"));
    }
    println!("\n{missed} missed, in {} s", began.elapsed().as_secs());
    Ok(missed == 0)
}

fn line(fault: &Fault, outcome: &Outcome, [reads, writes]: [Duration; 2]) -> String {
    format!(
        "| `{}`: {} | {:.1} s | {:.1} s | {} | {} | {} | {} of {} | {} |",
        fault.name,
        fault.about,
        reads.as_secs_f64(),
        writes.as_secs_f64(),
        outcome.answers(),
        wrong(&outcome.samples).count(),
        outcome.longest_text(),
        outcome.kept.lost.len(),
        outcome.kept.acknowledged,
        if outcome.broken.is_empty() { "kept" } else { "MISSED" },
    )
}

/// # Errors
/// When the fault can't be injected.
async fn observe(
    fault: &Fault,
    client: &Arc<Client>,
    containers: &Containers,
    outages: &mut [Duration; 2],
) -> anyhow::Result<Outcome> {
    let load = Load::start(client, &Kind::DEPLOYED);
    sleep(QUIET).await;
    let mut outcome = Outcome::default();
    let mut injected = Ok(());
    let rounds = if matches!(fault.target, Target::Two(_)) { 2 } else { 1 };
    for round in 0..rounds {
        let before = Instant::now();
        let targets = containers.targets(fault.target, round).await?;
        let began = *outcome.began.get_or_insert_with(Instant::now);
        injected = async {
            containers.inject(fault.act, &targets).await.context("injecting the fault")?;
            sleep(fault.hold).await;
            containers.mend(fault.act, &targets).await.context("removing the fault")
        }
        .await;
        outcome.recovered = recovery(client, RECOVERY_TIMEOUT).await.max(outcome.recovered);
        sleep(Duration::from_secs(1)).await;
        if injected.is_err() || before.elapsed() > Duration::from_secs(90) || began.elapsed() > SETTLED {
            break;
        }
    }
    let _ = wait_until("all nodes", RETURN, async || containers.is_settled().await).await;
    let ended = Instant::now();
    outcome.samples = load.stop().await;
    let began = outcome.began.unwrap_or(ended);
    outcome.samples.retain(|sample| sample.began + sample.took >= began);
    injected?;
    let limit = RECOVERY_TIMEOUT.as_secs();
    outcome.check(outcome.recovered.is_some(), format!("not every service recovered within {limit} s"));
    *outages = [&READS[..], &WRITES[..]].map(|kinds| outage(&outcome.samples, kinds, fault, began, ended));
    judge(fault, &mut outcome, *outages);
    if let Err(error) = settle(containers).await {
        outcome.broken.push(format!("{error:#}"));
    }
    match look_up(client, containers).await {
        Ok(kept) => outcome.kept = kept,
        Err(error) => outcome.broken.push(format!("{error:#}")),
    }
    let lost: Vec<_> = outcome.kept.lost.iter().take(3).cloned().collect();
    outcome.check(lost.is_empty(), format!("lost: {}", lost.join(", ")));
    Ok(outcome)
}

/// Waits until both replicas stream from the primary.
async fn settle(containers: &Containers) -> anyhow::Result<()> {
    wait_until("both replicas stream again", SETTLED, async || containers.is_settled().await).await
}

/// The longest time without a success, of the kind that waited longest.
fn outage(samples: &[Sample], kinds: &[Kind], fault: &Fault, began: Instant, ended: Instant) -> Duration {
    // Between two successes of one kind, minus its sending interval.
    let gap = |kind: &Kind| {
        let good = samples.iter().filter(|sample| sample.kind == *kind && sample.answer.is_good());
        let mut times: Vec<Instant> = good.map(|sample| sample.began + sample.took).collect();
        times.extend([began, ended]);
        times.sort();
        let gaps = times.windows(2).map(|pair| pair[1].saturating_duration_since(pair[0]));
        gaps.max().unwrap_or_default().saturating_sub(kind.pace())
    };
    kinds.iter().filter(|kind| !fault.spared.contains(kind)).map(gap).max().unwrap_or_default()
}

/// Responses that are neither a success nor tell the client when to retry.
fn wrong(samples: &[Sample]) -> impl Iterator<Item = &Sample> {
    samples.iter().filter(|sample| {
        let is_told = matches!(sample.answer, Answer::Status(503 | 429)) && sample.has_retry_after;
        !sample.answer.is_good() && !is_told
    })
}

fn judge(fault: &Fault, outcome: &mut Outcome, outages: [Duration; 2]) {
    for (what, took) in ["reads", "writes"].into_iter().zip(outages) {
        let text =
            format!("{what} failed for {:.1} s (limit {} s)", took.as_secs_f64(), fault.limit.as_secs());
        outcome.check(took <= fault.limit, text);
    }
    let mut unwanted: BTreeMap<(Answer, Kind), (usize, String)> = BTreeMap::new();
    for sample in wrong(&outcome.samples) {
        let (count, said) = unwanted.entry((sample.answer, sample.kind)).or_default();
        *count += 1;
        said.clone_from(&sample.said);
    }
    for ((answer, kind), (count, said)) in unwanted {
        outcome.broken.push(format!("{answer} ×{count}: {} {said}", kind.name()).trim_end().to_owned());
    }
}

/// Looks up on the primary the writes that were acknowledged since the last call.
async fn look_up(client: &Client, containers: &Containers) -> anyhow::Result<Kept> {
    let ledger = std::mem::take(&mut *client.ledger.lock().unwrap_or_else(PoisonError::into_inner));
    let primary = containers.primary().await?;
    let mut kept = Kept { acknowledged: ledger.count(), ..Kept::default() };
    // Deleting keeps the agency below its limit of gigs.
    for (what, texts, statement) in [
        ("gig", &ledger.rows, "delete from app.gigs where title = any(LIST) returning title"),
        ("account", &ledger.accounts, "select email from auth.users where email = any(LIST)"),
        ("mail to", &ledger.accounts, "select recipient from serasi.mail_outbox where recipient = any(LIST)"),
    ] {
        let quoted: Vec<_> = texts.iter().map(|text| format!("'{}'", text.replace('\'', "''"))).collect();
        let list = format!("array[{}]::text[]", quoted.join(","));
        let found = containers.sql(primary, &statement.replace("LIST", &list)).await?;
        let found: HashSet<&str> = found.lines().collect();
        let lost = texts.iter().filter(|text| !found.contains(text.as_str()));
        kept.lost.extend(lost.map(|text| format!("{what} {text}")));
    }
    kept.lost.extend(lost_pictures(ledger.uploads, ledger.replaced, client).await);
    Ok(kept)
}
