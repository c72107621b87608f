//! The real `serasi up`: started, killed, and restarted with the same data directory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStderr, Command};
use tokio::sync::watch;
use tokio::time::Instant;

use super::system::{self, free_port, signal};

const START_TIMEOUT: Duration = Duration::from_secs(90);
pub const STOP_TIMEOUT: Duration = Duration::from_secs(30);

/// The destination of the log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Log {
    #[default]
    File,
    /// A pipe, which is read until [`Product::set_log_reader`] changes that.
    Pipe,
    /// A file on a small disk.
    Disk(PathBuf),
}

/// What happens to the pipe's reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogReader {
    Reads,
    /// It stops reading, so the pipe fills up.
    Stalled,
    /// It has exited, so writes fail.
    Dead,
}

/// The start options, kept for restarts.
#[derive(Default)]
pub struct Setup {
    pub program: PathBuf,
    pub data_dir: PathBuf,
    pub env: HashMap<&'static str, String>,
    pub log: Log,
    /// Maximum number of open files.
    pub descriptors: Option<u32>,
}

pub struct Product {
    setup: Setup,
    child: Child,
    log_reader: watch::Sender<LogReader>,
    port: u16,
    admin_port: u16,
}

impl Product {
    /// # Errors
    /// When it does not become ready.
    pub async fn start(setup: Setup) -> anyhow::Result<Self> {
        let (port, admin_port) = (free_port()?, free_port()?);
        let (child, log_reader) = launch_read(&setup, port, admin_port)?;
        let mut product = Self { setup, child, log_reader, port, admin_port };
        product.wait_until_ready().await?;
        Ok(product)
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The URL of `/ready` on the admin port.
    pub fn ready_url(&self) -> String {
        format!("http://127.0.0.1:{}/ready", self.admin_port)
    }

    pub fn pid(&self) -> u32 {
        self.child.id().unwrap_or_default()
    }

    pub fn data_dir(&self) -> &Path {
        &self.setup.data_dir
    }

    /// Its last output, if it has exited.
    pub fn exited(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        let said = std::fs::read_to_string(self.log_file()).unwrap_or_default();
        let last = said.lines().rfind(|line| line.starts_with("serasi: ")).unwrap_or_default();
        Some(format!("serasi exited ({status}): {last}"))
    }

    fn log_file(&self) -> PathBuf {
        log_file(&self.setup)
    }

    /// # Errors
    /// When it exits or takes too long.
    pub async fn wait_until_ready(&mut self) -> anyhow::Result<Duration> {
        let began = Instant::now();
        let said = stdout_file(&self.setup);
        loop {
            let text = std::fs::read_to_string(&said).unwrap_or_default();
            if text.lines().any(|line| line.starts_with("ready")) {
                break;
            }
            if let Some(ended) = self.exited() {
                bail!("not ready: {ended}");
            }
            if began.elapsed() > START_TIMEOUT {
                bail!("serasi was not ready after {} s", START_TIMEOUT.as_secs());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(began.elapsed())
    }

    /// For a product whose log is a [`Log::Pipe`].
    pub fn set_log_reader(&self, state: LogReader) {
        self.log_reader.send_replace(state);
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
        signal("-TERM", &[self.pid()]).await;
        let ended = tokio::time::timeout(STOP_TIMEOUT, self.child.wait()).await;
        Ok(ended.context("serasi does not stop on SIGTERM")??)
    }

    /// Starts it on the same data and port, without waiting until it is ready.
    ///
    /// # Errors
    /// When it can't be started.
    pub fn launch_again(&mut self) -> anyhow::Result<()> {
        (self.child, self.log_reader) = launch_read(&self.setup, self.port, self.admin_port)?;
        Ok(())
    }

    /// Starts it on the same data and port.
    ///
    /// # Errors
    /// When it does not become ready.
    pub async fn start_again(&mut self) -> anyhow::Result<Duration> {
        self.launch_again()?;
        self.wait_until_ready().await
    }

    /// Returns the output of `serasi status --output env`.
    ///
    /// # Errors
    /// When the command fails.
    pub async fn settings(&self) -> anyhow::Result<HashMap<String, String>> {
        let program = self.setup.program.display().to_string();
        let data_dir = self.setup.data_dir.display().to_string();
        let said = system::run(&program, &["status", "--output", "env", "--data-dir", &data_dir]).await?;
        let pairs = said.lines().filter_map(|line| line.split_once('='));
        Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}

impl Product {
    /// Generates influencers to search.
    ///
    /// # Errors
    /// When the database rejects a statement.
    pub async fn seed(&self, database: &str) -> anyhow::Result<()> {
        let program = self.setup.program.display().to_string();
        let database = format!("DATABASE_URL={database}");
        system::run("env", &[&database, &program, "seed", "--influencers", "5000"]).await.map(drop)
    }
}

impl Drop for Product {
    fn drop(&mut self) {
        let Some(pid) = self.child.id() else { return };
        for name in ["-CONT", "-TERM"] {
            let _ = std::process::Command::new("kill")
                .args([name, &pid.to_string()])
                .stderr(Stdio::null())
                .status();
        }
        // A process that blocks on a full pipe does not stop by itself.
        self.set_log_reader(LogReader::Reads);
        for _ in 0..500 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.start_kill();
    }
}

/// Reads the log if it is a pipe.
fn launch_read(
    setup: &Setup,
    port: u16,
    admin_port: u16,
) -> anyhow::Result<(Child, watch::Sender<LogReader>)> {
    let mut child = launch(setup, port, admin_port)?;
    let (log_reader, state) = watch::channel(LogReader::Reads);
    if let Some(pipe) = child.stderr.take() {
        tokio::spawn(read_log(pipe, state));
    }
    Ok((child, log_reader))
}

async fn read_log(mut pipe: ChildStderr, mut state: watch::Receiver<LogReader>) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let now = *state.borrow_and_update();
        tokio::select! {
            changed = state.changed() => if changed.is_err() { return },
            read = pipe.read(&mut bytes), if now == LogReader::Reads => if !matches!(read, Ok(1..)) { return },
            () = std::future::ready(()), if now == LogReader::Dead => return,
        }
    }
}

fn launch(setup: &Setup, port: u16, admin_port: u16) -> anyhow::Result<Child> {
    let mut command = match setup.descriptors {
        Some(limit) => {
            let mut command = Command::new("prlimit");
            command.arg(format!("--nofile={limit}:{limit}")).arg(&setup.program);
            command
        }
        None => Command::new(&setup.program),
    };
    std::fs::create_dir_all(&setup.data_dir)?;
    let stderr = match &setup.log {
        Log::Pipe => Stdio::piped(),
        Log::File | Log::Disk(_) => {
            std::fs::File::options().create(true).append(true).open(log_file(setup))?.into()
        }
    };
    command
        .args(["up", "--api-only", "--no-demo", "--port", &port.to_string(), "--data-dir"])
        .arg(&setup.data_dir)
        // All requests of the load come from one address and one account.
        .env("AUTH_RATE_LIMITS", "off")
        .env("AUTH_MAILS_PER_HOUR", "1000000")
        .env("AUTH_MAIL_INTERVAL_SECONDS", "0")
        .env("STORAGE_QUOTA_OBJECTS", "1000000")
        .env("ADMIN_PORT", admin_port.to_string())
        .env("RUST_LOG", "warn")
        .envs(&setup.env)
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(stdout_file(setup))?)
        .stderr(stderr)
        .kill_on_drop(false);
    for name in ["DATABASE_URL", "SMTP_URL", "STORAGE_DIR"] {
        if !setup.env.contains_key(name) {
            command.env_remove(name);
        }
    }
    command.spawn().context("serasi can't be started")
}

fn stdout_file(setup: &Setup) -> PathBuf {
    setup.data_dir.with_extension("stdout")
}

fn log_file(setup: &Setup) -> PathBuf {
    match &setup.log {
        Log::Disk(folder) => folder.join("serasi.log"),
        _ => setup.data_dir.with_extension("log"),
    }
}
