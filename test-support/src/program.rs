//! Runs a service's binary, as a container would.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::metrics;

const LIMIT: Duration = Duration::from_secs(20);

/// Reports that a test is skipped because this machine lacks something.
///
/// # Panics
/// Panics in CI, where every test must run.
#[track_caller]
pub fn skip(reason: &str) {
    assert!(std::env::var_os("CI").is_none(), "a test may not be skipped in CI: {reason}");
    eprintln!("skipped: {reason}");
}

/// Killed when dropped.
pub struct Program {
    process: Child,
    /// The program's output, in an unnamed temporary file.
    log: File,
    admin_port: u16,
}

impl Program {
    /// Starts the binary with these variables, a free port and an admin port.
    ///
    /// # Panics
    /// Panics when the binary can't be started.
    pub fn start(path: &str, environment: &[(&str, &str)], log: File) -> Self {
        Self::spawn(Command::new(path), environment, log)
    }

    /// Starts a binary with its arguments on this socket, which stays open in the test, as a service manager does.
    ///
    /// # Panics
    /// Panics when the binary can't be started.
    pub fn start_on(socket: &TcpListener, command: &[&str], environment: &[(&str, &str)], log: File) -> Self {
        Self::spawn(on_socket(socket, command), environment, log)
    }

    /// Like [`Self::start_on`], with a socket for operators.
    ///
    /// # Panics
    /// Panics when the binary can't be started.
    pub fn start_with_admin_socket(
        socket: &TcpListener,
        path: &str,
        environment: &[(&str, &str)],
        log: File,
    ) -> Self {
        let named = [environment, &[("LISTEN_FDNAMES", "admin")]].concat();
        let address = socket.local_addr().expect("the socket's address");
        let mut program = Self::spawn(on_socket(socket, &[path]), &named, log);
        program.admin_port = address.port();
        program
    }

    fn spawn(mut command: Command, environment: &[(&str, &str)], log: File) -> Self {
        let admin_port = free_port();
        let process = command
            .env_clear()
            .envs(environment.iter().copied())
            .env("PORT", free_port().to_string())
            .env("ADMIN_PORT", admin_port.to_string())
            .env("PGRST_ADMIN_SERVER_PORT", admin_port.to_string())
            .stdout(Stdio::from(log.try_clone().expect("share the log")))
            .stderr(Stdio::from(log.try_clone().expect("share the log")))
            .spawn()
            .expect("start the program");
        Self { process, log, admin_port }
    }

    /// Returns once the admin endpoint responds with this status.
    ///
    /// # Panics
    /// Panics when that takes too long.
    pub async fn answers(&mut self, path: &str, status: u16) {
        let began = Instant::now();
        loop {
            let answer = self.status_of(path).await;
            if answer == Some(status) {
                return;
            }
            assert!(began.elapsed() < LIMIT, "{path} answers {answer:?}: {}", self.log());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    async fn status_of(&self, path: &str) -> Option<u16> {
        self.answer_to(path).await.ok()?.split(' ').nth(1)?.parse().ok()
    }

    async fn answer_to(&self, path: &str) -> std::io::Result<String> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.admin_port));
        let mut stream = TcpStream::connect(address).await?;
        let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }

    /// Checks the metrics with Prometheus' linter, or where it is not installed, only that each has a help text.
    ///
    /// # Panics
    /// Panics when the admin endpoint does not answer, or the metrics are not as Prometheus recommends.
    pub async fn has_valid_metrics(&self) {
        let answer = self.answer_to("/metrics").await.expect("the admin endpoint answers");
        let (_, metrics) = answer.split_once("\r\n\r\n").expect("a response");
        metrics::check(metrics);
    }

    /// Asks the process to stop, as a service manager does.
    ///
    /// # Panics
    /// Panics when there is no `kill`.
    pub fn stop(&self) {
        let id = self.process.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("run kill").success());
    }

    /// Waits until the process exits on its own.
    ///
    /// # Panics
    /// Panics when that takes too long.
    pub async fn ended(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("look after the program") {
                return status;
            }
            assert!(began.elapsed() < LIMIT, "it does not end: {}", self.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// # Panics
    /// Panics when the log is not UTF-8.
    pub fn log(&self) -> String {
        // Reads without moving the cursor, because the process writes through the same file description.
        let mut text = vec![0; self.log.metadata().map_or(0, |file| file.len() as usize)];
        self.log.read_exact_at(&mut text, 0).expect("read the log");
        String::from_utf8(text).expect("the log is text")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn on_socket(socket: &TcpListener, program: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    // The socket must be descriptor 3, and the variables name the process.
    command.args(["-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" \"$@\" 3<&0 0</dev/null"]);
    command.args(program);
    command.stdin(OwnedFd::from(socket.try_clone().expect("share the socket")));
    command
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    listener.local_addr().expect("its address").port()
}
