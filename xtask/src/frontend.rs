//! Runs the linter and type check of the frontend and of `clients`, the frontend's unit tests, and checks whether its database types are current.

use crate::report::{self, Count};
use crate::{npm, run, types};

const FOLDER: &str = "frontend";
/// Tests of the API with Supabase's client libraries.
pub const CLIENTS: &str = "clients";

/// `database_url` names a migrated database.
///
/// # Errors
/// When npm is missing.
pub fn run(database_url: &str) -> anyhow::Result<Count> {
    install()?;
    let mut count = Count::default();
    for folder in [FOLDER, CLIENTS] {
        for script in ["lint", "typecheck"] {
            // The type checker is a Go program that ends before collecting garbage is worth it.
            let mut command = npm::command(folder);
            let (_, success) = run::captured_output(command.args(["run", "-s", script]).env("GOGC", "off"))?;
            run::print(&format!("{folder}: npm run {script}: {}", if success { "ok" } else { "FAILED" }));
            count += Count::check(success);
        }
    }
    count += unit_tests(&[])?;
    let current = types::are_current(database_url)?;
    let state = if current { "current" } else { "outdated: run `cargo xtask types`" };
    run::print(&format!("database.types.ts is {state}"));
    count += Count::check(current);
    Ok(count)
}

/// The unit tests whose titles contain one of the names, or all.
///
/// # Errors
/// When npm is missing.
pub fn unit_tests(names: &[String]) -> anyhow::Result<Count> {
    install()?;
    let mut command = npm();
    command.args(["run", "--silent", "test", "--"]);
    if !names.is_empty() {
        command.args(["--passWithNoTests", "--testNamePattern", &run::any_of(names)]);
    }
    let (output, success) = run::captured_output(&mut command)?;
    Ok(report::node(&output).or_failed(success))
}

/// Also the clients' packages.
///
/// # Errors
/// When npm fails.
pub fn install() -> anyhow::Result<()> {
    [FOLDER, CLIENTS].into_iter().try_for_each(npm::install)
}

pub fn npm() -> std::process::Command {
    npm::command(FOLDER)
}
