//! `bench ha`: kills, freezes and disconnects each piece of a running `deploy/ha`, one at a time, while clients use it.
//! Reports the length of the outage, what clients saw, and whether any acknowledged write is lost.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use serde::Deserialize;
use tokio::time::{Instant, sleep};

use crate::faults::client::Client;
use crate::faults::kept;
use crate::faults::load::{Load, recovery};
use crate::faults::outcome::Outcome;
use crate::faults::sampling::{Answer, Kind, Sample};
use crate::faults::system::{shell, wait_until};
use crate::faults::table;

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

/// A row of `ha.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    name: String,
    about: String,
    target: String,
    act: String,
    hold: u64,
    limit: u64,
    #[serde(default)]
    spared: Vec<String>,
    rounds: Option<usize>,
}

/// The deployment, and its clients.
struct Stage<'a> {
    options: &'a Options,
    client: Arc<Client>,
}

/// Runs all selected faults, and returns whether every limit was kept.
///
/// # Errors
/// When a name is unknown, or the deployment does not work at the start.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let faults = table::chosen(include_str!("ha/ha.toml"), &options.names, |fault: &Fault| &fault.name)?;
    let key = |name: &str| {
        let path = options.secrets.join(name);
        let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        anyhow::Ok(text.trim().to_owned())
    };
    settle(options).await?;
    let client = Client::new(options.url.clone(), key("anon_key")?, key("service_role_key")?).await?;
    let stage = Stage { options, client };
    let began = Instant::now();
    println!("{HEADER}");
    let mut missed = 0;
    for fault in &faults {
        let mut outages = [Duration::ZERO; 2];
        let outcome = stage.observe(fault, &mut outages).await.unwrap_or_else(|error| {
            // The fault could not be observed, which is not a pass.
            Outcome { broken: vec![format!("{error:#}")], ..Outcome::default() }
        });
        missed += usize::from(!outcome.broken.is_empty());
        println!("{}", line(fault, &outcome, outages));
        outcome.broken.iter().chain(&outcome.notes).for_each(|line| println!("    {line}"));
    }
    println!("\n{missed} missed, in {} s", began.elapsed().as_secs());
    Ok(missed == 0)
}

fn line(fault: &Fault, outcome: &Outcome, [reads, writes]: [Duration; 2]) -> String {
    let wrong = outcome.samples.iter().filter(|sample| is_wrong(sample)).count();
    format!(
        "| `{}`: {} | {:.1} s | {:.1} s | {} | {wrong} | {} | {} of {} | {} |",
        fault.name,
        fault.about,
        reads.as_secs_f64(),
        writes.as_secs_f64(),
        outcome.answers(),
        outcome.longest_text(),
        outcome.kept.lost.len(),
        outcome.kept.acknowledged,
        if outcome.broken.is_empty() { "kept" } else { "MISSED" },
    )
}

/// A line of shell with the functions of `acts.sh`.
async fn act(options: &Options, line: &str, round: usize, targets: &str) -> anyhow::Result<String> {
    let variables = [
        ("ENGINE", options.engine.clone()),
        ("PROJECT", options.project.clone()),
        ("ROUND", round.to_string()),
        ("TARGETS", targets.to_owned()),
    ];
    shell(include_str!("ha/acts.sh"), line, &variables).await
}

async fn is_settled(options: &Options) -> bool {
    act(options, "settled", 1, "").await.is_ok()
}

/// Waits until both replicas stream from the primary.
async fn settle(options: &Options) -> anyhow::Result<()> {
    wait_until("both replicas stream again", SETTLED, async || is_settled(options).await).await
}

impl Stage<'_> {
    /// # Errors
    /// When the fault can't be injected.
    async fn observe(&self, fault: &Fault, outages: &mut [Duration; 2]) -> anyhow::Result<Outcome> {
        let load = Load::start(&self.client, &Kind::DEPLOYED);
        sleep(QUIET).await;
        let mut outcome = Outcome::default();
        let mut injected = Ok(());
        for round in 1..=fault.rounds.unwrap_or(1) {
            let before = Instant::now();
            let targets = act(self.options, &fault.target, round, "").await?;
            let targets = targets.split_whitespace().collect::<Vec<_>>().join(" ");
            let began = *outcome.began.get_or_insert_with(Instant::now);
            injected = async {
                act(self.options, &fault.act, round, &targets).await.context("injecting the fault")?;
                sleep(Duration::from_secs(fault.hold)).await;
                let mend = format!("mend_{}", fault.act);
                act(self.options, &mend, round, &targets).await.context("removing the fault")
            }
            .await
            .map(drop);
            let recovered = recovery(&self.client, RECOVERY_TIMEOUT).await;
            // The slowest round, and nothing after one that did not recover.
            let earlier = if round == 1 { recovered } else { outcome.recovered };
            outcome.recovered = recovered.zip(earlier).map(|(now, before)| now.max(before));
            sleep(Duration::from_secs(1)).await;
            if injected.is_err() || before.elapsed() > Duration::from_secs(90) || began.elapsed() > SETTLED {
                break;
            }
        }
        let _ = wait_until("all nodes", RETURN, async || is_settled(self.options).await).await;
        let ended = Instant::now();
        outcome.samples = load.stop().await;
        let began = outcome.began.unwrap_or(ended);
        outcome.samples.retain(|sample| sample.began + sample.took >= began);
        injected?;
        let limit = RECOVERY_TIMEOUT.as_secs();
        outcome.check(outcome.recovered.is_some(), format!("not every service recovered within {limit} s"));
        *outages =
            [&READS[..], &WRITES[..]].map(|kinds| outage(&outcome.samples, kinds, fault, began, ended));
        judge(fault, &mut outcome, *outages);
        if let Err(error) = settle(self.options).await {
            outcome.broken.push(format!("{error:#}"));
        }
        match self.look_up().await {
            Ok(kept) => outcome.kept = kept,
            Err(error) => outcome.broken.push(format!("{error:#}")),
        }
        outcome.check_lost();
        Ok(outcome)
    }

    /// Looks up on the primary the writes that were acknowledged since the last call.
    async fn look_up(&self) -> anyhow::Result<kept::Kept> {
        let ledger = std::mem::take(&mut *self.client.ledger.lock().unwrap_or_else(PoisonError::into_inner));
        let query = async |statement: &str| {
            let found = act(self.options, &format!("on_primary \"{statement}\""), 1, "").await?;
            Ok(found.lines().map(str::to_owned).collect())
        };
        kept::rows_and_pictures(ledger, &self.client, query).await
    }
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
    let is_spared = |kind: &&Kind| fault.spared.iter().any(|spared| spared == kind.name());
    kinds.iter().filter(|kind| !is_spared(kind)).map(gap).max().unwrap_or_default()
}

/// Neither a success nor an answer that tells the client when to retry.
fn is_wrong(sample: &Sample) -> bool {
    let is_told = matches!(sample.answer, Answer::Status(503 | 429)) && sample.has_retry_after;
    !sample.answer.is_good() && !is_told
}

fn judge(fault: &Fault, outcome: &mut Outcome, outages: [Duration; 2]) {
    for (what, took) in ["reads", "writes"].into_iter().zip(outages) {
        let text = format!("{what} failed for {:.1} s (limit {} s)", took.as_secs_f64(), fault.limit);
        outcome.check(took <= Duration::from_secs(fault.limit), text);
    }
    let wrong: Vec<_> = outcome.samples.iter().filter(|sample| is_wrong(sample)).cloned().collect();
    for (answer, said) in (Outcome { samples: wrong, ..Outcome::default() }).unwanted(&[]) {
        outcome.broken.push(format!("{answer}: {said}"));
    }
}
