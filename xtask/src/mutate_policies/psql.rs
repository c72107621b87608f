//! Starts psql for scripts that are written to its standard input, and defines the markers in its output.

use std::process::Stdio;

use anyhow::Context;
use tokio::process::{Child, Command};

use crate::run;

/// Markers in psql's output between the test results.
pub(super) const APPLIED: &str = "#mutant-applied";
pub(super) const FILE: &str = "#file:";

/// # Errors
/// When psql can't be started.
pub(super) fn start_psql(database: &str) -> anyhow::Result<Child> {
    Command::new("psql")
        .current_dir(run::root())
        .args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", database, "-f", "-"])
        // A mutant that hangs counts as killed. The largest statement of a test takes a third of it on busy cores.
        .env("PGOPTIONS", "-c statement_timeout=180s -c client_min_messages=error")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .context("psql can't be started")
}
