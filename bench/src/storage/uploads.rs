//! Compares uploads with copying the file with fsync on the same file system.

use std::fs::{self, File};
use std::path::Path;
use std::time::Instant;

use bytes::Bytes;
use rand::RngCore;

use super::{BUCKET, Options};
use crate::report::{self, median};

const MEGABYTE: usize = 1024 * 1024;
const BINARY: &str = "application/octet-stream";
/// Uploads of a round, and as many copies.
const FILES: usize = 4;
const LEAST_SHARE: f64 = 0.3;

/// # Errors
/// When an upload fails.
pub async fn run(options: &Options, broken: &mut Vec<String>) -> anyhow::Result<()> {
    let mut content = vec![0; 5 * MEGABYTE];
    rand::rng().fill_bytes(&mut content);
    let source = options.product.data_dir.join("bench-source");
    fs::write(&source, &content)?;
    let content = Bytes::from(content);
    let (mut uploads, mut copies) = (Vec::new(), Vec::new());
    for round in 0..=options.rounds {
        for number in 0..FILES {
            let path = format!("{BUCKET}/upload-{round}-{number}");
            let began = Instant::now();
            options.put(&path, BINARY, content.clone()).await?;
            let upload = began.elapsed();
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
    fs::remove_file(source)?;
    let (upload, copy) = (median(&uploads), median(&copies));
    let share = report::at_least("upload of 5 MB, of copying", copy / upload, LEAST_SHARE, broken);
    println!("\nUpload of 5 MB: {upload:.1} ms, copy with fsync {copy:.1} ms: {share}");
    Ok(())
}

/// As durable as a stored object: the file and its name survive a crash.
fn copy(source: &Path, target: &Path) -> anyhow::Result<()> {
    fs::copy(source, target)?;
    File::open(target)?.sync_all()?;
    File::open(target.parent().unwrap_or(Path::new("/")))?.sync_all()?;
    Ok(())
}
