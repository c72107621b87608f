//! Measures sign-ins against the raw hash rate of the same machine, and how a flood of password guesses
//! affects others. Compared figures are measured alternately in many rounds, so that changes in the
//! machine's load affect both.

mod client;
mod raw;

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::machine;
use crate::statistics::{median, percentile};
use client::{Client, Guesses};
use raw::Raw;

/// Minimum ratio of sign-ins to raw hashes.
const LEAST_SHARE: f64 = 0.85;
/// Maximum slowdown of other routes during password guessing.
const MOST_SLOWDOWN: f64 = 4.0;
/// Concurrent sign-ins per core: enough to keep every core hashing while others wait for the disk, but not
/// so many that requests are rejected.
const AT_ONCE: usize = 12;
/// Concurrent guessers, more than the service queues.
const GUESSERS: usize = 96;
/// Pause between two requests of a client that only reads.
const PACE: Duration = Duration::from_millis(10);

#[derive(Args)]
pub struct Options {
    /// URL of the services, such as `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// The key that creates the accounts
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_role_key: String,
    /// Seconds per figure in each round
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// Number of rounds; the medians count. Use many short rounds, because a virtual machine's speed varies
    /// from second to second
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// # Errors
/// When the services are unreachable or return unexpected responses.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let cores = machine::cores();
    let time = Duration::from_secs(options.seconds);
    println!(
        "{cores} cores, load average {} before, {} rounds of {} s",
        machine::load(),
        options.rounds,
        options.seconds
    );
    let client = Client::new(options, AT_ONCE * cores).await.context("the benchmark accounts")?;

    let mut raw = Raw::new(cores)?;
    let mut hashing = Vec::new();
    let mut waiting = Vec::new();
    for round in 0..options.rounds {
        hashing.push(Hashing::measure(&mut raw, &client, cores, time, round % 2 == 0).await?);
        waiting.push(Waiting::measure(&client, time, round % 2 == 0).await?);
    }
    let is_cheap = report_hashing(&hashing);
    println!(
        "refreshes per second              {:>9.0}",
        client.refreshes_per_second(2 * cores, time).await?
    );
    println!("GET /user per second              {:>9.0}", client.users_per_second(2 * cores, time).await?);
    let is_calm = report_waiting(&waiting);
    println!("load average {} after", machine::load());
    Ok(is_cheap && is_calm)
}

/// Rates per second in one round.
struct Hashing {
    raw: f64,
    sign_ins: f64,
}

impl Hashing {
    async fn measure(
        raw: &mut Raw,
        client: &Client,
        cores: usize,
        time: Duration,
        raw_first: bool,
    ) -> anyhow::Result<Self> {
        let mut raw = || raw.hashes_per_second(time);
        let sign_ins = || client.sign_ins_per_second(AT_ONCE * cores, time);
        Ok(if raw_first {
            Self { raw: raw()?, sign_ins: sign_ins().await? }
        } else {
            Self { sign_ins: sign_ins().await?, raw: raw()? }
        })
    }
}

/// Prints the results and returns whether they are within the limit.
fn report_hashing(rounds: &[Hashing]) -> bool {
    let of = |figure: fn(&Hashing) -> f64| rounds.iter().map(figure).collect::<Vec<_>>();
    let shares = of(|round| round.sign_ins / round.raw);
    let share = median(&shares);
    println!("hashes per second, raw            {:>9.1}", median(&of(|round| round.raw)));
    println!(
        "sign-ins per second               {:>9.1}   {:.0} % of raw (at least {:.0} %); by round {}",
        median(&of(|round| round.sign_ins)),
        share * 100.0,
        LEAST_SHARE * 100.0,
        listed(&shares, 2)
    );
    share >= LEAST_SHARE
}

/// Latencies of other requests in milliseconds in one round, idle and during guessing.
struct Waiting {
    idle: Vec<f64>,
    flooded: Vec<f64>,
    guesses: Guesses,
}

impl Waiting {
    async fn measure(client: &Client, time: Duration, idle_first: bool) -> anyhow::Result<Self> {
        let idle = || client.others(PACE, time);
        let flooded = async || tokio::try_join!(client.others(PACE, time), client.guess(GUESSERS, time));
        let (idle, (flooded, guesses)) = if idle_first {
            (idle().await?, flooded().await?)
        } else {
            let flooded = flooded().await?;
            (idle().await?, flooded)
        };
        Ok(Self { idle, flooded, guesses })
    }
}

/// Prints the results and returns whether they are within the limit.
fn report_waiting(rounds: &[Waiting]) -> bool {
    let of = |times: fn(&Waiting) -> &Vec<f64>, share: f64| {
        rounds.iter().map(|round| percentile(times(round), share)).collect::<Vec<_>>()
    };
    let (idle, flooded) = (of(|round| &round.idle, 0.99), of(|round| &round.flooded, 0.99));
    let slowdown = median(&flooded) / median(&idle);
    println!(
        "other routes, idle                {:>9.2} ms p99, {:.2} ms p50; by round {}",
        median(&idle),
        median(&of(|round| &round.idle, 0.5)),
        listed(&idle, 1)
    );
    println!(
        "other routes, passwords guessed   {:>9.2} ms p99, {:.2} ms p50; by round {}   {slowdown:.1} times idle (below {MOST_SLOWDOWN})",
        median(&flooded),
        median(&of(|round| &round.flooded, 0.5)),
        listed(&flooded, 1)
    );
    let refusals: Vec<f64> = rounds.iter().flat_map(|round| round.guesses.refusals.iter().copied()).collect();
    let compared: u32 = rounds.iter().map(|round| round.guesses.compared).sum();
    println!(
        "  meanwhile {compared} guesses compared, {} refused in {:.2} ms p50, {:.2} ms p99",
        refusals.len(),
        median(&refusals),
        percentile(&refusals, 0.99)
    );
    slowdown < MOST_SLOWDOWN
}

fn listed(values: &[f64], digits: usize) -> String {
    values.iter().map(|value| format!("{value:.digits$}")).collect::<Vec<_>>().join(" ")
}
