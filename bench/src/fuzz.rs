//! Sends many thousands of unusual and malformed requests to a running server. A seed and a number identify each
//! request. proptest's strategies generate them: values, then paths and bodies of values.

mod gateway;
mod ground;
mod invariants;
mod malformed;
mod oracle;
mod people;
mod request;
mod routes;
mod run;
mod values;
mod wire;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

pub use run::run;

use ground::Ground;
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

/// How many percent of the choices are strange. Every second request is mostly valid, because an early rejection tests
/// nothing after it.
const CALM: u32 = 2;
const WILD: u32 = 15;

struct Generator {
    seed: u64,
    requests: BoxedStrategy<Request>,
    /// Reads settings from the environment once.
    config: Config,
}

impl Generator {
    fn new(seed: u64, ground: &Rc<Ground>) -> Self {
        let service = |name: &str, odd| routes::requests(name, ground, odd);
        let all = |odd| {
            prop_oneof![
                66 => gateway::requests(ground, odd),
                18 => service("storage", odd),
                12 => service("auth", odd),
                2 => service("functions", odd),
                2 => malformed::requests(),
            ]
        };
        Self { seed, requests: prop_oneof![all(CALM), all(WILD)].boxed(), config: Config::default() }
    }

    /// Request number `index`. Independent of all others, because connections send them in any order.
    fn request(&self, index: u64) -> anyhow::Result<Request> {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&self.seed.to_le_bytes());
        seed[8..16].copy_from_slice(&index.to_le_bytes());
        let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(self.config.clone(), random);
        let tree = self.requests.new_tree(&mut runner);
        Ok(tree.map_err(|reason| anyhow::anyhow!("a request: {reason}"))?.current())
    }
}
