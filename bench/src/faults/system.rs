//! Controls processes and file systems with the system's own tools.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::process::Command;
use tokio::time::Instant;

/// This machine can't produce the fault. The report shows the reason; it does not count as a pass.
#[derive(Debug)]
pub struct Unavailable(pub &'static str);

impl std::fmt::Display for Unavailable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Unavailable {}

/// # Errors
/// When the program is missing or fails.
pub async fn run(program: &str, arguments: &[&str]) -> anyhow::Result<String> {
    run_with(program, arguments, &[]).await
}

/// With these variables in its environment.
///
/// # Errors
/// See [`run`].
pub async fn run_with(
    program: &str,
    arguments: &[&str],
    variables: &[(&'static str, String)],
) -> anyhow::Result<String> {
    let mut command = Command::new(program);
    command.args(arguments).envs(variables.iter().cloned()).stdin(Stdio::null());
    let output = command.output().await.with_context(|| format!("{program} can't be started"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = arguments.last().and_then(|text| text.lines().next_back()).unwrap_or_default();
    ensure!(output.status.success(), "{program} {last}: {}", said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A small separate disk (tmpfs), or a folder at a second place. Unmounted when dropped.
pub struct Mount(PathBuf);

impl Mount {
    /// # Errors
    /// [`Unavailable`] without root, or where mounting is forbidden.
    pub async fn tmpfs(folder: &Path, megabytes: u32) -> anyhow::Result<Self> {
        let size = format!("size={megabytes}m,mode=0755");
        Self::mount(folder, &["-t", "tmpfs", "-o", &size, "tmpfs"]).await
    }

    /// # Errors
    /// See [`Mount::tmpfs`].
    pub async fn bind(source: &Path, folder: &Path) -> anyhow::Result<Self> {
        Self::mount(folder, &["--bind", &source.display().to_string()]).await
    }

    async fn mount(folder: &Path, arguments: &[&str]) -> anyhow::Result<Self> {
        tokio::fs::create_dir_all(folder).await?;
        let target = folder.display().to_string();
        if let Err(error) = run("mount", &[arguments, &[target.as_str()]].concat()).await {
            return Err(error.context(Unavailable("requires permission to mount")));
        }
        Ok(Self(folder.to_owned()))
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).stderr(Stdio::null()).status();
    }
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
