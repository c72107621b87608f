//! Starts, restarts and stops the server process, and waits until it is ready.
//!
//! On Linux the kernel also stops the server when the thread that started it ends. Start it from the main
//! thread, never from a runtime thread.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use platform::secret::Secret;

use super::address::{free_port, runtime_dir};
use super::cluster::{Cluster, SUPERUSER};
use super::disk::Disk;
use super::leftovers;
use super::log::Log;
use crate::data_dir::DataDir;

/// Crash recovery may take a while on a large database.
const START_TIMEOUT: Duration = Duration::from_secs(600);
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Another process may take the port between the check and the server's start.
const PORT_ATTEMPTS: usize = 5;

pub struct Server {
    /// The running server, or the last one that ran.
    child: Option<Child>,
    cluster: Cluster,
    runtime: PathBuf,
    port: u16,
    password: Secret,
    pub log: Log,
    pub disk: Disk,
}

impl Server {
    /// Starts the server of an existing cluster.
    ///
    /// # Errors
    /// When the server does not start. The message contains its last log lines.
    pub async fn start(cluster: Cluster, data_dir: &DataDir) -> anyhow::Result<Self> {
        leftovers::wait(&cluster.data);
        let runtime = runtime_dir(&cluster.data)?;
        let password = data_dir.secret("postgres-password")?;
        let log = Log::new(data_dir.path().join("postgres.log"));
        log.keep_short();
        let disk = Disk::new(&cluster.data);
        let mut server = Self { child: None, cluster, runtime, port: 0, password, log, disk };
        for attempt in 1..=PORT_ATTEMPTS {
            server.port = free_port(&server.cluster.data)?;
            let Err(error) = server.launch().await else { return Ok(server) };
            let port_taken = attempt < PORT_ATTEMPTS && server.log.mentions("Address already in use");
            let can_help = server.disk.is_low() && server.disk.release();
            if !port_taken && !can_help {
                let lines = server.log.last_lines();
                return Err(error.context(format!("PostgreSQL does not start: {lines}")));
            }
        }
        bail!("there is no free port for PostgreSQL")
    }

    /// Starts the server, or restarts one that has ended, with the same port and socket.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn launch(&mut self) -> anyhow::Result<()> {
        leftovers::end(&self.cluster.data);
        self.cluster.identity.take_over(&self.cluster.data)?;
        self.cluster.identity.take_over(&self.runtime)?;
        let child = self.spawn()?;
        let child = self.child.insert(child);
        let ready = wait_until_ready(child, &self.cluster.data).await;
        if ready.is_err() {
            let _ = child.kill();
            let _ = child.wait();
        }
        ready
    }

    /// The exit status, if the server has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.child.as_mut()?.try_wait().ok().flatten()
    }

    fn spawn(&mut self) -> anyhow::Result<Child> {
        let log = self.log.open().context("the server's log can't be written")?;
        let settings = [
            format!("port={}", self.port),
            "listen_addresses=127.0.0.1".to_owned(),
            format!("unix_socket_directories={}", self.runtime.display()),
            "max_connections=100".to_owned(),
            "shared_buffers=128MB".to_owned(),
            // For short queries JIT compilation costs more than it saves.
            "jit=off".to_owned(),
            "password_encryption=scram-sha-256".to_owned(),
            "log_timezone=UTC".to_owned(),
            "timezone=UTC".to_owned(),
            "compute_query_id=on".to_owned(),
        ];
        let mut command = Command::new(self.cluster.package.program("postgres"));
        command.arg("-D").arg(&self.cluster.data);
        for setting in settings {
            command.arg("-c").arg(setting);
        }
        // PostgreSQL would report its own readiness to the service manager.
        command.env_remove("NOTIFY_SOCKET");
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.cluster.identity.apply(&mut command);
        command.spawn().context("PostgreSQL can't be started")
    }

    /// The superuser's TCP URL, for users and their tools.
    pub fn url(&self, database: &str) -> Secret {
        self.url_at("127.0.0.1", database)
    }

    /// The superuser's URL over the socket.
    pub fn socket_url(&self, database: &str) -> Secret {
        self.url_at(&self.runtime.display().to_string().replace('/', "%2F"), database)
    }

    fn url_at(&self, host: &str, database: &str) -> Secret {
        let (password, port) = (self.password.expose(), self.port);
        Secret::new(format!("postgres://{SUPERUSER}:{password}@{host}:{port}/{database}"))
    }
}

impl Drop for Server {
    /// Fast shutdown, or a kill after the timeout.
    fn drop(&mut self) {
        let Some(mut child) = self.child.take() else { return };
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        let until = Instant::now() + STOP_TIMEOUT;
        interrupt(child.id());
        while Instant::now() < until {
            if !matches!(child.try_wait(), Ok(None)) {
                let _ = fs::remove_dir(&self.runtime);
                return;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

/// Waits until `postmaster.pid` names the process (line 1) and the status `ready` (line 8).
async fn wait_until_ready(child: &mut Child, data: &Path) -> anyhow::Result<()> {
    let until = Instant::now() + START_TIMEOUT;
    let pid = child.id().to_string();
    while Instant::now() < until {
        if let Some(status) = child.try_wait()? {
            bail!("it ended ({status})");
        }
        let file = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
        let lines: Vec<&str> = file.lines().map(str::trim).collect();
        if lines.first() == Some(&pid.as_str()) && lines.get(7) == Some(&"ready") {
            return Ok(());
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    bail!("it did not answer within {} s", START_TIMEOUT.as_secs())
}

fn interrupt(pid: u32) {
    use nix::sys::signal::{Signal, kill};
    if let Ok(pid) = i32::try_from(pid) {
        let _ = kill(nix::unistd::Pid::from_raw(pid), Signal::SIGINT);
    }
}
