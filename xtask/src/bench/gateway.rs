//! Measures how one client's flood of requests affects other clients, on the release build.

use anyhow::Context;
use clap::Args;

use super::seed;
use crate::build::Build;
use crate::run;
use crate::server::Server;

#[derive(Args)]
pub struct Gateway {
    /// Measure how a flood by one client affects another client
    #[arg(long, required = true)]
    flood: bool,
    /// How many influencers to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    influencers: u64,
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start or a limit is broken.
pub fn run(options: &Gateway) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Release, &["--api-only", "--no-demo"])?;
    seed(&server, &["--influencers", &options.influencers.to_string()])?;
    let settings = server.settings()?;
    let key = settings.get("ANON_KEY").context("`serasi status` names no ANON_KEY")?;
    run::must(
        server
            .build
            .command("bench")
            .args(["gateway", "--flood"])
            .args(["--url", &server.url])
            .args(&options.options)
            .env("ANON_KEY", key),
    )?;
    Ok(())
}
