//! Compares the speed of the image storage with nginx serving the same files, with copying a file with fsync, and with the
//! image library without a server.

mod cards;
mod client;
mod nginx;
mod photo;
mod reading;
mod rendering;
mod uploads;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;

use crate::machine;
use crate::speed::product::{Product, ProductOptions};
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

/// Prints rows, and collects the exceeded limits.
#[derive(Default)]
struct Report {
    broken: Vec<String>,
    raw: String,
}

impl Report {
    fn show(&mut self, row: &str) {
        println!("{row}");
    }

    fn breaks(&mut self, name: &str, what: Vec<String>) {
        self.broken.extend(what.into_iter().map(|what| format!("{name}: {what}")));
    }
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
    let client = Client::new(&options.product.url, &options.service_key)?;
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
    let mut report = Report::default();
    let wants = |part: &str| options.only.is_empty() || options.only.iter().any(|only| only == part);
    if wants("reading") {
        reading::run(&bench, &mut report).await?;
    }
    if wants("uploads") {
        uploads::run(&bench, &mut report).await?;
    }
    if wants("rendering") {
        rendering::run(&bench, &mut report).await?;
    }
    if wants("cards") {
        cards::run(&bench, &mut report).await?;
    }
    println!("\nload average {} after\n\n{}", machine::load(), report.raw);
    std::fs::write(options.raw.join("rounds.txt"), &report.raw)?;
    for what in &report.broken {
        println!("BROKEN {what}");
    }
    Ok(report.broken.is_empty())
}

/// One line of the raw output.
fn line(what: &str, values: &[f64], decimals: usize) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:.decimals$}")).collect();
    format!("  {what}: {}\n", values.join(" "))
}
