//! The database server crashes, stops or is absent.

use std::time::Duration;

use futures::FutureExt;

use super::outcome::{Limits, Outcome};
use super::sampling::Answer;
use super::system::{children, signal, wait_until};
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "postmaster-killed",
        about: "embedded PostgreSQL: kill -9 of the postmaster",
        limits: Limits::outage(5),
        run: |lab| postmaster_killed(lab).boxed_local(),
    },
    Fault {
        name: "postmaster-killed-external",
        about: "external PostgreSQL: kill -9 of the postmaster, back after 6 s",
        limits: Limits::outage(3),
        run: |lab| killed_external(lab).boxed_local(),
    },
    Fault {
        name: "backend-killed",
        about: "kill -9 of one backend: PostgreSQL ends all connections and recovers",
        limits: Limits::outage(3),
        run: |lab| backend_killed(lab).boxed_local(),
    },
    Fault {
        name: "postgres-stopped",
        about: "SIGSTOP of the postmaster and all backends for 14 s",
        limits: Limits::outage(11),
        run: |lab| stopped(lab).boxed_local(),
    },
    Fault {
        name: "postgres-restarted",
        about: "clean restart of an external PostgreSQL, down for 3 s",
        limits: Limits::outage(3),
        run: |lab| restarted(lab).boxed_local(),
    },
    Fault {
        name: "database-absent-at-start",
        about: "external database unreachable when serasi starts, for 6 s",
        limits: Limits::outage(3),
        run: |lab| absent_at_start(lab).boxed_local(),
    },
];

async fn postmaster_killed(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.embedded().await?;
    let pid = stage.postmaster().await?;
    let mut back = false;
    let mut outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                signal("-KILL", &[pid]).await;
                tokio::time::sleep(Duration::from_millis(200)).await;
                // The fault ends when PostgreSQL responds again, whether the product or the harness restarted it.
                let answers = wait_until("back", 15 * SECOND, async || stage.sql().await.is_ok());
                back = answers.await.is_ok();
                Ok(())
            },
            async |_| Ok(()),
        )
        .await?;
    outcome.check(back, "PostgreSQL was not restarted within 15 s");
    Ok(outcome)
}

async fn killed_external(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    stage
        .observe(
            6 * SECOND,
            async |stage| stage.cluster()?.kill().await,
            async |stage| stage.cluster()?.start_again().await,
        )
        .await
}

async fn backend_killed(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let kill = async |stage: &mut super::stage::Stage| {
        let own = "select pid from pg_stat_activity where usename = 'authenticator' limit 1";
        let pid: i32 = stage.sql().await?.query_one(own, &[]).await?.try_get(0)?;
        signal("-KILL", &[pid.unsigned_abs()]).await;
        wait_until("PostgreSQL recovers", 20 * SECOND, async || stage.sql().await.is_ok()).await
    };
    stage.observe(SECOND, kill, async |_| Ok(())).await
}

async fn stopped(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let pid = stage.cluster()?.postmaster();
    let everything = move || {
        let mut all = children(pid);
        all.push(pid);
        all
    };
    stage
        .observe(
            14 * SECOND,
            async |_| {
                // The postmaster first, so that it can't start new backends.
                signal("-STOP", &[pid]).await;
                signal("-STOP", &everything()).await;
                Ok(())
            },
            async |_| {
                signal("-CONT", &everything()).await;
                Ok(())
            },
        )
        .await
}

async fn restarted(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    stage
        .observe(
            3 * SECOND,
            async |stage| stage.cluster()?.stop().await,
            async |stage| stage.cluster()?.start_again().await,
        )
        .await
}

async fn absent_at_start(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let mut ready = None;
    let mut exited = None;
    let outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                stage.product.terminate().await?;
                stage.proxy()?.refuse().await;
                stage.product.launch_again()?;
                tokio::time::sleep(6 * SECOND).await;
                exited = stage.product.exited();
                ready =
                    reqwest::get(stage.product.ready_url()).await.ok().map(|answer| answer.status().as_u16());
                Ok(())
            },
            async |stage| {
                stage.proxy()?.forward().await;
                if stage.product.exited().is_some() {
                    // Restart it like an operator would, to measure the rest.
                    stage.product.start_again().await?;
                }
                stage.product.wait_until_ready().await.map(drop)
            },
        )
        .await;
    let mut outcome = outcome?;
    // PostgreSQL refused connections while it was stopped.
    outcome.samples.retain(|sample| !matches!(sample.answer, Answer::Refused | Answer::Cut));
    outcome.check(exited.is_none(), format!("does not wait: {}", exited.unwrap_or_default()));
    outcome.check(ready == Some(503), format!("/ready responds {ready:?}, not 503"));
    Ok(outcome)
}
