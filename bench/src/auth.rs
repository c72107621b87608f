//! What signing in costs: against the raw hash rate of the same machine in the same run, and what everybody
//! else notices of a flood of it. What is compared is measured in turns, round by round, so that a machine that is
//! busier at one time than at another decides nothing.

mod client;
mod raw;

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::machine;
use crate::statistics::{median, percentile};
use client::{Client, Guesses};
use raw::{Pages, Raw};

/// Sign-ins may cost this share of what the hashes alone would.
const LEAST_SHARE: f64 = 0.9;
/// Other routes may take so many times as long while passwords are guessed.
const MOST_SLOWDOWN: f64 = 2.0;
/// Signing in at once, for each core: somebody is always ready for a hash, also while the disk makes all others wait,
/// and nobody is refused.
const AT_ONCE: usize = 12;
/// Guessers at once: more than the service lets wait.
const GUESSERS: usize = 96;
/// Between two requests of somebody who only looks around.
const PACE: Duration = Duration::from_millis(10);

#[derive(Args)]
pub struct Options {
    /// Where the services are: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    /// The key that makes the accounts
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_role_key: String,
    /// How long each figure is measured in each round
    #[arg(long, default_value_t = 1)]
    seconds: u64,
    /// How often; the medians count. Many short rounds: a virtual machine's speed changes from one second to the next
    #[arg(long, default_value_t = 40)]
    rounds: usize,
}

/// # Errors
/// When the services can't be reached or answer otherwise than they should.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let cores = machine::cores();
    let time = Duration::from_secs(options.seconds);
    println!(
        "{cores} cores, load average {} before, {} rounds of {} s",
        machine::load(),
        options.rounds,
        options.seconds
    );
    let client = Client::new(options, AT_ONCE * cores).await.context("accounts to measure with")?;

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

/// One round: per second.
struct Hashing {
    raw: f64,
    /// On huge pages, as the service hashes.
    raw_huge: f64,
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
        let mut raw = |pages| raw.hashes_per_second(pages, time);
        let sign_ins = || client.sign_ins_per_second(AT_ONCE * cores, time);
        Ok(if raw_first {
            Self { raw: raw(Pages::Ordinary)?, sign_ins: sign_ins().await?, raw_huge: raw(Pages::Huge)? }
        } else {
            Self { raw_huge: raw(Pages::Huge)?, sign_ins: sign_ins().await?, raw: raw(Pages::Ordinary)? }
        })
    }
}

/// Whether the limit is kept.
fn report_hashing(rounds: &[Hashing]) -> bool {
    let of = |figure: fn(&Hashing) -> f64| rounds.iter().map(figure).collect::<Vec<_>>();
    let shares = of(|round| round.sign_ins / round.raw);
    let share = median(&shares);
    println!("hashes per second, raw            {:>9.1}", median(&of(|round| round.raw)));
    println!("  on huge pages, as the service's {:>9.1}", median(&of(|round| round.raw_huge)));
    println!(
        "sign-ins per second               {:>9.1}   {:.0} % of raw (at least {:.0} %), {:.0} % of raw on huge pages; by round {}",
        median(&of(|round| round.sign_ins)),
        share * 100.0,
        LEAST_SHARE * 100.0,
        median(&of(|round| round.sign_ins / round.raw_huge)) * 100.0,
        listed(&shares, 2)
    );
    share >= LEAST_SHARE
}

/// One round: what others wait, in milliseconds, while nobody guesses and while many do.
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

/// Whether the limit is kept.
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
