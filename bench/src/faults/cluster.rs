//! A separate PostgreSQL that the harness may kill, stop and fill.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::process::{Child, Command};

use super::system::{self, children, free_port, signal, wait_until};
use crate::reader;

/// An account that exists on every system, because PostgreSQL refuses to run as root.
const UNPRIVILEGED: &str = "nobody";
const START_TIMEOUT: Duration = Duration::from_secs(30);
/// A low limit, so that other clients can use up all connections.
const MAX_CONNECTIONS: &str = "80";

pub struct Cluster {
    child: Child,
    programs: PathBuf,
    data: PathBuf,
    port: u16,
    as_root: bool,
}

impl Cluster {
    /// `programs` is the folder of `initdb` and `postgres`.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(programs: &Path, folder: &Path) -> anyhow::Result<Self> {
        let as_root = system::is_root().await;
        let home = folder.join("cluster");
        std::fs::create_dir_all(&home)?;
        if as_root {
            system::run("chown", &[UNPRIVILEGED, &home.display().to_string()]).await?;
        }
        let data = home.join("data");
        let made = unprivileged(as_root, &programs.join("initdb"))
            .args([
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--pgdata",
            ])
            .arg(&data)
            .output()
            .await
            .context("initdb can't be started")?;
        ensure!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr).trim_end());
        let port = free_port()?;
        let child = spawn(as_root, programs, &data, port)?;
        let cluster = Self { child, programs: programs.to_owned(), data, port, as_root };
        cluster.wait_until_ready().await?;
        Ok(cluster)
    }

    pub fn address(&self) -> SocketAddr {
        SocketAddr::from(([127, 0, 0, 1], self.port))
    }

    /// The superuser's URL, bypassing the proxy.
    pub fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    pub fn postmaster(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    /// Performs a fast shutdown.
    ///
    /// # Errors
    /// When it does not stop.
    pub async fn stop(&mut self) -> anyhow::Result<()> {
        signal("-INT", &[self.postmaster()]).await;
        tokio::time::timeout(START_TIMEOUT, self.child.wait())
            .await
            .context("PostgreSQL does not stop")??;
        Ok(())
    }

    /// # Errors
    /// When it does not stop.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("the postmaster can't be killed")
    }

    /// Starts it again with the same files and port. Backends of a killed postmaster may take a moment to exit.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start_again(&mut self) -> anyhow::Result<()> {
        for _ in 0..20 {
            self.child = spawn(self.as_root, &self.programs, &self.data, self.port)?;
            if self.wait_until_ready().await.is_ok() {
                return Ok(());
            }
            let _ = self.child.kill().await;
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        anyhow::bail!("the harness's PostgreSQL does not restart")
    }

    async fn wait_until_ready(&self) -> anyhow::Result<()> {
        let (url, pid) = (self.url(), self.postmaster());
        wait_until("PostgreSQL starts", START_TIMEOUT, async || {
            reader::connect(&url).await.is_ok() || !is_alive(pid)
        })
        .await?;
        ensure!(is_alive(pid), "PostgreSQL exited during startup");
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let Some(pid) = self.child.id() else { return };
        let stopped = children(pid);
        // A stopped process reacts only to SIGKILL.
        for pid in stopped.iter().chain([&pid]) {
            let _ = std::process::Command::new("kill")
                .args(["-CONT", &pid.to_string()])
                .stderr(Stdio::null())
                .status();
        }
        let _ = std::process::Command::new("kill")
            .args(["-INT", &pid.to_string()])
            .stderr(Stdio::null())
            .status();
        for _ in 0..250 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.start_kill();
    }
}

/// A process that has exited but was not waited for is a zombie, which counts as ended.
pub fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, after)| after.split_whitespace().next());
    state.is_some_and(|state| state != "Z" && state != "X")
}

fn spawn(as_root: bool, programs: &Path, data: &Path, port: u16) -> anyhow::Result<Child> {
    let log = std::fs::File::options().create(true).append(true).open(data.with_extension("log"))?;
    unprivileged(as_root, &programs.join("postgres"))
        .arg("-D")
        .arg(data)
        .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="])
        // Only PostgreSQL crashes, not the machine, so its writes survive without fsync.
        .args(["-c", "fsync=off", "-c", &format!("max_connections={MAX_CONNECTIONS}")])
        .stdout(log.try_clone()?)
        .stderr(log)
        .spawn()
        .context("postgres can't be started")
}

/// setpriv execs the program, so signals reach it.
fn unprivileged(as_root: bool, program: &Path) -> Command {
    let mut command = if as_root {
        let mut command = Command::new("setpriv");
        command.args([&format!("--reuid={UNPRIVILEGED}"), "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    command.current_dir("/").stdin(Stdio::null()).kill_on_drop(false);
    command
}
