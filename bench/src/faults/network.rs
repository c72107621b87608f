//! Faults of the network between the product and its database.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use test_support::faulty_proxy::Fault as Path;
use tokio::task::JoinSet;

use super::outcome::{Limits, NONE, Outcome, UNAVAILABLE};
use super::sampling::{Answer, Kind};
use super::stage::Stage;
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
/// Number of pictures that are replaced while responses to commits are lost.
const PICTURES: usize = 240;
const DELAY: Duration = Duration::from_millis(200);

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "connections-cut",
        about: "all connections to the database are cut, five times",
        limits: Limits::new(UNAVAILABLE, 3, 2),
        run: |lab| cut(lab).boxed_local(),
    },
    Fault {
        name: "commit-unanswered",
        about: "the database executes every statement, but all responses are lost, then the connections",
        limits: Limits::new(UNAVAILABLE, 10, 2),
        run: |lab| unanswered(lab).boxed_local(),
    },
    Fault {
        name: "database-delayed",
        about: "200 ms more each way to the database, for 10 s",
        limits: Limits::new(NONE, 10, 5),
        run: |lab| hold(lab, Path::Delay(DELAY), 10).boxed_local(),
    },
    Fault {
        name: "black-hole",
        about: "the network drops all packets to the database for 16 s",
        limits: Limits::outage(11),
        run: |lab| black_hole(lab).boxed_local(),
    },
    Fault {
        name: "database-refuses",
        about: "the database refuses connections for 8 s",
        limits: Limits::outage(2),
        run: |lab| hold(lab, Path::Refuse, 8).boxed_local(),
    },
];

async fn hold(lab: &mut SharedProducts<'_>, fault: Path, seconds: u32) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    stage
        .observe(
            seconds * SECOND,
            async |stage| {
                stage.proxy()?.set(fault);
                Ok(())
            },
            async |stage| {
                stage.proxy()?.forward().await;
                Ok(())
            },
        )
        .await
}

/// Returns how long it took until `/ready` answered 503.
async fn until_unready(http: &reqwest::Client, url: &str) -> Duration {
    let began = std::time::Instant::now();
    loop {
        let answer = http.get(url).send().await;
        if answer.is_ok_and(|answer| answer.status() == reqwest::StatusCode::SERVICE_UNAVAILABLE) {
            return began.elapsed();
        }
        tokio::time::sleep(SECOND / 10).await;
    }
}

async fn black_hole(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let mut noticed = None;
    let stage = lab.external().await?;
    let mut outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                stage.proxy()?.set(Path::BlackHole);
                let lasts = tokio::time::sleep(16 * SECOND);
                let http = reqwest::Client::builder().no_proxy().timeout(SECOND).build()?;
                let url = stage.product.ready_url();
                let answers_503 = tokio::time::timeout(12 * SECOND, until_unready(&http, &url));
                let (took, ()) = tokio::join!(answers_503, lasts);
                noticed = took.ok();
                Ok(())
            },
            async |stage| {
                stage.proxy()?.forward().await;
                Ok(())
            },
        )
        .await?;
    // A success counts for 3 s while the next check hangs.
    let limit = 4 * SECOND;
    outcome.check(
        noticed.is_some_and(|took| took <= limit),
        format!("/ready responded 503 after {noticed:?}, not within {limit:?}"),
    );
    let silent = |kind: Kind| {
        let of_kind = outcome.samples.iter().filter(|sample| sample.kind == kind);
        of_kind.filter(|sample| sample.answer == Answer::Silent).count()
    };
    let unanswered: Vec<_> = Kind::ALL.into_iter().filter(|kind| silent(*kind) > 0).map(Kind::name).collect();
    if !unanswered.is_empty() {
        outcome.note(format!("no response: {}", unanswered.join(", ")));
    }
    Ok(outcome)
}

async fn cut(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let cuts = async |stage: &mut Stage| {
        for _ in 0..5 {
            stage.proxy()?.cut();
            tokio::time::sleep(Duration::from_millis(700)).await;
        }
        Ok(())
    };
    stage.observe(Duration::ZERO, cuts, async |_| Ok(())).await
}

/// Commits whose response is lost: only the database knows whether they happened.
async fn unanswered(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let lose = async |stage: &mut Stage| {
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
        for _ in 0..4 {
            // Long enough for a whole transaction to begin before and commit after.
            for _ in 0..6 {
                stage.proxy()?.set(Path::SilentAnswers);
                tokio::time::sleep(Duration::from_millis(20)).await;
                stage.proxy()?.cut();
                stage.proxy()?.set(Path::None);
                tokio::time::sleep(Duration::from_millis(130)).await;
            }
            tokio::time::sleep(Duration::from_millis(400)).await;
        }
        while replacing.join_next().await.is_some() {}
        Ok(())
    };
    stage.observe(Duration::ZERO, lose, async |_| Ok(())).await
}
