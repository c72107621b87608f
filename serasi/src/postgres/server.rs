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

use super::Settings;
use super::address::{free_port, is_free, runtime_dir};
use super::cluster::{self, SUPERUSER};
use super::disk::Disk;
use super::identity::{Identity, Place};
use super::leftovers;
use super::log::Log;
use super::package::Package;
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
    package: Package,
    identity: Identity,
    data: PathBuf,
    runtime: PathBuf,
    port: u16,
    password: Secret,
    pub log: Log,
    pub disk: Disk,
}

impl Server {
    /// Creates the cluster if necessary and starts the server.
    ///
    /// # Errors
    /// When the server does not start. The message contains its last log lines.
    pub async fn start(package: &Package, data_dir: &DataDir, settings: Settings) -> anyhow::Result<Self> {
        Self::create_in(Place::choose(package, data_dir)?, data_dir, settings).await
    }

    /// # Errors
    /// See [`Server::start`].
    pub async fn create_in(place: Place, data_dir: &DataDir, settings: Settings) -> anyhow::Result<Self> {
        cluster::create(&place, &data_dir.secret("postgres-password")?)?;
        Self::start_in(place, data_dir, settings).await
    }

    /// Starts the server of an existing cluster.
    ///
    /// # Errors
    /// See [`Server::start`].
    pub async fn start_in(place: Place, data_dir: &DataDir, settings: Settings) -> anyhow::Result<Self> {
        let Place { package, data, identity } = place;
        let runtime = runtime_dir(&data)?;
        let password = data_dir.secret("postgres-password")?;
        stop_orphan(&data);
        let log = data_dir.path().join("postgres.log");
        let log = Log::open(&log, settings.log_bytes).context("the server's log can't be written")?;
        let disk = Disk::new(&data, settings.min_free, settings.reserve);
        let mut server = Self { child: None, package, identity, data, runtime, port: 0, password, log, disk };
        for attempt in 1..=PORT_ATTEMPTS {
            server.port = free_port(&server.data)?;
            let Err(error) = server.launch("127.0.0.1").await else { return Ok(server) };
            let log_lines = server.log.last_lines();
            let port_taken = attempt < PORT_ATTEMPTS && server.log.mentions("Address already in use");
            let can_help = server.disk.is_low() && server.disk.release();
            if !port_taken && !can_help {
                return Err(error.context(format!("PostgreSQL does not start: {log_lines}")));
            }
        }
        bail!("there is no free port for PostgreSQL")
    }

    /// Restarts an ended server with the same port and socket.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        // The services use the socket. Without the port, only external tools can't connect.
        let address = if is_free(self.port) { "127.0.0.1" } else { "" };
        if address.is_empty() {
            tracing::warn!(
                port = self.port,
                "another program uses PostgreSQL's port; PostgreSQL listens on its socket only"
            );
        }
        self.launch(address).await
    }

    async fn launch(&mut self, listen_addresses: &str) -> anyhow::Result<()> {
        self.end_leftovers();
        self.identity.take_over(&self.data)?;
        self.identity.take_over(&self.runtime)?;
        let child = self.spawn(listen_addresses)?;
        let child = self.child.insert(child);
        let ready = wait_until_ready(child, &self.data).await;
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

    /// Kills backends left over from a killed server.
    pub fn end_leftovers(&self) {
        leftovers::end(&self.data);
    }

    fn spawn(&mut self, listen_addresses: &str) -> anyhow::Result<Child> {
        let log = self.log.writer().context("the server's log can't be read")?;
        let settings = [
            format!("port={}", self.port),
            format!("listen_addresses={listen_addresses}"),
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
        let mut command = Command::new(self.package.program("postgres"));
        command.arg("-D").arg(&self.data);
        for setting in settings {
            command.arg("-c").arg(setting);
        }
        // PostgreSQL would report its own readiness to the service manager.
        command.env_remove("NOTIFY_SOCKET");
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        self.identity.apply(&mut command);
        command.spawn().context("PostgreSQL can't be started")
    }

    /// The superuser's TCP URL, for users and their tools.
    pub fn superuser_url(&self, database: &str) -> String {
        format!("postgres://{SUPERUSER}:{}@127.0.0.1:{}/{database}", self.password.expose(), self.port)
    }

    /// A login's URL over the socket, which is faster than TCP.
    pub fn login_url(&self, login: &str, password: &Secret, database: &str) -> String {
        let socket = self.runtime.display().to_string().replace('/', "%2F");
        format!("postgres://{login}:{}@{socket}:{}/{database}", password.expose(), self.port)
    }

    /// The superuser's URL over the socket, for this process.
    pub fn own_url(&self, database: &str) -> String {
        self.login_url(SUPERUSER, &self.password, database)
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

/// Stops a server that outlived a killed launcher, on systems where the kernel does not stop it. The caller
/// holds the data directory's lock, so the server is no longer in use.
fn stop_orphan(data: &Path) {
    let Ok(file) = fs::read_to_string(data.join("postmaster.pid")) else { return };
    let mut lines = file.lines();
    let Some(pid) = lines.next().and_then(|line| line.trim().parse::<u32>().ok()) else { return };
    // The pid may belong to another program by now. Only a server listens on the socket in the file.
    let (socket, port) =
        (lines.nth(3).unwrap_or_default().trim().to_owned(), file.lines().nth(3).unwrap_or_default());
    let path = Path::new(&socket).join(format!(".s.PGSQL.{}", port.trim()));
    if std::os::unix::net::UnixStream::connect(&path).is_err() {
        return;
    }
    interrupt(pid);
    let until = Instant::now() + STOP_TIMEOUT;
    while data.join("postmaster.pid").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn interrupt(pid: u32) {
    use nix::sys::signal::{Signal, kill};
    if let Ok(pid) = i32::try_from(pid) {
        let _ = kill(nix::unistd::Pid::from_raw(pid), Signal::SIGINT);
    }
}
