//! A real SMTP server in Python that fails on demand. It is installed once, and each test starts its own on a free port.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const TIMEOUT: Duration = Duration::from_secs(30);

pub struct SmtpServer {
    process: Child,
    input: ChildStdin,
    events: UnboundedReceiver<Value>,
    pub port: u16,
}

impl SmtpServer {
    /// A server that treats the mails in order as this plan says.
    ///
    /// # Panics
    /// Panics when the server does not start.
    pub async fn with_plan(plan: &str) -> Self {
        Self::start(&["--plan", plan]).await
    }

    /// # Panics
    /// Panics when the server does not start.
    pub async fn start(arguments: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("smtp_server.py");
        let mut process = Command::new(python())
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("start the SMTP server");
        let (said, events) = unbounded_channel();
        let output = BufReader::new(process.stdout.take().expect("its output is piped"));
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if said.send(serde_json::from_str(&line).expect("an event is JSON")).is_err() {
                    return;
                }
            }
        });
        let input = process.stdin.take().expect("its input is piped");
        let mut server = Self { process, input, events, port: 0 };
        let listening = server.next("listening").await;
        let port = listening["port"].as_u64().and_then(|port| port.try_into().ok());
        server.port = port.expect("a port");
        server
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The next event, which must be this one.
    ///
    /// # Panics
    /// Panics when another event happens, or none in time.
    pub async fn next(&mut self, event: &str) -> Value {
        let next = self.any(event).await;
        assert_eq!(next["event"], event, "{next}");
        next
    }

    /// Waits for this event and skips all others.
    ///
    /// # Panics
    /// Panics when it does not happen in time.
    pub async fn until(&mut self, event: &str) -> Value {
        loop {
            let next = self.any(event).await;
            if next["event"] == event {
                return next;
            }
        }
    }

    async fn any(&mut self, awaited: &str) -> Value {
        let next = tokio::time::timeout(TIMEOUT, self.events.recv()).await;
        next.unwrap_or_else(|_| panic!("{awaited} did not happen")).expect("the server runs")
    }

    /// All events so far that no call has returned.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    /// Accepts the mail that the server holds.
    ///
    /// # Panics
    /// Panics when the server has ended.
    pub fn release(&mut self) {
        self.input.write_all(b"go on\n").expect("the server runs");
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The Python interpreter, below target/, of an environment with the packages in `smtp_server_requirements.txt`.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        // Test programs are in target/debug/deps.
        let program = std::env::current_exe().expect("the path of the test");
        let folder = program.ancestors().nth(3).expect("the target folder").join("tmp/smtp-server");
        std::fs::create_dir_all(&folder).expect("create a folder");
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("smtp_server_requirements.txt");
        let wanted = std::fs::read_to_string(&requirements).expect("read the requirements");
        let installed = folder.join("installed.txt");
        // A lock, because test processes run in parallel.
        let lock = File::create(folder.join("lock")).expect("create a file");
        lock.lock().expect("lock the folder");
        if std::fs::read_to_string(&installed).ok().as_ref() != Some(&wanted) {
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder.join("venv")));
            run(Command::new(folder.join("venv/bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
                .arg(&requirements));
            std::fs::write(&installed, wanted).expect("write a file");
        }
        folder.join("venv/bin/python")
    })
}

fn run(command: &mut Command) {
    let succeeded = command.status().is_ok_and(|status| status.success());
    assert!(succeeded, "{command:?} failed: python3 with venv and pip is needed (Debian: python3-venv)");
}
