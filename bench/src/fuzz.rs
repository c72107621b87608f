//! Sends many thousands of unusual and malformed requests to a running server. A seed and a number identify each
//! request.

mod auth;
mod dice;
mod findings;
mod functions;
mod gateway;
mod ground;
mod invariants;
mod oracle;
mod pictures;
mod raw;
mod raw_cases;
mod request;
mod run;
mod storage;
mod values;
mod wire;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use clap::Args;

pub use run::run;

use dice::Dice;
use ground::Ground;
use raw_cases::Case;
use request::Request;

#[derive(Args)]
pub struct Options {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    url: String,
    /// Superuser URL of the database
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    database: String,
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    anon_key: String,
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    service_role_key: String,
    #[arg(long, env = "JWT_SECRET", hide_env_values = true)]
    jwt_secret: String,
    /// Number of requests
    #[arg(long, default_value_t = 20_000)]
    requests: u64,
    /// Seed of the random generator
    #[arg(long, default_value_t = 17)]
    seed: u64,
    /// Send only the request with this number, and print its response
    #[arg(long)]
    only: Option<u64>,
    /// Number of concurrent connections
    #[arg(long, default_value_t = 16)]
    connections: usize,
    /// Process id of the server, to monitor its memory
    #[arg(long)]
    pid: Option<u32>,
    /// The server's log, to search for panics
    #[arg(long)]
    log: Option<PathBuf>,
    /// Maximum growth of the server's memory, in megabytes
    #[arg(long, default_value_t = 400)]
    most_growth: u64,
}

#[derive(Debug, PartialEq)]
enum Attack {
    Http(Request),
    Raw(Case),
}

/// Generates request number `index` of a seed. Its ids and tokens come from the server under test.
fn generate(seed: u64, index: u64, ground: &Ground) -> Attack {
    let mut dice = Dice::new(seed, index);
    let dice = &mut dice;
    Attack::Http(match dice.below(100) {
        0..=1 => return Attack::Raw(raw_cases::generate(dice)),
        2..=3 => functions::generate(dice),
        4..=15 => auth::generate(dice, ground),
        16..=33 => storage::generate(dice, ground),
        _ => gateway::generate(dice, ground),
    })
}
