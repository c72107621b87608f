//! Static checks: format, clippy, crate and import boundaries, and the compose file's schema.

use crate::report::Count;
use crate::{run, tidy};

/// # Errors
/// When a tool can't be started.
pub fn run() -> anyhow::Result<Count> {
    let mut count = Count::default();
    for arguments in [
        &["fmt", "--all", "--check"][..],
        &["clippy", "--quiet", "--workspace", "--all-targets", "--", "--deny", "warnings"][..],
    ] {
        let (_, success) = run::heard(run::command("cargo").args(arguments))?;
        println!("cargo {}: {}", arguments[0], if success { "ok" } else { "FAILED" });
        count += Count::check(success);
    }
    let deploy = run::root().join("deploy");
    if !deploy.join("node_modules").exists() {
        run::must(
            run::command("npm")
                .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
                .current_dir(&deploy),
        )?;
    }
    let (_, success) =
        run::heard(run::command("npm").args(["run", "--silent", "lint"]).current_dir(&deploy))?;
    println!("compose.yaml: {}", if success { "ok" } else { "FAILED" });
    count += Count::check(success);
    let violations = tidy::violations()?;
    for violation in &violations {
        println!("tidy: {violation}");
    }
    count += Count::check(violations.is_empty());
    Ok(count)
}
