//! Controls processes with the system's own tools.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{bail, ensure};
use tokio::process::Command;
use tokio::time::Instant;

/// Runs a line of bash after these functions, with these variables, and returns its output.
///
/// # Errors
/// When it fails.
pub async fn shell(
    functions: &str,
    line: &str,
    variables: &[(&'static str, String)],
) -> anyhow::Result<String> {
    let mut bash = Command::new("bash");
    bash.args(["-c", &format!("{functions}\n{line}")]).envs(variables.iter().cloned());
    let output = bash.stdin(Stdio::null()).output().await?;
    ensure!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Polls until the condition holds.
///
/// # Errors
/// When it does not hold within `limit`.
pub async fn wait_until(
    what: &str,
    limit: Duration,
    mut holds: impl AsyncFnMut() -> bool,
) -> anyhow::Result<()> {
    let until = Instant::now() + limit;
    while !holds().await {
        if Instant::now() > until {
            bail!("{what}: not reached within {} s", limit.as_secs());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    Ok(())
}
