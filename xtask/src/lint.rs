//! Static checks: format, clippy, crate and import boundaries, and the compose file's schema.

use crate::report::Count;
use crate::{build, npm, run, tidy};

/// # Errors
/// When a tool can't be started.
pub fn run() -> anyhow::Result<Count> {
    let mut count = Count::default();
    let mut check = |name: &str, success: bool| {
        run::print(&format!("{name}: {}", if success { "ok" } else { "FAILED" }));
        count += Count::check(success);
    };
    check("cargo fmt", run::captured_output(run::command("cargo").args(["fmt", "--all", "--check"]))?.1);
    check("clippy", build::development()?.warnings == 0);
    install()?;
    let compose = npm::command("deploy").args(["run", "--silent", "lint"]).status()?;
    check("compose files", compose.success());
    let violations = tidy::violations()?;
    for violation in &violations {
        run::print(&format!("tidy: {violation}"));
    }
    check("tidy", violations.is_empty());
    Ok(count)
}

/// Installs the compose files' linter.
///
/// # Errors
/// When npm fails.
pub fn install() -> anyhow::Result<()> {
    npm::install("deploy")
}
