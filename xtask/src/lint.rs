//! What machines can judge: format, clippy, who imports whom, and the compose file's schema.

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
    let faults = tidy::faults()?;
    for fault in &faults {
        println!("tidy: {fault}");
    }
    count += Count::check(faults.is_empty());
    Ok(count)
}
