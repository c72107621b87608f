//! The frontend's linter, type check and unit tests, and whether its database types are current.

use crate::report::{self, Count};
use crate::{run, types};

/// # Errors
/// When npm is missing.
pub fn run() -> anyhow::Result<Count> {
    install()?;
    let mut count = Count::default();
    for script in ["lint", "typecheck"] {
        let (_, success) = run::heard(npm().args(["run", "--silent", script]))?;
        println!("npm run {script}: {}", if success { "ok" } else { "FAILED" });
        count += Count::check(success);
    }
    let (output, success) = run::heard(npm().args(["run", "--silent", "test"]))?;
    count += report::node(&output).or_failed(success);
    let current = types::are_current()?;
    println!(
        "database.types.ts is {}",
        if current { "current" } else { "outdated: run `cargo xtask types`" }
    );
    count += Count::check(current);
    Ok(count)
}

/// # Errors
/// When npm fails.
pub fn install() -> anyhow::Result<()> {
    if !run::root().join("frontend/node_modules/.serasi-installed").exists() {
        run::must(npm().args(["ci", "--no-audit", "--no-fund", "--loglevel=error"]))?;
    }
    Ok(())
}

pub fn npm() -> std::process::Command {
    let mut command = run::command("npm");
    command.current_dir(run::root().join("frontend")).env("CI", "true");
    command
}
