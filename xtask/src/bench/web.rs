//! Runs Lighthouse on the landing pages.

use clap::Args;

use crate::server::Server;
use crate::{npm, run, tools};

#[derive(Args)]
pub struct Web {
    /// How often to load each page; the median counts
    #[arg(long, value_name = "N", default_value_t = 5)]
    runs: u32,
    /// Pages to measure: home, search, profile
    #[arg(long, value_name = "PAGES", default_value = "home,search,profile")]
    pages: String,
}

/// # Errors
/// When the browser or the server is unavailable, or a score is below its limit.
pub fn run(options: &Web) -> anyhow::Result<()> {
    let browser = tools::chromium()?;
    let folder = run::root().join("bench/web");
    npm::install("bench/web")?;
    let server = Server::start(&[])?;
    run::must(
        run::command("node")
            .args(["measure.mjs", "--url", &server.url, "--runs", &options.runs.to_string()])
            .args(["--pages", &options.pages])
            .env("CHROMIUM_PATH", browser)
            .current_dir(&folder),
    )?;
    Ok(())
}
