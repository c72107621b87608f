//! The journeys: Playwright in Debian's Chromium against a real `serasi up` with demo data.

use anyhow::Context;

use crate::report::{self, Count};
use crate::server::Server;
use crate::{frontend, run, tools};

/// # Errors
/// When the browser or the server is not to be had.
pub fn run() -> anyhow::Result<Count> {
    let browser = tools::chromium()?;
    frontend::install()?;
    let server = Server::start(&[])?;
    let (said, success) = run::heard(
        frontend::npm()
            .args(["run", "--silent", "e2e"])
            .env("BASE_URL", &server.url)
            .env("CHROMIUM_PATH", browser)
            .env("DB_URL", server.database_url()?)
            .env("SERVICE_ROLE_KEY", server.settings()?.get("SERVICE_ROLE_KEY").context("no service key")?),
    )?;
    Ok(report::node(&said).or_failed(success))
}
