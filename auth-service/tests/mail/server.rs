//! The SMTP server in Python. It is installed once, and each test starts its own on a free port.

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
    pub async fn with_plan(plan: &str) -> Self {
        Self::start(&["--plan", plan]).await
    }

    pub async fn start(arguments: &[&str]) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/smtp_server.py");
        let mut process = Command::new(python())
            .arg(script)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (said, events) = unbounded_channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if said.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = process.stdin.take().unwrap();
        let mut server = Self { process, input, events, port: 0 };
        let listening = server.next("listening").await;
        server.port = listening["port"].as_u64().unwrap().try_into().unwrap();
        server
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// The next event, which must be this one.
    pub async fn next(&mut self, event: &str) -> Value {
        let next = self.any(event).await;
        assert_eq!(next["event"], event, "{next}");
        next
    }

    /// Waits for this event and skips all others.
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
        next.unwrap_or_else(|_| panic!("{awaited} did not happen")).unwrap()
    }

    /// All events so far that no call has returned.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    /// Accepts the mail that the server holds.
    pub fn release(&mut self) {
        self.input.write_all(b"go on\n").unwrap();
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The Python interpreter, below target/, of an environment with the packages in `requirements.txt`.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("smtp-server");
        std::fs::create_dir_all(&folder).unwrap();
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/requirements.txt");
        let wanted = std::fs::read_to_string(&requirements).unwrap();
        let installed = folder.join("installed.txt");
        // A lock, because test processes run in parallel.
        let lock = File::create(folder.join("lock")).unwrap();
        lock.lock().unwrap();
        if std::fs::read_to_string(&installed).ok().as_ref() != Some(&wanted) {
            run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder.join("venv")));
            run(Command::new(folder.join("venv/bin/python"))
                .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
                .arg(&requirements));
            std::fs::write(&installed, wanted).unwrap();
        }
        folder.join("venv/bin/python")
    })
}

fn run(command: &mut Command) {
    let succeeded = command.status().is_ok_and(|status| status.success());
    assert!(succeeded, "{command:?} failed: python3 with venv and pip is needed (Debian: python3-venv)");
}
