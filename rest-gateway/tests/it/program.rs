//! Runs the program under the name `postgrest`.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use test_support::database::TestDatabase;

use crate::support::{SECRET, uri};

const WAIT: Duration = Duration::from_secs(20);

/// A folder with the program and its files.
pub struct Program {
    folder: TempDir,
    name: &'static str,
    env: Vec<(String, String)>,
}

impl Program {
    /// A program without a database and settings.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_rest-gateway"), folder.path().join("postgrest"))
            .unwrap();
        Self { folder, name: "postgrest", env: Vec::new() }
    }

    /// A program with the fixtures' database and a socket instead of a port.
    pub fn with(database: &TestDatabase) -> Self {
        let program = Self::new();
        let socket = program.path("api.sock").display().to_string();
        program
            .set("PGRST_DB_URI", &uri(database))
            .set("PGRST_DB_SCHEMAS", "api")
            .set("PGRST_DB_ANON_ROLE", "gateway_anon")
            .set("PGRST_DB_POOL", "3")
            .set("PGRST_JWT_SECRET", SECRET)
            .set("PGRST_SERVER_UNIX_SOCKET", &socket)
    }

    pub fn set(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The name of the program's file.
    pub fn named(mut self, name: &'static str) -> Self {
        std::fs::rename(self.path(self.name), self.path(name)).unwrap();
        self.name = name;
        self
    }

    pub fn unset(mut self, name: &str) -> Self {
        self.env.retain(|(known, _)| known != name);
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file and returns its path.
    pub fn file(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.path(self.name));
        command.args(arguments).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs the program and waits for its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Asserts that a command succeeds, and returns its standard output.
    pub fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Asserts that a command fails, and returns its standard error.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
        String::from_utf8(output.stderr).unwrap()
    }

    pub fn start(self, arguments: &[&str]) -> Running {
        let log = std::fs::File::create(self.path("log")).unwrap();
        let mut command = self.command(arguments);
        let child =
            command.stdout(log.try_clone().unwrap()).stderr(log).stdin(Stdio::null()).spawn().unwrap();
        Running { child, program: self }
    }

    /// Starts and waits until the socket or port answers.
    pub fn serve(self, arguments: &[&str]) -> Running {
        let mut running = self.start(arguments);
        running.wait_until("it listens", |running| running.log().contains("API server listening on"));
        running
    }
}

pub struct Running {
    pub child: Child,
    pub program: Program,
}

pub struct Response {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Running {
    /// Standard output and standard error.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.program.path("log")).unwrap()
    }

    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let began = Instant::now();
        while !holds(self) {
            assert!(began.elapsed() < WAIT, "timeout: {what}: {}", self.log());
            if let Some(status) = self.child.try_wait().unwrap() {
                panic!("it ended with {status}, expected: {what}: {}", self.log());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn wait_for_exit(&mut self) -> i32 {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(began.elapsed() < WAIT, "it never ends: {}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    pub fn socket(&self) -> UnixStream {
        UnixStream::connect(self.program.path("api.sock")).unwrap()
    }

    pub fn get(&self, path: &str) -> Response {
        self.send(path, "")
    }

    pub fn send(&self, path: &str, headers: &str) -> Response {
        exchange(self.socket(), path, headers)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn get_port(port: u16, path: &str) -> Response {
    exchange(TcpStream::connect(("127.0.0.1", port)).unwrap(), path, "")
}

pub fn exchange(mut stream: impl Read + Write, path: &str, headers: &str) -> Response {
    write!(stream, "GET {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n{headers}\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    Response { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

pub fn free_port() -> u16 {
    std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
