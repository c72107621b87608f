//! Measures the gateway as the images contain it: its speed compared with pgbench with the same statements,
//! or how one client's flood of requests affects other clients.

use clap::Args;

use super::{pass_on, seed};
use crate::build::Build;
use crate::server::Server;
use crate::{run, tools};

/// Each agency may post 500 gigs, so the inserts need several hundred agencies.
const OTHERS: [&str; 6] = ["--agencies", "1000", "--vendors", "1000", "--gigs", "10000"];

#[derive(Args)]
pub struct Gateway {
    /// Measure how a flood by one client affects another client
    #[arg(long)]
    flood: bool,
    /// How many influencers to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    influencers: u64,
    #[command(flatten)]
    speed: Speed,
    /// More options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Args)]
struct Speed {
    /// Measure only these: one-row, 100-rows, embed, rpc, insert, separated by commas
    #[arg(long, value_name = "CASES", conflicts_with = "flood")]
    only: Option<String>,
    /// How often to alternate between the gateway and pgbench; the medians count
    #[arg(long, value_name = "N", conflicts_with = "flood")]
    rounds: Option<String>,
    /// Length of each measurement
    #[arg(long, conflicts_with = "flood")]
    seconds: Option<String>,
    /// Folder for the captured statements and all output of wrk and pgbench
    #[arg(long, value_name = "FOLDER", conflicts_with = "flood")]
    raw: Option<String>,
}

/// # Errors
/// When a tool is missing, the server does not start or a limit is broken.
pub fn run(options: &Gateway) -> anyhow::Result<()> {
    let pgbench = if options.flood { None } else { Some(tools::load_generators()?) };
    let server = Server::start_build(Build::Dist, &["--api-only", "--no-demo"])?;
    let influencers = options.influencers.to_string();
    let mut amounts = vec!["--influencers", &influencers];
    if !options.flood {
        amounts.extend(OTHERS);
    }
    seed(&server, &amounts)?;
    let mut bench = server.build.command("bench");
    match pgbench {
        None => {
            bench.args(["gateway", "--flood", "--url", &server.url]);
            pass_on(&mut bench, &server, &["ANON_KEY", "JWT_SECRET"])?;
        }
        Some(pgbench) => {
            bench.args(["speed", "--url", &server.url, "--pid", &server.process_id().to_string()]);
            bench.arg("--data-dir").arg(server.data_dir()).arg("--pgbench").arg(pgbench);
            bench.args(options.speed.arguments());
            pass_on(&mut bench, &server, &["ANON_KEY", "DB_URL", "JWT_SECRET"])?;
        }
    }
    run::must(bench.args(&options.options))?;
    Ok(())
}

impl Speed {
    fn arguments(&self) -> Vec<String> {
        let all = [
            ("--only", &self.only),
            ("--rounds", &self.rounds),
            ("--seconds", &self.seconds),
            ("--raw", &self.raw),
        ];
        all.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value.as_ref()?))).collect()
    }
}
