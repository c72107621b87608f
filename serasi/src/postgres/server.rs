//! Starts the cluster, waits until it answers, stops it.
//!
//! The kernel stops it too when the thread that started it ends (Linux): start it from the main
//! thread, never from one of the runtime's.

use std::fs::{self, OpenOptions};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use platform::secret::Secret;
use sha2::{Digest, Sha256};

use super::cluster::{self, SUPERUSER};
use super::identity::{Identity, Residence};
use super::package::Package;
use crate::data_dir::DataDir;

/// Recovery after a crash may take a while on a large database.
const START_TIMEOUT: Duration = Duration::from_secs(120);
const STOP_TIMEOUT: Duration = Duration::from_secs(15);
/// Others may take a port between our look and the server's start.
const PORT_ATTEMPTS: usize = 5;

pub struct Server {
    child: Child,
    runtime: PathBuf,
    port: u16,
    password: Secret,
}

impl Server {
    /// Makes the cluster if need be, and starts it.
    ///
    /// # Errors
    /// When it does not start; the server's own last words are part of the message.
    pub fn start(package: &Package, data_dir: &DataDir) -> anyhow::Result<Self> {
        let mut package = package.clone();
        let mut data = data_dir.path().join("postgres");
        let residence = Residence::choose(&package.native, &data)?;
        let identity = residence.identity;
        if let Some(elsewhere) = residence.relocate_to {
            eprintln!(
                "  PostgreSQL can't run as root and can't reach {}: its files live in {}",
                data.display(),
                elsewhere.display()
            );
            package = package.copy_to(&elsewhere)?;
            data = elsewhere.join("postgres");
        }
        let runtime = runtime_dir(&data)?;
        let password = data_dir.secret("postgres-password")?;
        stop_orphan(&data);
        cluster::create(&package, identity, &data, &runtime, &password)?;
        identity.take_over(&data)?;
        identity.take_over(&runtime)?;
        let log = data_dir.path().join("postgres.log");
        for attempt in 1..=PORT_ATTEMPTS {
            let port = free_port(&data)?;
            let mut child = spawn(&package, identity, &data, &runtime, port, &log)?;
            match wait_until_ready(&mut child, &data) {
                Ok(()) => return Ok(Self { child, runtime, port, password }),
                Err(error) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    let said = last_lines(&log);
                    if attempt == PORT_ATTEMPTS || !said.contains("Address already in use") {
                        return Err(error.context(format!("PostgreSQL does not start: {said}")));
                    }
                }
            }
        }
        bail!("PostgreSQL finds no free port")
    }

    /// The superuser's address over TCP, for people and their tools.
    pub fn superuser_url(&self, database: &str) -> String {
        format!("postgres://{SUPERUSER}:{}@127.0.0.1:{}/{database}", self.password.expose(), self.port)
    }

    /// A login's address over the socket, the shorter way.
    pub fn login_url(&self, login: &str, password: &Secret, database: &str) -> String {
        let socket = self.runtime.display().to_string().replace('/', "%2F");
        format!("postgres://{login}:{}@{socket}:{}/{database}", password.expose(), self.port)
    }

    /// Whether the server is still there.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Server {
    /// A fast, clean stop; a hard one if that takes too long.
    fn drop(&mut self) {
        if !self.is_alive() {
            return;
        }
        let until = Instant::now() + STOP_TIMEOUT;
        interrupt(self.child.id());
        while Instant::now() < until {
            if !self.is_alive() {
                let _ = fs::remove_dir(&self.runtime);
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn spawn(
    package: &Package,
    identity: Identity,
    data: &Path,
    runtime: &Path,
    port: u16,
    log: &Path,
) -> anyhow::Result<Child> {
    let log = OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .context("the server's log can't be written")?;
    let settings = [
        format!("port={port}"),
        "listen_addresses=127.0.0.1".to_owned(),
        format!("unix_socket_directories={}", runtime.display()),
        "max_connections=100".to_owned(),
        "shared_buffers=128MB".to_owned(),
        // Short queries: compiling them costs more than it saves.
        "jit=off".to_owned(),
        "password_encryption=scram-sha-256".to_owned(),
        "log_timezone=UTC".to_owned(),
        "timezone=UTC".to_owned(),
        "compute_query_id=on".to_owned(),
    ];
    let mut command = Command::new(package.program("postgres"));
    command.arg("-D").arg(data);
    for setting in settings {
        command.arg("-c").arg(setting);
    }
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    identity.apply(&mut command);
    command.spawn().context("PostgreSQL can't be started")
}

/// `postmaster.pid` tells: line 1 the process, line 8 its state.
fn wait_until_ready(child: &mut Child, data: &Path) -> anyhow::Result<()> {
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
        std::thread::sleep(Duration::from_millis(3));
    }
    bail!("it does not answer after {} s", START_TIMEOUT.as_secs())
}

/// A server that outlived a killed launcher (where the kernel does not stop it for us). We hold the
/// data directory's lock, so nobody needs it any more.
fn stop_orphan(data: &Path) {
    let Ok(file) = fs::read_to_string(data.join("postmaster.pid")) else { return };
    let mut lines = file.lines();
    let Some(pid) = lines.next().and_then(|line| line.trim().parse::<u32>().ok()) else { return };
    // The number may belong to another program by now: only a server answers on the socket it names.
    let (socket, port) =
        (lines.nth(3).unwrap_or_default().trim().to_owned(), file.lines().nth(3).unwrap_or_default());
    let path = Path::new(&socket).join(format!(".s.PGSQL.{}", port.trim()));
    #[cfg(unix)]
    if std::os::unix::net::UnixStream::connect(&path).is_err() {
        return;
    }
    interrupt(pid);
    let until = Instant::now() + STOP_TIMEOUT;
    while data.join("postmaster.pid").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
fn interrupt(pid: u32) {
    use nix::sys::signal::{Signal, kill};
    if let Ok(pid) = i32::try_from(pid) {
        let _ = kill(nix::unistd::Pid::from_raw(pid), Signal::SIGINT);
    }
}

#[cfg(not(unix))]
fn interrupt(_pid: u32) {}

/// Socket paths may have 107 bytes at most, so the socket lives in a short folder named after the data.
fn runtime_dir(data: &Path) -> anyhow::Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("serasi-{}", short_hash(data)));
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&folder) {
        Ok(()) => Ok(folder),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && is_ours(&folder) => Ok(folder),
        Err(error) => {
            Err(error).with_context(|| format!("{} can't be used for the server's socket", folder.display()))
        }
    }
}

/// A folder in a place everybody may write to could have been put there by somebody else.
fn is_ours(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let caller = nix::unistd::geteuid().as_raw();
        folder.symlink_metadata().is_ok_and(|about| about.is_dir() && (about.uid() == caller || caller == 0))
    }
    #[cfg(not(unix))]
    folder.is_dir()
}

pub fn short_hash(path: &Path) -> String {
    let hash = Sha256::digest(path.as_os_str().as_encoded_bytes());
    hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

/// The port of the last start, if it is still free: people keep it in their tools.
fn free_port(data: &Path) -> anyhow::Result<u16> {
    let last = fs::read_to_string(data.join("postmaster.opts"))
        .ok()
        .and_then(|options| options.split("port=").nth(1)?.split('"').next()?.parse::<u16>().ok());
    let listener = last
        .and_then(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok())
        .map_or_else(|| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)), Ok)
        .context("no free port for PostgreSQL")?;
    Ok(listener.local_addr()?.port())
}

fn last_lines(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(4)..].join(" | ")
}
