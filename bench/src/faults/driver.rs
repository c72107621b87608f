//! Injects a fault under load: breaks, waits, mends, and waits until every service responds normally. Then checks the
//! acknowledged writes.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use anyhow::Context;
use test_support::cluster::Cluster;
use test_support::faulty_proxy::Fault as Path;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::checks::{self, Check, Seen};
use super::kept;
use super::load::{Load, recovery};
use super::outcome::Outcome;
use super::sampling::Kind;
use super::stage::Stage;
use super::system;
use super::table::{Act, Fault};

/// Load before the fault, so that connections are warm.
const QUIET: Duration = Duration::from_millis(1500);
/// Load after the fault, to detect errors that persist.
const AFTERWARDS: Duration = Duration::from_millis(1500);
/// If recovery takes longer, the product counts as not recovering on its own.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(20);
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
        act(stage, fault.breaks, &mut seen).await.context("injecting the fault")?;
        let holding = sleep(Duration::from_secs(fault.hold));
        let (during, ()) = tokio::join!(seen.during(stage, fault), holding);
        during?;
        act(stage, fault.mends, &mut seen).await.context("removing the fault")
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
    let patience = if fault.checks.contains(&Check::MailDelivered) {
        checks::MAIL_PATIENCE
    } else {
        Duration::from_secs(3)
    };
    match kept::look_up(ledger, &stage.database, &stage.client, &stage.mails, patience).await {
        Ok(kept) => outcome.kept = kept,
        Err(error) => outcome.broken.push(format!("{error:#}")),
    }
    seen.after(stage, fault, &mut outcome).await?;
    Ok(outcome)
}

async fn act(stage: &mut Stage, act: Act, seen: &mut Seen) -> anyhow::Result<()> {
    match act {
        Act::Nothing => {}
        Act::Sh(script) => {
            let script = format!("{}\n{script}", include_str!("acts.sh"));
            system::run_with("bash", &["-c", &script], &stage.variables()).await?;
        }
        Act::Network(Path::None) => stage.proxy()?.forward().await,
        Act::Network(path) => stage.proxy()?.set(path),
        Act::Mail(mode) => stage.mails.set(mode),
        Act::Log(reader) => stage.product.set_log_reader(reader),
        Act::StopPostgres => stage.on_cluster(Cluster::stop).await?,
        Act::StartPostgres => stage.on_cluster(Cluster::launch).await?,
        Act::CutConnections => {
            for _ in 0..5 {
                stage.proxy()?.cut();
                sleep(Duration::from_millis(700)).await;
            }
        }
        Act::LoseAnswers => lose_answers(stage).await?,
        Act::Terminate => {
            let began = Instant::now();
            let status = stage.product.terminate().await?;
            seen.notes.push(format!("stopped in {:.1} s", began.elapsed().as_secs_f64()));
            seen.check(status.success(), format!("it exited with {status}"));
        }
        Act::Start => drop(stage.product.start().await?),
        Act::StartWithoutDatabase => {
            stage.product.terminate().await?;
            stage.proxy()?.refuse().await;
            stage.product.launch()?;
        }
        Act::BringDatabaseBack => {
            stage.proxy()?.forward().await;
            stage.product.wait_until_ready().await?;
        }
        Act::KillThrice => {
            let mut slowest = Duration::ZERO;
            for _ in 0..3 {
                stage.product.kill().await?;
                slowest = slowest.max(stage.product.start().await?);
                sleep(Duration::from_secs(2)).await;
            }
            seen.notes.push(format!("ready again {:.1} s after the restart", slowest.as_secs_f64()));
        }
        Act::Flood(flood) => seen.notes.push(flood.run(stage).await?),
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
