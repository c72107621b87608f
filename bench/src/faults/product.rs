//! The real `serasi up`: started, killed, and restarted with the same data directory.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep, timeout};

use super::system::shell;

const START_TIMEOUT: Duration = Duration::from_secs(90);
const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The destination of the log.
pub enum Log {
    File(PathBuf),
    /// A pipe, which `cat` reads.
    Pipe,
}

/// The start options, kept for restarts.
pub struct Setup {
    pub program: PathBuf,
    pub data_dir: PathBuf,
    pub env: Vec<(String, String)>,
    pub log: Log,
    /// Maximum number of open files.
    pub descriptors: Option<u32>,
}

pub struct Product {
    setup: Setup,
    child: Child,
    log_reader: Option<Child>,
    pub port: u16,
    admin_port: u16,
}

impl Product {
    /// # Errors
    /// When it does not become ready.
    pub async fn start_with(setup: Setup) -> anyhow::Result<Self> {
        let free_port = || anyhow::Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port());
        let (port, admin_port) = (free_port()?, free_port()?);
        let (child, log_reader) = spawn(&setup, port, admin_port)?;
        let mut product = Self { setup, child, log_reader, port, admin_port };
        product.wait_until_ready().await?;
        Ok(product)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The URL of `/ready` on the admin port.
    pub fn ready_url(&self) -> String {
        format!("http://127.0.0.1:{}/ready", self.admin_port)
    }

    pub fn pid(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    /// Its last output, if it has exited.
    pub fn exited(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        let said = match &self.setup.log {
            Log::File(file) => std::fs::read_to_string(file).unwrap_or_default(),
            Log::Pipe => String::new(),
        };
        let last = said.lines().rfind(|line| line.starts_with("serasi: ")).unwrap_or_default();
        Some(format!("serasi exited ({status}): {last}"))
    }

    /// # Errors
    /// When it exits or takes too long.
    pub async fn wait_until_ready(&mut self) -> anyhow::Result<()> {
        let (began, said) = (Instant::now(), self.setup.data_dir.with_extension("stdout"));
        let is_ready = || {
            std::fs::read_to_string(&said)
                .is_ok_and(|text| text.lines().any(|line| line.starts_with("ready")))
        };
        while !is_ready() {
            if let Some(ended) = self.exited() {
                bail!("not ready: {ended}");
            }
            if began.elapsed() > START_TIMEOUT {
                bail!("serasi was not ready after {} s", START_TIMEOUT.as_secs());
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    /// The process that reads a [`Log::Pipe`].
    pub fn log_reader(&self) -> u32 {
        self.log_reader.as_ref().and_then(Child::id).unwrap_or_default()
    }

    /// Kills it without warning.
    ///
    /// # Errors
    /// When it does not exit.
    pub async fn kill(&mut self) -> anyhow::Result<()> {
        self.child.kill().await.context("serasi can't be killed")
    }

    /// Sends SIGTERM and waits for the exit.
    ///
    /// # Errors
    /// When it does not exit in time.
    pub async fn terminate(&mut self) -> anyhow::Result<ExitStatus> {
        shell("", &format!("kill {}", self.pid()), &[]).await?;
        Ok(timeout(STOP_TIMEOUT, self.child.wait()).await.context("serasi does not stop on SIGTERM")??)
    }

    /// Starts it on the same data and port, without waiting until it is ready.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn launch(&mut self) -> anyhow::Result<()> {
        (self.child, self.log_reader) = spawn(&self.setup, self.port, self.admin_port)?;
        Ok(())
    }

    /// Starts it on the same data and port.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn start(&mut self) -> anyhow::Result<()> {
        self.launch()?;
        self.wait_until_ready().await
    }

    /// Returns the output of `serasi status --output env`.
    ///
    /// # Errors
    /// When the command fails.
    pub async fn settings(&self) -> anyhow::Result<HashMap<String, String>> {
        let data_dir = self.setup.data_dir.display();
        let line = format!("'{}' status --output env --data-dir '{data_dir}'", self.program());
        let said = shell("", &line, &[]).await?;
        let pairs = said.lines().filter_map(|line| line.split_once('='));
        Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    pub fn program(&self) -> String {
        self.setup.program.display().to_string()
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        let Some(pid) = self.child.id() else { return };
        for name in ["-CONT", "-TERM"] {
            let mut kill = std::process::Command::new("kill");
            let _ = kill.args([name, &pid.to_string()]).stderr(Stdio::null()).status();
        }
        // A process that blocks on a full pipe does not stop by itself.
        self.log_reader = None;
        for _ in 0..500 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.start_kill();
    }
}

/// The process, and the reader of its log if that is a pipe.
fn spawn(setup: &Setup, port: u16, admin_port: u16) -> anyhow::Result<(Child, Option<Child>)> {
    std::fs::create_dir_all(&setup.data_dir)?;
    let mut command = Command::new(&setup.program);
    if let Some(limit) = setup.descriptors {
        command = Command::new("prlimit");
        command.arg(format!("--nofile={limit}:{limit}")).arg(&setup.program);
    }
    command
        .args(["up", "--api-only", "--no-demo", "--port", &port.to_string(), "--data-dir"])
        .arg(&setup.data_dir);
    for name in ["DATABASE_URL", "STORAGE_DIR"] {
        command.env_remove(name);
    }
    // All requests of the load come from one address and one account.
    command.env("AUTH_RATE_LIMITS", "off").env("AUTH_MAILS_PER_HOUR", "1000000");
    command.env("AUTH_MAIL_INTERVAL_SECONDS", "0").env("STORAGE_QUOTA_OBJECTS", "1000000");
    command.env("ADMIN_PORT", admin_port.to_string()).env("RUST_LOG", "warn").envs(setup.env.iter().cloned());
    command.stderr(match &setup.log {
        Log::Pipe => Stdio::piped(),
        Log::File(file) => std::fs::File::options().create(true).append(true).open(file)?.into(),
    });
    let stdout = std::fs::File::create(setup.data_dir.with_extension("stdout"))?;
    let mut child = command.stdin(Stdio::null()).stdout(stdout).spawn().context("serasi can't be started")?;
    let log_reader = match child.stderr.take() {
        Some(pipe) => {
            let pipe: Stdio = pipe.try_into()?;
            let mut cat = Command::new("cat");
            Some(cat.stdin(pipe).stdout(Stdio::null()).kill_on_drop(true).spawn()?)
        }
        None => None,
    };
    Ok((child, log_reader))
}
