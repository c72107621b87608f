//! Static checks: format, clippy, crate and import boundaries, the compose file's schema, the workflows and the alert
//! rules.

use std::process::Stdio;

use crate::report::Count;
use crate::{build, npm, run, tidy, tools};

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
    for (what, script) in
        [("compose files", "lint"), ("secrets", "lint:secrets"), ("workflows", "lint:workflows")]
    {
        let linted = npm::command("deploy").args(["run", "--silent", script]).status()?;
        check(what, linted.success());
    }
    check("alert rules", are_alert_rules_right());
    let violations = tidy::violations()?;
    for violation in &violations {
        run::print(&format!("tidy: {violation}"));
    }
    check("tidy", violations.is_empty());
    Ok(count)
}

/// Checks and tests the rules with promtool. The tests in Rust check that the metrics of the rules exist.
fn are_alert_rules_right() -> bool {
    let promtool = |arguments: &[&str]| {
        let mut promtool = run::command("promtool");
        promtool.current_dir(run::root().join("deploy/monitoring")).args(arguments).stdout(Stdio::null());
        promtool.status().map(|status| status.success())
    };
    let checks: [&[&str]; 3] = [
        &["check", "rules", "alerts.yml"],
        &["check", "config", "--syntax-only", "prometheus.yml"],
        &["test", "rules", "alerts.test.yml"],
    ];
    checks.iter().all(|arguments| promtool(arguments).unwrap_or_default())
}

/// Installs the linters of the compose files, the workflows and the alert rules.
///
/// # Errors
/// When one is missing and can't be installed.
pub fn install() -> anyhow::Result<()> {
    tools::promtool()?;
    npm::install("deploy")
}
