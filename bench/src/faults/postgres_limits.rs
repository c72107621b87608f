//! The database server runs, but is limited: no free connections, locked rows, read-only, or a full disk.

use std::time::Duration;

use futures::FutureExt;

use super::outcome::{Limits, Outcome, UNAVAILABLE};
use super::sampling::{Answer, Kind};
use super::stage::Wanted;
use super::system::fill_disk;
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
const READ_ONLY: &[Answer] = &[Answer::Status(405), Answer::Status(503)];
const SLOW: &[Answer] = &[Answer::Status(503), Answer::Status(504)];

pub const FAULTS: &[Fault] = &[
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
                    where usename in ('authenticator', 'auth_admin', 'storage_admin', 'functions_admin')";
                // Terminates connections that the product reopens in the meantime.
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
                // Writes more than the recycled WAL segments hold. The server may close the connection
                // because of it.
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
