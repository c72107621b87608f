//! Starts the real program and waits for its `ready` line.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

pub fn serasi() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_serasi"));
    for ours in [
        "API_EXTERNAL_URL",
        "ADMIN_PORT",
        "BACKUP_EVERY",
        "BACKUP_KEY",
        "BACKUP_KEEP",
        "BACKUP_TO",
        "DATABASE_URL",
        "JWT_PREVIOUS_SECRETS",
        "JWT_SECRET",
        "JWT_SIGNING_KEYS",
        "SITE_URL",
        "TEST_DATABASE_URL",
    ] {
        command.env_remove(ours);
    }
    command.stdin(Stdio::null());
    command
}

/// `serasi up` with APIs only, without demo data, on the given port.
pub fn up(data_dir: &Path, port: u16) -> Command {
    let mut command = serasi();
    command.args(["up", "--api-only", "--no-demo", "--port", &port.to_string(), "--data-dir"]).arg(data_dir);
    command
}

pub fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

/// A running launcher, which is killed on drop.
pub struct Launcher(pub Child);

impl Launcher {
    pub fn start(data_dir: &Path, port: u16) -> Self {
        Self::of(up(data_dir, port))
    }

    pub fn of(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.any(|line| line.unwrap().starts_with("ready"));
        assert!(ready, "ended before it was ready: {:?}", child.wait_with_output());
        Self(child)
    }

    pub fn signal(&self, name: &str) {
        Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap();
    }

    pub fn wait(mut self) -> std::process::ExitStatus {
        self.0.wait().unwrap()
    }
}

impl Drop for Launcher {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether a server is still running on this data directory.
pub fn postgres_runs(data_dir: &Path) -> bool {
    let Ok(file) = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")) else { return false };
    let pid = file.lines().next().unwrap().trim().to_owned();
    Command::new("kill").args(["-0", &pid]).stderr(Stdio::null()).status().unwrap().success()
}

pub fn within(limit: Duration, mut condition: impl FnMut() -> bool) -> bool {
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if condition() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Asserts that the command failed with a single error line, and returns that line.
pub fn refusal(output: &Output) -> String {
    assert!(!output.status.success(), "it should have failed");
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    let lines: Vec<&str> = stderr.lines().filter(|line| line.starts_with("serasi: ")).collect();
    assert_eq!(lines.len(), 1, "one line, not {stderr:?}");
    lines[0].to_owned()
}
