//! What others notice while one client floods the gateway, on the release build.

use anyhow::Context;
use clap::Args;

use super::seed;
use crate::run;
use crate::server::{Build, Server};

#[derive(Args)]
pub struct Gateway {
    /// What a flood of one client does to the requests of another
    #[arg(long, required = true)]
    flood: bool,
    /// How many influencers to generate
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    influencers: u64,
    /// Passed on to the measurement
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start or a limit is broken.
pub fn run(options: &Gateway) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Release, &["--api-only", "--no-demo"])?;
    seed(&server.database_url()?, &["--influencers", &options.influencers.to_string()])?;
    let settings = server.settings()?;
    let key = settings.get("ANON_KEY").context("`serasi status` names no ANON_KEY")?;
    run::must(
        run::command("cargo")
            .args(["run", "--quiet", "--release", "--package", "bench", "--", "gateway", "--flood"])
            .args(["--url", &server.url])
            .args(&options.options)
            .env("ANON_KEY", key),
    )?;
    Ok(())
}
