//! Faults of the database server.

use std::time::Duration;

use futures::FutureExt;

use super::outcome::{Limits, Outcome, UNAVAILABLE};
use super::sampling::{Answer, Kind};
use super::stage::Wanted;
use super::system::{children, fill_disk, signal, wait_until};
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
const READ_ONLY: &[Answer] = &[Answer::Status(405), Answer::Status(503)];
const SLOW: &[Answer] = &[Answer::Status(503), Answer::Status(504)];

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
    Fault {
        name: "connections-exhausted",
        about: "other clients use all of PostgreSQL's connections for 6 s",
        limits: Limits::outage(3),
        run: |lab| exhausted(lab).boxed_local(),
    },
    Fault {
        name: "row-locked",
        about: "another transaction locks a row for 8 s",
        limits: Limits::new(UNAVAILABLE, 10, 2),
        run: |lab| row_locked(lab).boxed_local(),
    },
    Fault {
        name: "table-locked",
        about: "another transaction locks two tables for 8 s (like a migration)",
        limits: Limits::new(SLOW, 10, 2),
        run: |lab| table_locked(lab).boxed_local(),
    },
    Fault {
        name: "read-only",
        about: "the server is read-only for 4 s (as a replica after a failover)",
        limits: Limits::new(READ_ONLY, 10, 2),
        run: |lab| read_only(lab).boxed_local(),
    },
    Fault {
        name: "disk-full",
        about: "the disk of the embedded database is full, including WAL, for 8 s",
        limits: Limits::new(UNAVAILABLE, 10, 5),
        run: |lab| disk_full(lab).boxed_local(),
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

async fn exhausted(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let url = stage.cluster()?.url();
    let sql = stage.sql().await?;
    // Leaves the connections reserved for superusers.
    let role = "do $$ begin create role others login; exception when duplicate_object then null; end $$";
    sql.batch_execute(role).await?;
    let url = url.replace("postgres@", "others@");
    let mut held = Vec::new();
    stage
        .observe(
            6 * SECOND,
            async |_| {
                let terminate = "select pg_terminate_backend(pid) from pg_stat_activity
                    where usename in ('authenticator', 'auth_admin', 'storage_admin')";
                // Terminates the product's connections that come back in the meantime.
                for _ in 0..3 {
                    sql.query(terminate, &[]).await?;
                    while let Ok(connection) = crate::reader::connect(&url).await {
                        held.push(connection);
                    }
                }
                Ok(())
            },
            async |_| {
                // Dropping a client closes its connection.
                sql.query(
                    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'others'",
                    &[],
                )
                .await?;
                Ok(())
            },
        )
        .await
}

/// Holds locks for the duration of the fault.
async fn locked(lab: &mut SharedProducts<'_>, lock: &'static str) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let other = stage.sql().await?;
    stage
        .observe(
            8 * SECOND,
            async |_| Ok(other.batch_execute(&format!("begin; {lock}")).await?),
            async |_| Ok(other.batch_execute("rollback").await?),
        )
        .await
}

async fn row_locked(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let outcome = locked(lab, "select from app.agencies for update").await;
    outcome.map(|mut outcome| {
        let longest = outcome.longest_of(Kind::Read).as_secs_f64();
        outcome.note(format!("reads of the same row took up to {longest:.1} s"));
        outcome
    })
}

async fn table_locked(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    locked(lab, "lock table app.agencies, app.gigs in access exclusive mode").await
}

async fn read_only(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.external().await?;
    let sql = stage.sql().await?;
    let switch = async |value: &str| {
        // This connection is read-only too by then, but `alter system` is allowed.
        sql.batch_execute(&format!("alter system set default_transaction_read_only = {value}")).await?;
        sql.batch_execute("select pg_reload_conf()").await
    };
    let mut outcome = stage
        .observe(4 * SECOND, async |_| Ok(switch("on").await?), async |_| Ok(switch("off").await?))
        .await?;
    let reads =
        outcome.samples.iter().filter(|sample| sample.kind == Kind::Read && !sample.answer.is_good()).count();
    outcome.check(reads == 0, format!("{reads} reads failed"));
    Ok(outcome)
}

async fn disk_full(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let mut stage = lab.fresh(Wanted { small_disk: Some(320), ..Wanted::default() }).await?;
    let disk = stage.product.data_dir().to_owned();
    let mut filler = None;
    let mut outcome = stage
        .observe(
            8 * SECOND,
            async |stage| {
                let sql = stage.sql().await?;
                filler = Some(fill_disk(&disk).await?);
                // More than the recycled WAL segments. The server may close the connection because of it.
                let write = "select pg_logical_emit_message(false, 'faults', repeat('x', 1000000)) from generate_series(1, 120)";
                let _ = tokio::time::timeout(10 * SECOND, sql.batch_execute(write)).await;
                Ok(())
            },
            async |_| {
                tokio::fs::remove_file(disk.join("filler")).await?;
                Ok(())
            },
        )
        .await?;
    let failed = |kind: Kind| {
        let failed =
            outcome.samples.iter().filter(move |sample| sample.kind == kind && !sample.answer.is_good());
        failed.map(|sample| sample.began).collect::<Vec<_>>()
    };
    let (reads, writes) = (failed(Kind::Read), failed(Kind::Write));
    let lasted = reads.iter().max().zip(reads.iter().min()).map(|(last, first)| *last - *first);
    let lasted = lasted.unwrap_or_default();
    outcome.note(format!(
        "{} inserts failed; {} reads failed within {:.1} s",
        writes.len(),
        reads.len(),
        lasted.as_secs_f64()
    ));
    // PostgreSQL restarts when it can't write WAL.
    outcome.check(lasted <= SECOND, format!("reads failed for {:.1} s", lasted.as_secs_f64()));
    Ok(outcome)
}
