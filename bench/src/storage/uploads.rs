//! Compares uploads with copying the file with fsync on the same file system, and measures the memory of many
//! concurrent uploads.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::try_join_all;
use rand::RngCore;

use super::client::BUCKET;
use super::{Bench, Report, line};
use crate::machine::resident_megabytes;
use crate::speed::report::{at_least, at_most};
use crate::statistics::median;

const MEGABYTE: usize = 1024 * 1024;
const SIZE: usize = 5 * MEGABYTE;
/// Uploads of a round, and as many copies.
const FILES: usize = 4;
const LEAST_SHARE: f64 = 0.7;
const MANY: usize = 100;
const EACH: usize = 10 * MEGABYTE;
const MOST_MEGABYTES: f64 = 100.0;

/// # Errors
/// When an upload fails.
pub async fn run(bench: &Bench<'_>, report: &mut Report) -> anyhow::Result<()> {
    let (uploads, copies) = alternate(bench).await?;
    let mut broken = Vec::new();
    let (upload, copy) = (median(&uploads), median(&copies));
    let share = at_least("share of copying", copy / upload, Some(LEAST_SHARE), &mut broken);
    report.show(&format!(
        "\n| upload of 5 MB | copy with fsync | ratio |\n|---|---|---|\n| {upload:.1} ms | {copy:.1} ms | {share} |"
    ));
    report.raw.push_str("uploads of 5 MB\n");
    report.raw.push_str(&line("upload, ms", &uploads, 1));
    report.raw.push_str(&line("copy, ms", &copies, 1));
    report.breaks("upload of 5 MB", broken);
    many(bench, report).await
}

async fn alternate(bench: &Bench<'_>) -> anyhow::Result<(Vec<f64>, Vec<f64>)> {
    let mut content = vec![0; SIZE];
    rand::rng().fill_bytes(&mut content);
    let source = bench.options.product.data_dir.join("bench-source");
    fs::write(&source, &content)?;
    let content = Bytes::from(content);
    let (mut uploads, mut copies, mut stored) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..bench.options.rounds + 1 {
        for number in 0..FILES {
            let path = format!("{BUCKET}/upload-{round}-{number}");
            let began = Instant::now();
            bench.client.put(&path, "application/octet-stream", content.clone()).await?;
            let upload = began.elapsed();
            stored.push(path);
            let target = bench.options.product.data_dir.join(format!("bench-copy-{round}-{number}"));
            let began = Instant::now();
            copy(&source, &target)?;
            let copying = began.elapsed();
            fs::remove_file(&target)?;
            // The first round warms up.
            if round > 0 {
                uploads.push(upload.as_secs_f64() * 1000.0);
                copies.push(copying.as_secs_f64() * 1000.0);
            }
        }
    }
    bench.client.remove(&stored).await?;
    fs::remove_file(source)?;
    Ok((uploads, copies))
}

/// As durable as a stored object: the file and its name survive a crash.
fn copy(source: &Path, target: &Path) -> anyhow::Result<()> {
    fs::copy(source, target)?;
    File::open(target)?.sync_all()?;
    File::open(target.parent().unwrap_or(Path::new("/")))?.sync_all()?;
    Ok(())
}

async fn many(bench: &Bench<'_>, report: &mut Report) -> anyhow::Result<()> {
    let pid = bench.product.pid;
    let before = resident_megabytes(pid).unwrap_or_default();
    let (stop, most) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(before)));
    let watching = {
        let (stop, most) = (Arc::clone(&stop), Arc::clone(&most));
        std::thread::spawn(move || {
            while !stop.load(Ordering::Relaxed) {
                most.fetch_max(resident_megabytes(pid).unwrap_or_default(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(10));
            }
        })
    };
    let content = Bytes::from(vec![7; EACH]);
    let paths: Vec<String> = (0..MANY).map(|number| format!("{BUCKET}/many-{number}")).collect();
    let began = Instant::now();
    let uploads =
        paths.iter().map(|path| bench.client.put(path, "application/octet-stream", content.clone()));
    let outcome = try_join_all(uploads).await;
    let took = began.elapsed();
    stop.store(true, Ordering::Relaxed);
    let _ = watching.join();
    outcome?;
    bench.client.remove(&paths).await?;
    let mut broken = Vec::new();
    let shown = |value: f64| format!("{value:.0} MB");
    let most =
        at_most("memory", most.load(Ordering::Relaxed) as f64, Some(MOST_MEGABYTES), shown, &mut broken);
    report.show(&format!(
        "\n{MANY} uploads of 10 MB at once: {:.1} s, memory {before} MB before, at most {most} during the uploads",
        took.as_secs_f64()
    ));
    report.breaks("100 uploads of 10 MB", broken);
    Ok(())
}
