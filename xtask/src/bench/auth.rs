//! Sign-ins, refreshes and a flood of guesses, on the release build.

use anyhow::Context;
use clap::Args;

use crate::run;
use crate::server::{Build, Server};

#[derive(Args)]
pub struct Auth {
    /// How long each figure is measured in each round
    #[arg(long, value_name = "N", default_value_t = 4)]
    seconds: u64,
    /// How often; the medians count
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
}

/// # Errors
/// When the server does not start or a limit is broken.
pub fn run(options: &Auth) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Release, &["--api-only"])?;
    let settings = server.settings()?;
    let key = |name: &str| settings.get(name).with_context(|| format!("`serasi status` names no {name}"));
    run::must(
        run::command("cargo")
            .args(["run", "--quiet", "--release", "--package", "bench", "--", "auth", "--url", &server.url])
            .args(["--seconds", &options.seconds.to_string(), "--rounds", &options.rounds.to_string()])
            .env("ANON_KEY", key("ANON_KEY")?)
            .env("SERVICE_ROLE_KEY", key("SERVICE_ROLE_KEY")?),
    )?;
    Ok(())
}
