//! Compares uploads with copying the file with fsync on the same file system, and measures the memory of many
//! concurrent uploads.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::future::try_join_all;
use rand::RngCore;

use super::Bench;
use super::client::BUCKET;
use crate::machine::resident_megabytes;
use crate::report;
use crate::statistics::median;

const MEGABYTE: usize = 1024 * 1024;
const BINARY: &str = "application/octet-stream";
/// Uploads of a round, and as many copies.
const FILES: usize = 4;
const LEAST_SHARE: f64 = 0.3;
const MANY: usize = 100;
const MOST_MEGABYTES: f64 = 100.0;

/// # Errors
/// When an upload fails.
pub async fn run(bench: &Bench<'_>, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let mut content = vec![0; 5 * MEGABYTE];
    rand::rng().fill_bytes(&mut content);
    let source = bench.options.product.data_dir.join("bench-source");
    fs::write(&source, &content)?;
    let content = Bytes::from(content);
    let (mut uploads, mut copies, mut stored) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=bench.options.rounds {
        for number in 0..FILES {
            let path = format!("{BUCKET}/upload-{round}-{number}");
            let began = Instant::now();
            bench.client.put(&path, BINARY, content.clone()).await?;
            let upload = began.elapsed();
            stored.push(path);
            let target = source.with_extension("copy");
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
    let (upload, copy) = (median(&uploads), median(&copies));
    let share = report::at_least("upload of 5 MB, of copying", copy / upload, Some(LEAST_SHARE), broken);
    println!("\nUpload of 5 MB: {upload:.1} ms, copy with fsync {copy:.1} ms: {share}");
    many(bench, broken).await
}

/// As durable as a stored object: the file and its name survive a crash.
fn copy(source: &Path, target: &Path) -> anyhow::Result<()> {
    fs::copy(source, target)?;
    File::open(target)?.sync_all()?;
    File::open(target.parent().unwrap_or(Path::new("/")))?.sync_all()?;
    Ok(())
}

async fn many(bench: &Bench<'_>, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let pid = bench.product.pid;
    let before = resident_megabytes(pid).unwrap_or_default();
    let content = Bytes::from(vec![7; 10 * MEGABYTE]);
    let paths: Vec<String> = (0..MANY).map(|number| format!("{BUCKET}/many-{number}")).collect();
    let began = Instant::now();
    let mut most = before;
    let uploads = try_join_all(paths.iter().map(|path| bench.client.put(path, BINARY, content.clone())));
    tokio::select! {
        uploaded = uploads => drop(uploaded?),
        () = async {
            loop {
                most = most.max(resident_megabytes(pid).unwrap_or_default());
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        } => {}
    }
    let took = began.elapsed();
    bench.client.remove(&paths).await?;
    let shown = |value: f64| format!("{value:.0} MB");
    let most = report::at_most("memory of 100 uploads", most as f64, Some(MOST_MEGABYTES), shown, broken);
    println!(
        "\n{MANY} uploads of 10 MB at once: {took:.1?}, memory {before} MB before, at most {most} during the uploads"
    );
    Ok(())
}
