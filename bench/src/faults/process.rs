//! Faults of the product's own process and its log.

use std::time::Duration;

use futures::FutureExt;
use tokio::net::TcpStream;

use super::outcome::{GONE, Limits, NONE, Outcome};
use super::product::{Log, LogReader};
use super::sampling::Answer;
use super::stage::{Stage, Wanted};
use super::system::{fill_disk, signal};
use super::{Fault, SharedProducts};

const SECOND: Duration = Duration::from_secs(1);
const STOPPED: &[Answer] = &[Answer::Refused, Answer::Status(503)];

pub const FAULTS: &[Fault] = &[
    Fault {
        name: "serasi-killed",
        about: "kill -9 of serasi during writes, then a restart, three times",
        limits: Limits::new(GONE, 10, 2),
        run: |lab| killed(lab).boxed_local(),
    },
    Fault {
        name: "serasi-terminated",
        about: "SIGTERM under load, then a restart",
        limits: Limits::new(STOPPED, 10, 2),
        run: |lab| terminated(lab).boxed_local(),
    },
    Fault {
        name: "serasi-stopped",
        about: "SIGSTOP of serasi for 5 s",
        limits: Limits::new(NONE, 8, 2),
        run: |lab| stopped(lab).boxed_local(),
    },
    Fault {
        name: "descriptors-exhausted",
        about: "limit of 200 file descriptors while other clients hold 300 connections for 4 s",
        limits: Limits::new(GONE, 15, 5),
        run: |lab| descriptors(lab).boxed_local(),
    },
    Fault {
        name: "log-reader-dead",
        about: "the reader of serasi's stderr has exited",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| log(lab, LogReader::Dead).boxed_local(),
    },
    Fault {
        name: "log-reader-stalled",
        about: "the reader of serasi's stderr has stopped reading",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| log(lab, LogReader::Stalled).boxed_local(),
    },
    Fault {
        name: "log-disk-full",
        about: "the disk that receives stderr is full",
        limits: Limits::new(NONE, 5, 2),
        run: |lab| log_disk(lab).boxed_local(),
    },
];

async fn killed(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.embedded().await?;
    let mut starts = Vec::new();
    let mut outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                for round in 0..3 {
                    stage.product.kill().await?;
                    starts.push(stage.product.start_again().await?);
                    if round < 2 {
                        tokio::time::sleep(2 * SECOND).await;
                    }
                }
                Ok(())
            },
            async |_| Ok(()),
        )
        .await?;
    let slowest = starts.iter().max().copied().unwrap_or_default();
    outcome.note(format!("ready again {:.1} s after the restart", slowest.as_secs_f64()));
    Ok(outcome)
}

async fn terminated(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.embedded().await?;
    let mut took = Duration::ZERO;
    let mut status = None;
    let mut outcome = stage
        .observe(
            Duration::ZERO,
            async |stage| {
                let began = tokio::time::Instant::now();
                status = Some(stage.product.terminate().await?);
                took = began.elapsed();
                Ok(())
            },
            async |stage| stage.product.start_again().await.map(drop),
        )
        .await?;
    outcome.note(format!("stopped in {:.1} s", took.as_secs_f64()));
    outcome.check(status.is_some_and(|status| status.success()), format!("it exited with {status:?}"));
    Ok(outcome)
}

async fn stopped(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let stage = lab.embedded().await?;
    let pid = stage.product.pid();
    stage
        .observe(
            5 * SECOND,
            async |_| {
                signal("-STOP", &[pid]).await;
                Ok(())
            },
            async |_| {
                signal("-CONT", &[pid]).await;
                Ok(())
            },
        )
        .await
}

async fn descriptors(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let mut stage = lab.fresh(Wanted { external: true, descriptors: Some(200), ..Wanted::default() }).await?;
    let address = ("127.0.0.1", stage.product.port());
    let mut held = Vec::new();
    let hold = async |_: &mut Stage| {
        for _ in 0..300 {
            // The kernel accepts connections that the product can't.
            if let Ok(Ok(stream)) = tokio::time::timeout(SECOND, TcpStream::connect(address)).await {
                held.push(stream);
            }
        }
        tokio::time::sleep(4 * SECOND).await;
        held.clear();
        Ok(())
    };
    stage.observe(Duration::ZERO, hold, async |_| Ok(())).await
}

async fn log(lab: &mut SharedProducts<'_>, reader: LogReader) -> anyhow::Result<Outcome> {
    // Logs enough to fill a pipe within a second.
    let env = [("RUST_LOG", "debug".to_owned())].into();
    let mut stage = lab.fresh(Wanted { external: true, log: Log::Pipe, env, ..Wanted::default() }).await?;
    let set = async |stage: &mut Stage, reader| {
        stage.product.set_log_reader(reader);
        Ok(())
    };
    // An exited reader does not return: the product must recover without it.
    let after = if reader == LogReader::Dead { LogReader::Dead } else { LogReader::Reads };
    stage
        .observe(8 * SECOND, async |stage| set(stage, reader).await, async |stage| set(stage, after).await)
        .await
}

async fn log_disk(lab: &mut SharedProducts<'_>) -> anyhow::Result<Outcome> {
    let disk = std::env::temp_dir().join(format!("serasi-faults-log-{:08x}", rand::random::<u32>()));
    let outcome = async {
        let wanted = Wanted {
            external: true,
            log: Log::Disk(disk.clone()),
            env: [("RUST_LOG", "info".to_owned())].into(),
            ..Wanted::default()
        };
        let mut stage = lab.fresh(wanted).await?;
        let fill = async |_: &mut Stage| fill_disk(&disk).await.map(drop);
        stage
            .observe(4 * SECOND, fill, async |_| Ok(tokio::fs::remove_file(disk.join("filler")).await?))
            .await
    };
    let outcome = outcome.await;
    let _ = std::fs::remove_dir(&disk);
    outcome
}
