//! Runs `serasi backup` in a separate process with this process's settings, so that it shares neither memory
//! nor threads with requests.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};

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
    let mut child = command.spawn().context("can't start `serasi backup`")?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let outcome = async {
        let (_, last, status) = tokio::join!(log_lines(stdout), log_lines(stderr), child.wait());
        anyhow::Ok((last, status?))
    };
    tokio::select! {
        ended = outcome => {
            let (last, status) = ended?;
            ensure!(status.success(), "{}", last.trim_start_matches("serasi: "));
        }
        () = stop => end(&mut child).await,
    }
    Ok(())
}

/// Logs each line, and returns the last one.
async fn log_lines(output: Option<impl AsyncRead + Unpin>) -> String {
    let mut last = String::new();
    let Some(output) = output else { return last };
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        // The line that begins with `serasi: ` is the error, which the caller logs.
        if !line.trim().is_empty() && !line.starts_with("serasi: ") {
            tracing::info!("backup: {}", line.trim());
        }
        last = line;
    }
    last
}

async fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()) {
        let _ = nix::sys::signal::kill(nix::unistd::Pid::from_raw(id), nix::sys::signal::Signal::SIGTERM);
    }
    let _ = tokio::time::timeout(STOP_LIMIT, child.wait()).await;
}
