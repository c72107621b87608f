//! The tests against a real `serasi up` with demo data: Supabase's clients in Node, then pages in Chromium.

use std::process::Command;

use anyhow::Context;

use crate::report::{self, Count};
use crate::server::Server;
use crate::{frontend, npm, run, tools};

/// Only these files of frontend/e2e, if any are given.
///
/// # Errors
/// When the browser or the server is unavailable.
pub fn run(names: &[String], specs: &[String]) -> anyhow::Result<Count> {
    let browser = tools::headless_chromium()?;
    tools::psql()?;
    frontend::install()?;
    let server = Server::start_for_tests(&[])?;
    let mut clients = with_settings(npm::command(frontend::CLIENTS), &server, "test")?;
    let mut pages = with_settings(frontend::npm(), &server, "e2e")?;
    pages.env("CHROMIUM_PATH", browser);
    if !names.is_empty() {
        clients.args(["--passWithNoTests", "--testNamePattern", &run::any_of(names)]);
        pages.args(["--pass-with-no-tests", "--grep", &run::any_of(names)]);
    }
    pages.args(specs);
    let commands = if specs.is_empty() { vec![clients, pages] } else { vec![pages] };
    let mut count = Count::default();
    for mut command in commands {
        let (output, success) = run::captured_output(&mut command)?;
        count += report::node(&output).or_failed(success);
    }
    Ok(count)
}

/// A script of package.json with the server's settings.
fn with_settings(mut npm: Command, server: &Server, script: &str) -> anyhow::Result<Command> {
    let settings = server.settings()?;
    npm.args(["run", "--silent", script, "--"]).env("BASE_URL", &server.url);
    // JWT_SECRET is for services that tests start next to the server.
    for name in ["DB_URL", "MAIL_URL", "SERVICE_ROLE_KEY", "JWT_SECRET"] {
        npm.env(name, settings.get(name).with_context(|| format!("`serasi status` names no {name}"))?);
    }
    npm.env("DATA_DIR", server.data_dir()).env("SERASI", server.build.path("serasi"));
    Ok(npm)
}
