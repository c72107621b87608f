//! Simulates users at a steady rate for minutes. Fails on errors, growth or unanswered requests.

mod api;
mod people;
mod watch;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use futures::future::join_all;
use tokio::time::sleep;

use crate::reader;
use crate::statistics::percentile;
use api::Api;
use watch::{Sample, Watch};

#[derive(Args)]
pub struct Options {
    /// URL of the services, such as `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// Superuser URL of the database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_role_key: String,
    /// How many minutes to run
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// Number of concurrent visitors and members: one is an admin, and a fifth are members
    #[arg(long, default_value_t = 12)]
    people: usize,
    /// Process id of the server
    #[arg(long)]
    pid: u32,
    #[arg(long)]
    log: PathBuf,
    #[arg(long)]
    data_dir: PathBuf,
}

const SAMPLES: Duration = Duration::from_secs(5);
/// Limits for the growth between the medians of the first and the last third. Smaller changes are noise
/// from allocators and caches.
const MOST_MEMORY_MB: f64 = 64.0;
const MOST_DESCRIPTORS: f64 = 24.0;
const MOST_CONNECTIONS: f64 = 10.0;

/// # Errors
/// When the server is unreachable.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let database = reader::connect(&options.database).await?;
    let api = Api::new(&options.url, &options.anon_key, &options.service_role_key);
    let until = Instant::now() + Duration::from_secs(options.minutes * 60);
    println!("{} users for {} minutes", options.people, options.minutes);
    println!("{}", Sample::HEADER);
    let watch =
        Watch { database: &database, pid: options.pid, log: &options.log, data_dir: &options.data_dir };
    let everybody = join_all((0..options.people).map(|number| people::live(&api, number, until)));
    let (_, samples) = futures::future::join(everybody, observe(&api, &watch, until)).await;
    let samples = samples?;
    let mut failures = growth(&samples);
    let totals = api.totals();
    println!("\n{} requests, {:.0} ms at most", totals.took.len(), percentile(&totals.took, 1.0));
    for (error, (count, example)) in &totals.errors {
        failures.push(format!("{count} × {error}: {example}"));
    }
    for failure in &failures {
        println!("BROKEN {failure}");
    }
    println!("{}", if failures.is_empty() { "no errors, no growth" } else { "failed" });
    Ok(failures.is_empty())
}

/// Takes samples, and prints a line every minute.
async fn observe(api: &Api, watch: &Watch<'_>, until: Instant) -> anyhow::Result<Vec<Sample>> {
    let mut samples = Vec::new();
    let mut printed = Instant::now();
    while Instant::now() < until {
        sleep(SAMPLES.min(until.saturating_duration_since(Instant::now()))).await;
        let sample = watch.sample().await?;
        if printed.elapsed() >= Duration::from_secs(59) || Instant::now() >= until {
            printed = Instant::now();
            let minute = api.minute();
            println!("{}", sample.line(&minute));
        }
        samples.push(sample);
    }
    Ok(samples)
}

fn growth(samples: &[Sample]) -> Vec<String> {
    let third = samples.len() / 3;
    if third == 0 {
        return Vec::new();
    }
    let median = |part: &[Sample], value: fn(&Sample) -> f64| {
        percentile(&part.iter().map(value).collect::<Vec<_>>(), 0.5)
    };
    type Bound = (&'static str, fn(&Sample) -> f64, f64);
    let bounds: [Bound; 4] = [
        ("memory of serasi, MB", |sample| sample.serasi, MOST_MEMORY_MB),
        ("memory of PostgreSQL, MB", |sample| sample.postgres, 2.0 * MOST_MEMORY_MB),
        ("open descriptors", |sample| sample.descriptors, MOST_DESCRIPTORS),
        ("database connections", |sample| sample.connections, MOST_CONNECTIONS),
    ];
    let mut failures = Vec::new();
    for (name, value, most) in bounds {
        let (first, last) =
            (median(&samples[..third], value), median(&samples[samples.len() - third..], value));
        if last - first > most && last > first * 1.25 {
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
        let sample = |serasi: f64, descriptors: f64| Sample { serasi, descriptors, ..Sample::default() };
        let steady: Vec<_> = (0..9).map(|n| sample(100.0 + f64::from(n), 50.0)).collect();
        assert_eq!(growth(&steady), [""; 0]);
        let growing: Vec<_> =
            (0..9).map(|n| sample(100.0 + 20.0 * f64::from(n), 50.0 + 10.0 * f64::from(n))).collect();
        let found = growth(&growing);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0], "memory of serasi, MB: 120 in the first third, 240 in the last");
    }
}
