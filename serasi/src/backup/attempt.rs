//! Runs `serasi backup` in a separate process with this process's settings, so that it shares neither memory
//! nor threads with requests.

use std::path::Path;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::process::Command;

/// How long a stopped backup may take to remove its files.
const STOP_LIMIT: Duration = Duration::from_secs(10);

/// Makes a backup if one was requested or is due, and verifies it.
///
/// # Errors
/// When the backup fails. If `stop` completes first, the backup is stopped without an error.
pub async fn run(options: &[String], data_dir: &Path, stop: impl Future<Output = ()>) -> anyhow::Result<()> {
    let program = std::env::current_exe().context("the program's path")?;
    let mut command = Command::new(program);
    command.args(["backup", "--if-due", "--verify"]).args(options).arg("--data-dir").arg(data_dir);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let child = command.spawn().context("can't start `serasi backup`")?;
    let id = child.id().and_then(|id| i32::try_from(id).ok());
    let mut ended = pin!(child.wait_with_output());
    let output = tokio::select! {
        output = &mut ended => output?,
        () = stop => {
            if let Some(id) = id {
                let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM);
            }
            let _ = tokio::time::timeout(STOP_LIMIT, ended).await;
            return Ok(());
        }
    };
    let (said, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let (failure, told): (Vec<_>, Vec<_>) = errors.lines().partition(|line| line.starts_with("serasi: "));
    told.into_iter().chain(said.lines()).for_each(|line| tracing::info!("backup: {}", line.trim_start()));
    let failure =
        failure.last().map_or("serasi backup ended without a reason", |line| &line["serasi: ".len()..]);
    ensure!(output.status.success(), "{failure}");
    Ok(())
}
