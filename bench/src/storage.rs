//! Compares the speed of the image storage with nginx serving the same files, with copying a file with fsync, and with the
//! image library without a server.

mod client;
mod nginx;
mod photo;
mod reading;
mod rendering;
mod uploads;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::product::{Product, ProductOptions};
use crate::{machine, report};
use client::Client;
use nginx::Nginx;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: ProductOptions,
    /// Service key, to create a bucket and to upload
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_key: String,
    /// Path of nginx
    #[arg(long, default_value = "nginx")]
    nginx: PathBuf,
    /// Port of nginx
    #[arg(long)]
    nginx_port: u16,
    /// Measure only these parts: reading, uploads, rendering, cards
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// Number of alternating rounds, whose medians are compared with the limits
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Number of wrk's connections
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Folder for the output of wrk
    #[arg(long, default_value = "target/bench-storage")]
    raw: PathBuf,
}

struct Bench<'a> {
    options: &'a Options,
    product: Product,
    client: Client,
}

/// Runs the measurements and returns whether all limits are kept.
///
/// # Errors
/// When a program is missing, or a request fails.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    ensure!(options.rounds > 0 && options.seconds > 0 && options.connections > 0, "nothing to measure");
    std::fs::create_dir_all(&options.raw).with_context(|| options.raw.display().to_string())?;
    let product = Product::connect(&options.product).await?;
    let client = Client::new(&product.url, &options.service_key)?;
    client.make_bucket().await?;
    let bench = Bench { options, product, client };
    println!(
        "{} cores, load average {} before; {}; {} connections, {} rounds of {} s each, medians; wrk with one thread\n",
        machine::cores(),
        machine::load(),
        Nginx::version(&options.nginx)?,
        options.connections,
        options.rounds,
        options.seconds,
    );
    let mut broken = Vec::new();
    let wants = |part: &str| options.only.is_empty() || options.only.iter().any(|only| only == part);
    if wants("reading") {
        reading::run(&bench, &mut broken).await?;
    }
    if wants("uploads") {
        uploads::run(&bench, &mut broken).await?;
    }
    if wants("rendering") {
        rendering::render(&bench, &mut broken).await?;
    }
    if wants("cards") {
        rendering::cards(&bench, &mut broken).await?;
    }
    println!("\nload average {} after", machine::load());
    Ok(report::end(&broken))
}
