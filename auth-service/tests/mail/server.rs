//! The SMTP server in Python: installed once, started by each test on a port of its own.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const PATIENCE: Duration = Duration::from_secs(30);

pub struct SmtpServer {
    process: Child,
    input: ChildStdin,
    events: UnboundedReceiver<Value>,
    pub port: u16,
}

impl SmtpServer {
    /// What becomes of the mails, in their order.
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

    /// The next thing that happens, which must be this.
    pub async fn next(&mut self, event: &str) -> Value {
        let next = self.any(event).await;
        assert_eq!(next["event"], event, "{next}");
        next
    }

    /// This, whatever happens before.
    pub async fn until(&mut self, event: &str) -> Value {
        loop {
            let next = self.any(event).await;
            if next["event"] == event {
                return next;
            }
        }
    }

    async fn any(&mut self, awaited: &str) -> Value {
        let next = tokio::time::timeout(PATIENCE, self.events.recv()).await;
        next.unwrap_or_else(|_| panic!("{awaited} did not happen")).unwrap()
    }

    /// Everything that happened up to now and was not asked for.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.events.try_recv().ok()).collect()
    }

    /// Accepts what is held.
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

/// A Python that has what `requirements.txt` lists, below target/.
fn python() -> &'static Path {
    static PYTHON: OnceLock<PathBuf> = OnceLock::new();
    PYTHON.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("smtp-server");
        std::fs::create_dir_all(&folder).unwrap();
        let requirements = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/requirements.txt");
        let wanted = std::fs::read_to_string(&requirements).unwrap();
        let installed = folder.join("installed.txt");
        // Test processes that run side by side take turns.
        let turn = File::create(folder.join("lock")).unwrap();
        turn.lock().unwrap();
        if std::fs::read_to_string(&installed).ok().as_ref() != Some(&wanted) {
            must(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder.join("venv")));
            must(
                Command::new(folder.join("venv/bin/python"))
                    .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
                    .arg(&requirements),
            );
            std::fs::write(&installed, wanted).unwrap();
        }
        folder.join("venv/bin/python")
    })
}

fn must(command: &mut Command) {
    let succeeded = command.status().is_ok_and(|status| status.success());
    assert!(succeeded, "{command:?} failed: python3 with venv and pip is needed (Debian: python3-venv)");
}
