//! Simulates users at a steady rate for minutes. Fails on errors, growth or unanswered requests.

use std::fs;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use clap::Args;
use tokio::time::sleep;
use tokio_postgres::Client as Database;

use crate::faults::client::Client;
use crate::faults::load::Load;
use crate::faults::sampling::{Kind, Sample};
use crate::machine;
use crate::product::Product;
use crate::report::{median, percentile};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    product: Product,
    /// How many minutes to run
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Number of concurrent members, each with about 25 requests per second
    #[arg(long, default_value_t = 3)]
    people: usize,
}

const INTERVAL: Duration = Duration::from_secs(5);
/// What is watched, and the limit for its growth between the medians of the first and the last third. Smaller changes are
/// noise from allocators and caches.
const WATCHED: [(&str, f64); 4] = [
    ("memory of serasi, MB", 64.0),
    ("memory of PostgreSQL, MB", 128.0),
    ("open descriptors", 24.0),
    ("database connections", 10.0),
];
type Watched = [f64; WATCHED.len()];

/// # Errors
/// When the server is unreachable.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let product = &options.product;
    let database = product.sql().await?;
    let mut clients = Vec::new();
    for _ in 0..options.people {
        let (anon, service) = (product.anon_key.clone(), product.service_role_key.clone());
        clients.push(Client::new(product.url.clone(), anon, service).await?);
    }
    println!("{} members for {} minutes", options.people, options.minutes);
    let until = Instant::now() + Duration::from_secs(options.minutes * 60);
    let loads: Vec<_> = clients.iter().map(|client| Load::start(client, &Kind::SOAKED)).collect();
    let (mut watched, mut samples) = (Vec::new(), Vec::new());
    while Instant::now() < until {
        sleep(INTERVAL).await;
        watched.push(watch(&database, product.pid).await?);
        // An agency may have 500 gigs.
        database.batch_execute("delete from app.gigs where title like 'gig %'").await?;
        for client in &clients {
            samples.append(&mut client.samples.lock().unwrap_or_else(PoisonError::into_inner));
            drop(std::mem::take(&mut *client.ledger.lock().unwrap_or_else(PoisonError::into_inner)));
        }
    }
    for load in loads {
        samples.extend(load.stop().await);
    }
    let mut failures = growth(&watched);
    for sample in samples.iter().filter(|sample| !sample.answer.is_good()) {
        failures.push(format!("{}: {} {}", sample.kind.name(), sample.answer, sample.said));
    }
    failures.iter().for_each(|failure| println!("BROKEN {failure}"));
    let took: Vec<f64> = samples.iter().map(|sample: &Sample| sample.took.as_secs_f64() * 1000.0).collect();
    let (count, p95, broken) = (samples.len(), percentile(&took, 0.95), failures.len());
    println!("{count} requests, p95 {p95:.1} ms: {broken} failures or kinds of growth");
    Ok(failures.is_empty())
}

async fn watch(database: &Database, pid: u32) -> anyhow::Result<Watched> {
    let row = database.query_one("select count(*), array_agg(pid) from pg_stat_activity", &[]).await?;
    // Processes divide the memory that they share.
    let backends: f64 = row
        .try_get::<_, Vec<Option<i32>>>(1)?
        .into_iter()
        .flatten()
        .map(|pid| machine::proportional_megabytes(pid.unsigned_abs()))
        .sum();
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, Iterator::count);
    let serasi = machine::resident_megabytes(pid).unwrap_or(0) as f64;
    Ok([serasi, backends, descriptors as f64, row.try_get::<_, i64>(0)? as f64])
}

fn growth(watched: &[Watched]) -> Vec<String> {
    let third = watched.len() / 3;
    let mut failures = Vec::new();
    for (at, (name, most)) in WATCHED.iter().enumerate().filter(|_| third > 0) {
        let middle = |part: &[Watched]| median(&part.iter().map(|values| values[at]).collect::<Vec<_>>());
        let (first, last) = (middle(&watched[..third]), middle(&watched[watched.len() - third..]));
        if last - first > *most && last > first * 1.25 {
            failures.push(format!("{name}: {first:.0} in the first third, {last:.0} in the last"));
        }
    }
    failures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_beyond_the_bounds_is_reported() {
        let watched = |serasi: f64, descriptors: f64| [serasi, 0.0, descriptors, 0.0];
        let steady: Vec<_> = (0..9).map(|n| watched(100.0 + f64::from(n), 50.0)).collect();
        assert_eq!(growth(&steady), [""; 0]);
        let growing: Vec<_> =
            (0..9).map(|n| watched(100.0 + 20.0 * f64::from(n), 50.0 + 10.0 * f64::from(n))).collect();
        let found = growth(&growing);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], "memory of serasi, MB: 120 in the first third, 240 in the last");
    }
}
