//! Compares the speed of the image storage with nginx serving the same files, and with copying a file with fsync.

mod nginx;
mod reading;
mod uploads;

use std::path::PathBuf;

use anyhow::ensure;
use bytes::Bytes;
use clap::Args;
use reqwest::Method;
use serde_json::json;

use crate::product::{self, Product};
use crate::{machine, report};

/// Connections of wrk.
const CONNECTIONS: usize = 16;
/// The output of wrk, and what it sent.
const OUTPUT: &str = "target/bench-storage";
/// A public bucket without rules for its content, which exists only during the benchmark.
const BUCKET: &str = "serasi-bench";

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: Product,
    /// Path of nginx
    #[arg(long, default_value = "nginx")]
    nginx: PathBuf,
    /// Port of nginx
    #[arg(long)]
    nginx_port: u16,
    /// Number of alternating rounds, whose medians are compared with the limits
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

impl Options {
    /// Stores an object, which may exist. `path` begins with the bucket.
    async fn put(&self, path: &str, content_type: &str, content: Bytes) -> anyhow::Result<()> {
        let request = self.product.as_service(Method::POST, &format!("/storage/v1/object/{path}"));
        let request = request.header("content-type", content_type).header("x-upsert", "true");
        product::body(request.body(content)).await.map(drop)
    }
}

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When a program is missing, or a request fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.rounds > 0 && options.seconds > 0, "nothing to measure");
    std::fs::create_dir_all(OUTPUT)?;
    let bucket = json!({ "name": BUCKET, "public": true });
    options.product.send(Method::POST, "/storage/v1/bucket", &bucket).await?;
    println!(
        "{} cores, load average {} before; {} connections, {} rounds of {} s each, medians; wrk with one thread\n",
        machine::cores(),
        machine::load(),
        CONNECTIONS,
        options.rounds,
        options.seconds,
    );
    let mut broken = Vec::new();
    reading::run(options, &mut broken).await?;
    uploads::run(options, &mut broken).await?;
    println!("\nload average {} after", machine::load());
    Ok(report::end(&broken))
}
