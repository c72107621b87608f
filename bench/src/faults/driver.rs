//! Injects a fault under load: breaks, waits, mends, and waits until every service responds normally. Then checks the
//! acknowledged writes.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::{Context, bail};
use test_support::cluster::Cluster;
use test_support::faulty_proxy::{Fault as Path, FaultyProxy};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::checks::Seen;
use super::load::{Load, recovery};
use super::outcome::Outcome;
use super::sampling::Kind;
use super::stage::Stage;
use super::table::Fault;
use super::{floods, kept};

/// Load before the fault, so that connections are warm.
const QUIET: Duration = Duration::from_millis(1500);
/// Load after the fault, to detect errors that persist.
const AFTERWARDS: Duration = Duration::from_millis(1500);
/// If recovery takes longer, the product counts as not recovering on its own.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);
/// Additional delay of each direction.
const DELAY: Duration = Duration::from_millis(200);
/// Number of pictures that are replaced while responses to commits are lost.
const PICTURES: usize = 240;

/// # Errors
/// When the fault can't be injected.
pub async fn run(stage: &mut Stage, fault: &Fault) -> anyhow::Result<Outcome> {
    let mut seen = Seen::before(stage, fault).await?;
    let load = Load::start(&stage.client, &Kind::ALL);
    sleep(QUIET).await;
    let began = Instant::now();
    let mut outcome = Outcome { began: Some(began), ..Outcome::default() };
    let produced = async {
        act(stage, &fault.breaks, &mut seen).await.context("injecting the fault")?;
        let holding = sleep(Duration::from_secs(fault.hold));
        let (during, ()) = tokio::join!(seen.during(stage, fault), holding);
        during?;
        act(stage, &fault.mend, &mut seen).await.context("removing the fault")
    };
    let produced = produced.await;
    let ended = stage.product.exited();
    if produced.is_ok() && ended.is_none() {
        outcome.recovered = recovery(&stage.client, RECOVERY_TIMEOUT).await;
        sleep(AFTERWARDS).await;
    }
    // Includes requests that began before the fault and were interrupted by it.
    outcome.samples = load.stop().await;
    outcome.samples.retain(|sample| sample.began + sample.took >= began);
    let ledger = std::mem::take(&mut *stage.client.ledger.lock().unwrap_or_else(PoisonError::into_inner));
    produced?;
    if let Some(ended) = ended.or_else(|| stage.product.exited()) {
        outcome.broken.push(ended);
        // Restart it like a supervisor would: acknowledged writes must survive that as well.
        stage.product.start().await.context("restarting it")?;
    } else if outcome.recovered.is_none() {
        let limit = RECOVERY_TIMEOUT.as_secs();
        outcome.broken.push(format!("not every service recovered within {limit} s"));
        // Data that can't be reached is not necessarily lost.
        stage.product.kill().await?;
        stage.product.start().await.context("restarting it")?;
    }
    match kept::look_up(ledger, stage, fault).await {
        Ok(kept) => outcome.kept = kept,
        Err(error) => outcome.broken.push(format!("{error:#}")),
    }
    seen.after(stage, fault, &mut outcome).await?;
    Ok(outcome)
}

async fn act(stage: &mut Stage, acts: &[String], seen: &mut Seen) -> anyhow::Result<()> {
    for act in acts {
        match act.split_once(' ').unwrap_or((act, "")) {
            ("network", what) => network(stage.proxy()?, what).await?,
            ("mail-network", what) => network(&stage.mails.proxy, what).await?,
            ("mail-server", what) => stage.mails.set(what)?,
            ("postgres", "stop") => stage.on_cluster(Cluster::stop).await?,
            ("postgres", _) => stage.on_cluster(Cluster::launch).await?,
            ("serasi", what) => serasi(stage, what, seen).await?,
            ("flood", what) => seen.notes.push(floods::run(what, stage).await?),
            ("lose-answers", _) => lose_answers(stage).await?,
            _ => stage.shell(act).await?,
        }
    }
    Ok(())
}

async fn network(proxy: &FaultyProxy, what: &str) -> anyhow::Result<()> {
    match what {
        "forward" => proxy.forward().await,
        "refuse" => proxy.refuse().await,
        "black-hole" => proxy.set(Path::BlackHole),
        "delay" => proxy.set(Path::Delay(DELAY)),
        "cut" => proxy.cut(),
        _ => bail!("a network can't {what}"),
    }
    Ok(())
}

async fn serasi(stage: &mut Stage, what: &str, seen: &mut Seen) -> anyhow::Result<()> {
    let began = Instant::now();
    match what {
        "kill" => stage.product.kill().await?,
        "terminate" => {
            let status = stage.product.terminate().await?;
            seen.notes.push(format!("stopped in {:.1} s", began.elapsed().as_secs_f64()));
            seen.check(status.success(), format!("it exited with {status}"));
        }
        "launch" => stage.product.launch()?,
        "ready" => stage.product.wait_until_ready().await?,
        "start" => {
            stage.product.start().await?;
            seen.notes.push(format!("ready again {:.1} s after the start", began.elapsed().as_secs_f64()));
        }
        _ => bail!("serasi can't {what}"),
    }
    Ok(())
}

/// Commits whose response is lost: only the database knows whether they happened.
async fn lose_answers(stage: &mut Stage) -> anyhow::Result<()> {
    // Enough pictures that some commits are always in flight. Each picture is stored once and replaced once.
    let pictures: Vec<_> = (0..PICTURES).map(|number| format!("doubted-{number}")).collect();
    for name in &pictures {
        stage.client.replace(name.clone(), 1).await;
    }
    let mut replacing = JoinSet::new();
    for names in pictures.chunks(PICTURES / 6) {
        let (client, names) = (Arc::clone(&stage.client), names.to_vec());
        replacing.spawn(async move {
            for name in names {
                client.replace(name, 2).await;
            }
        });
    }
    for turn in 1..=24 {
        stage.proxy()?.set(Path::SilentAnswers);
        sleep(Duration::from_millis(20)).await;
        stage.proxy()?.cut();
        stage.proxy()?.set(Path::None);
        // Long enough for a whole transaction to begin before and commit after.
        sleep(Duration::from_millis(if turn == 6 || turn == 12 || turn == 18 { 530 } else { 130 })).await;
    }
    while replacing.join_next().await.is_some() {}
    Ok(())
}
