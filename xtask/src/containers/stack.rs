//! A copy of compose.yaml with its own secrets, ports and volumes. Everything is removed when it is dropped.

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use super::engine::{Compose, Engine};
use crate::run;
use crate::server::free_port;

const PROJECT: &str = "serasi-test";
/// From the first container to the last healthy one.
const PATIENCE: Duration = Duration::from_secs(180);
/// What the containers mount.
const FILES: [&str; 4] = ["compose.yaml", "deploy/garage.toml", "deploy/nginx", "deploy/secrets.sh"];

pub struct Stack<'e> {
    engine: &'e Engine,
    compose: Compose,
    folder: TempDir,
    /// Settings, as an operator has them in `.env`.
    settings: BTreeMap<&'static str, String>,
}

impl<'e> Stack<'e> {
    /// Makes secrets and a certificate.
    ///
    /// # Errors
    /// When OpenSSL is missing.
    pub fn new(engine: &'e Engine) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::create_dir(folder.path().join("deploy"))?;
        for file in FILES {
            let target = folder.path().join(file);
            run::must(run::command("cp").arg("-r").arg(run::root().join(file)).arg(target))?;
        }
        let file = |name: &str| folder.path().join(name).display().to_string();
        run::must(run::command("openssl").args(["req", "-x509", "-newkey", "ec", "-pkeyopt"]).args([
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
            &file("key.pem"),
            "-out",
            &file("certificate.pem"),
        ]))?;
        // nginx is not root.
        run::must(run::command("chmod").arg("644").arg(file("key.pem")))?;
        let https = free_port()?;
        let settings = BTreeMap::from([
            ("SITE_URL", format!("https://localhost:{https}")),
            ("HTTPS_PORT", https.to_string()),
            ("HTTP_PORT", free_port()?.to_string()),
            ("MAIL_PORT", free_port()?.to_string()),
            ("SMTP_URL", "smtp://mail:1025".to_owned()),
            ("TLS_CERTIFICATE", file("certificate.pem")),
            ("TLS_KEY", file("key.pem")),
        ]);
        Ok(Self { engine, compose: engine.compose()?, folder, settings })
    }

    fn compose(&self) -> Command {
        let mut compose = self.compose.command();
        compose.args(["--project-name", PROJECT]);
        compose.args(["mail", "demo", "backup"].iter().flat_map(|profile| ["--profile", profile]));
        compose.current_dir(self.folder.path()).envs(&self.settings);
        compose
    }

    /// Returns when every service is healthy.
    ///
    /// # Errors
    /// When one is not within three minutes.
    pub fn start(&self) -> anyhow::Result<()> {
        let mut secrets = self.engine.command();
        let program = secrets.get_program().to_owned();
        secrets = run::command("sh");
        secrets.arg("deploy/secrets.sh").env("CONTAINERS", program).current_dir(self.folder.path());
        for (name, value) in self.engine.command().get_envs() {
            if let Some(value) = value {
                secrets.env(name, value);
            }
        }
        run::must(&mut secrets)?;
        run::must(self.compose().args(["up", "--detach", "--no-build", "--quiet-pull"]))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let waiting = self.not_healthy()?;
            if waiting.is_empty() {
                return Ok(());
            }
            if Instant::now() > until {
                self.show_logs();
                bail!("not healthy: {}", waiting.join(", "));
            }
            thread::sleep(Duration::from_millis(500));
        }
    }

    /// The services that are neither healthy nor done.
    fn not_healthy(&self) -> anyhow::Result<Vec<String>> {
        let listed = self.compose().args(["ps", "--all", "--format", "json"]).output()?;
        let mut waiting = Vec::new();
        for line in String::from_utf8_lossy(&listed.stdout).lines() {
            let container: Value = serde_json::from_str(line).context("`compose ps` prints no JSON")?;
            let field = |name: &str| container[name].as_str().unwrap_or_default();
            let is_done = field("State") == "exited" && container["ExitCode"] == 0;
            if field("Health") != "healthy" && !is_done {
                waiting.push(format!("{} ({} {})", field("Service"), field("State"), field("Health")));
            }
        }
        Ok(waiting)
    }

    /// Returns the password.
    ///
    /// # Errors
    /// When the account can't be created.
    pub fn create_superadmin(&self, email: &str) -> anyhow::Result<String> {
        let password = format!("containers-{}", std::process::id());
        let mut command = self.compose();
        command.args([
            "run",
            "--rm",
            "--no-deps",
            "-T",
            "migrate",
            "serasi",
            "create-superadmin",
            "--email",
            email,
        ]);
        let mut child = command.arg("--password-stdin").stdin(Stdio::piped()).spawn()?;
        child.stdin.take().context("a piped input")?.write_all(password.as_bytes())?;
        ensure!(child.wait()?.success(), "`serasi create-superadmin` failed");
        Ok(password)
    }

    /// What the browser tests need.
    pub fn addresses(&self) -> [(&'static str, String); 3] {
        [
            ("BASE_URL", self.settings["SITE_URL"].clone()),
            ("HTTP_URL", format!("http://localhost:{}", self.settings["HTTP_PORT"])),
            ("MAIL_URL", format!("http://localhost:{}", self.settings["MAIL_PORT"])),
        ]
    }

    pub fn show_logs(&self) {
        let _ = run::captured_output(self.compose().args(["logs", "--no-color", "--tail", "20"]));
    }
}

impl Drop for Stack<'_> {
    fn drop(&mut self) {
        let _ = self.compose().args(["down", "--volumes", "--timeout", "5"]).stderr(Stdio::null()).status();
    }
}
