//! The end-to-end tests: Playwright with Debian's Chromium against a real `serasi up` with demo data.

use anyhow::Context;

use crate::report::{self, Count};
use crate::server::Server;
use crate::{frontend, run, tools};

/// # Errors
/// When the browser or the server is unavailable.
pub fn run(names: &[String]) -> anyhow::Result<Count> {
    let browser = tools::chromium()?;
    frontend::install()?;
    let server = Server::start_for_tests(&[])?;
    let settings = server.settings()?;
    let key = |name: &str| settings.get(name).with_context(|| format!("`serasi status` names no {name}"));
    let mut npm = frontend::npm();
    npm.args(["run", "--silent", "e2e", "--"]);
    if !names.is_empty() {
        npm.args(["--pass-with-no-tests", "--grep", &run::any_of(names)]);
    }
    let (output, success) = run::heard(
        npm.env("BASE_URL", &server.url)
            .env("CHROMIUM_PATH", browser)
            .env("DB_URL", key("DB_URL")?)
            .env("SERVICE_ROLE_KEY", key("SERVICE_ROLE_KEY")?)
            // For services that tests start next to the server.
            .env("JWT_SECRET", key("JWT_SECRET")?)
            .env("DATA_DIR", server.data_dir())
            .env("SERASI", server.build.path("serasi")),
    )?;
    Ok(report::node(&output).or_failed(success))
}
