//! What signing in costs: against the raw hash rate of the same machine in the same run, and what everybody
//! else notices of a flood of it.

mod client;
mod raw;

use std::time::Duration;

use anyhow::Context;
use clap::Args;

use crate::machine;
use crate::statistics::{median, percentile};
use client::Client;

/// Sign-ins may cost this share of what the hashes alone would.
const LEAST_SHARE: f64 = 0.9;
/// Other routes may take so many times as long while passwords are guessed.
const MOST_SLOWDOWN: f64 = 2.0;
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
    /// How long each figure is measured
    #[arg(long, default_value_t = 8)]
    seconds: u64,
}

/// # Errors
/// When the services can't be reached or answer otherwise than they should.
pub async fn run(options: &Options) -> anyhow::Result<bool> {
    let cores = machine::cores();
    let time = Duration::from_secs(options.seconds);
    println!("{cores} cores, load average {} before, {} s each", machine::load(), options.seconds);
    let client = Client::new(options).await.context("an account to measure with")?;

    // Before and after: the machine may be busier at one end.
    let raw_before = raw::hashes_per_second(cores, time)?;
    let sign_ins = client.sign_ins_per_second(2 * cores, time).await?;
    let raw = f64::midpoint(raw_before, raw::hashes_per_second(cores, time)?);
    let share = sign_ins / raw;
    println!("hashes per second, raw            {raw:>9.1}");
    println!(
        "sign-ins per second               {sign_ins:>9.1}   {:.0} % of raw (at least {:.0} %)",
        share * 100.0,
        LEAST_SHARE * 100.0
    );

    println!(
        "refreshes per second              {:>9.0}",
        client.refreshes_per_second(2 * cores, time).await?
    );
    println!("GET /user per second              {:>9.0}", client.users_per_second(2 * cores, time).await?);

    let idle = client.others(PACE, time).await?;
    let (flooded, guesses) = tokio::try_join!(client.others(PACE, time), client.guess(GUESSERS, time))?;
    let (idle_p99, flooded_p99) = (percentile(&idle, 0.99), percentile(&flooded, 0.99));
    let slowdown = flooded_p99 / idle_p99;
    println!("other routes, idle                {idle_p99:>9.2} ms p99, {:.2} ms p50", median(&idle));
    println!(
        "other routes, passwords guessed   {flooded_p99:>9.2} ms p99, {:.2} ms p50   {slowdown:.1} times idle (below {MOST_SLOWDOWN})",
        median(&flooded)
    );
    println!("  meanwhile {} guesses compared, {} refused at once", guesses.compared, guesses.refused);
    println!("load average {} after", machine::load());
    Ok(share >= LEAST_SHARE && slowdown < MOST_SLOWDOWN)
}
