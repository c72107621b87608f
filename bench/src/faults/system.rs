//! Controls processes and file systems with the system's own tools.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::io::AsyncWriteExt;
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
    let output = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .await
        .with_context(|| format!("{program} can't be started"))?;
    ensure!(
        output.status.success(),
        "{program} {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Sends a signal (`-KILL`, `-STOP`) to processes; skips those that no longer exist.
pub async fn signal(name: &str, pids: &[u32]) {
    for pid in pids {
        let _ = run("kill", &[name, &pid.to_string()]).await;
    }
}

/// # Errors
/// [`Unavailable`] unless the harness runs as root.
pub async fn need_root() -> anyhow::Result<()> {
    if is_root().await { Ok(()) } else { Err(Unavailable("needs root").into()) }
}

pub async fn is_root() -> bool {
    run("id", &["-u"]).await.is_ok_and(|id| id.trim() == "0")
}

/// The child processes of `parent`.
pub fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| {
        // `pid (name) state ppid …`; the name may contain spaces.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
        after.split_whitespace().nth(1).and_then(|ppid| ppid.parse().ok()) == Some(parent)
    })
    .collect()
}

/// Resident memory in MB, if /proc reports it.
pub fn resident_mb(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.split_whitespace().next().and_then(|kb| kb.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// A small separate disk (tmpfs), unmounted when dropped.
pub struct Mount(PathBuf);

impl Mount {
    /// # Errors
    /// [`Unavailable`] without root, or where mounting is forbidden.
    pub async fn tmpfs(folder: &Path, megabytes: u32) -> anyhow::Result<Self> {
        let size = format!("size={megabytes}m,mode=0755");
        Self::mount(folder, &["-t", "tmpfs", "-o", &size, "tmpfs"]).await
    }

    /// Mounts the same folder at a second place.
    ///
    /// # Errors
    /// See [`Mount::tmpfs`].
    pub async fn bind(source: &Path, folder: &Path) -> anyhow::Result<Self> {
        Self::mount(folder, &["--bind", &source.display().to_string()]).await
    }

    async fn mount(folder: &Path, arguments: &[&str]) -> anyhow::Result<Self> {
        need_root().await?;
        tokio::fs::create_dir_all(folder).await?;
        let place = folder.display().to_string();
        if let Err(error) = run("mount", &[arguments, &[place.as_str()]].concat()).await {
            return Err(error.context(Unavailable("requires permission to mount")));
        }
        Ok(Self(folder.to_owned()))
    }

    /// # Errors
    /// When the system rejects it.
    pub async fn remount(&self, option: &str) -> anyhow::Result<()> {
        run("mount", &["-o", &format!("remount,{option}"), &self.0.display().to_string()]).await.map(drop)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).stderr(Stdio::null()).status();
    }
}

/// Fills the disk below `folder` and returns the file to delete.
///
/// # Errors
/// When more than 2 GB fit, or for any reason other than a full disk.
pub async fn fill_disk(folder: &Path) -> anyhow::Result<PathBuf> {
    let path = folder.join("filler");
    let mut file = tokio::fs::File::create(&path).await?;
    // Fills the last blocks too.
    for size in [1024 * 1024, 4096] {
        let block = vec![b'x'; size];
        for _ in 0..2048 {
            let written = async {
                file.write_all(&block).await?;
                file.flush().await
            };
            match written.await {
                Ok(()) => (),
                Err(error) if error.kind() == std::io::ErrorKind::StorageFull => break,
                Err(error) => return Err(error).context("filling the disk"),
            }
        }
    }
    Ok(path)
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

/// # Errors
/// When there is none.
pub fn free_port() -> anyhow::Result<u16> {
    Ok(std::net::TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
