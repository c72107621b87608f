//! A copy of a deployment with its own secrets, ports and volumes. Everything is removed when it is dropped.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use serde_json::Value;
use tempfile::TempDir;

use super::deployment::Deployment;
use super::engine::{Compose, Engine, IMAGE};
use crate::run;
use crate::server::free_port;

/// Time from starting the first container until all are healthy.
const PATIENCE: Duration = Duration::from_secs(300);
/// The files that the containers mount.
const FILES: [&str; 5] =
    ["compose.yaml", "deploy/garage.toml", "deploy/nginx", "deploy/secrets.sh", "deploy/ha"];
/// All requests of the load come from one address and one account.
const WITHOUT_LIMITS: &str = include_str!("without-limits.yaml");

pub struct Stack<'e> {
    engine: &'e Engine,
    deployment: Deployment,
    compose: Compose,
    folder: TempDir,
    /// The settings in `.env`.
    settings: BTreeMap<&'static str, String>,
}

impl<'e> Stack<'e> {
    /// Copies the deployment's files into a temporary folder, and chooses ports. The deployment on a single machine also gets
    /// a certificate.
    ///
    /// # Errors
    /// When a file can't be copied, or when OpenSSL is missing.
    pub fn new(engine: &'e Engine, deployment: Deployment) -> anyhow::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("without-limits.yaml"), WITHOUT_LIMITS)?;
        std::fs::create_dir(folder.path().join("deploy"))?;
        for file in FILES {
            let target = folder.path().join(file);
            run::must(run::command("cp").arg("-r").arg(run::root().join(file)).arg(target))?;
        }
        let mut settings = BTreeMap::from([
            ("HTTPS_PORT", free_port()?.to_string()),
            ("HTTP_PORT", free_port()?.to_string()),
            ("MAIL_PORT", free_port()?.to_string()),
            ("COMPOSE_PROFILES", deployment.profiles().to_owned()),
        ]);
        match deployment {
            Deployment::Single => {
                settings.insert("SITE_URL", format!("https://localhost:{}", settings["HTTPS_PORT"]));
                settings.insert("SMTP_URL", "smtp://mail:1025".to_owned());
                settings.extend(certificate(&folder)?);
                settings.extend(optional_secrets(engine, &folder)?);
            }
            Deployment::HighlyAvailable => {
                settings.insert("SITE_URL", format!("http://localhost:{}", settings["HTTP_PORT"]));
            }
        }
        let lines = settings.iter().map(|(name, value)| format!("{name}={value}\n"));
        std::fs::write(folder.path().join(".env"), lines.collect::<String>())?;
        Ok(Self { engine, deployment, compose: engine.compose()?, folder, settings })
    }

    pub fn compose(&self) -> Command {
        let mut compose = self.compose.command();
        compose.args(["--project-name", self.deployment.project()]);
        compose.args(self.deployment.files().iter().flat_map(|file| ["-f", file]));
        compose.current_dir(self.folder.path());
        compose
    }

    /// psql in the container of a database.
    pub fn psql(&self) -> &'static [&'static str] {
        self.deployment.psql()
    }

    /// Runs commands of a document in the deployment's folder.
    ///
    /// # Errors
    /// When one of them fails.
    pub fn run_documented(&self, commands: &str) -> anyhow::Result<()> {
        let compose = self.compose.command();
        let words = std::iter::once(compose.get_program()).chain(compose.get_args());
        let words = words.map(|word| format!("'{}'", word.display())).collect::<Vec<_>>().join(" ");
        let engine = self.engine.program();
        let docker = format!(
            "docker() {{ if [ \"$1\" = compose ]; then shift; {words} \"$@\"; else {engine} \"$@\"; fi; }}\n"
        );
        let mut shell = run::command("bash");
        shell.args(["-euc", &(docker + commands)]).current_dir(self.folder.path());
        shell.envs(compose.get_envs().filter_map(|(name, value)| Some((name, value?))));
        shell.envs(self.engine.environment()).env("COMPOSE_PROJECT_NAME", self.deployment.project());
        shell.env("COMPOSE_FILE", self.deployment.files().join(":"));
        run::must(&mut shell).map(drop)
    }

    /// Starts the services, and waits until all are healthy.
    ///
    /// # Errors
    /// When one is not healthy within five minutes.
    pub fn start(&self) -> anyhow::Result<()> {
        for script in self.deployment.secrets() {
            self.make_secrets(script)?;
        }
        run::must(self.compose().args(["up", "--detach", "--no-build", "--quiet-pull"]))?;
        self.wait()
    }

    /// Returns when every service is healthy.
    ///
    /// # Errors
    /// When one is not within five minutes.
    pub fn wait(&self) -> anyhow::Result<()> {
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

    fn make_secrets(&self, script: &str) -> anyhow::Result<()> {
        let mut secrets = run::command("sh");
        secrets.arg(script).env("CONTAINERS", self.engine.program()).current_dir(self.folder.path());
        secrets.envs(self.engine.environment());
        run::must(&mut secrets).map(drop)
    }

    /// The folder with the secrets.
    pub fn secrets(&self) -> PathBuf {
        self.folder.path().join("deploy/secrets")
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

    /// Returns the new account's password.
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

    /// The public address.
    pub fn url(&self) -> String {
        self.settings["SITE_URL"].clone()
    }

    /// Environment variables for the browser tests.
    pub fn addresses(&self) -> [(&'static str, String); 3] {
        [
            ("BASE_URL", self.url()),
            ("HTTP_URL", format!("http://localhost:{}", self.settings["HTTP_PORT"])),
            ("MAIL_SERVER_URL", format!("http://localhost:{}", self.settings["MAIL_PORT"])),
        ]
    }

    pub fn show_logs(&self) {
        let _ = run::captured_output(self.compose().args(["logs", "--no-color", "--tail", "400"]));
    }
}

impl Drop for Stack<'_> {
    fn drop(&mut self) {
        let _ = self.compose().args(["down", "--volumes", "--timeout", "5"]).stderr(Stdio::null()).status();
    }
}

/// Creates the secrets that are optional, so that every service is tested with them.
fn optional_secrets(engine: &Engine, folder: &TempDir) -> anyhow::Result<Vec<(&'static str, String)>> {
    let secrets = [
        ("BACKUP_KEY_FILE", &["serasi", "backup-key"][..]),
        ("JWT_SIGNING_KEYS_FILE", &["serasi", "keys", "--new-signing-key"]),
        ("JWT_PREVIOUS_SECRETS_FILE", &["serasi", "backup-key"]),
    ];
    let create = |(name, command): (&'static str, &[&str])| {
        let output = engine.command().args(["run", "--rm", IMAGE]).args(command).output()?;
        ensure!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
        let file = folder.path().join(name.to_lowercase());
        let text = String::from_utf8(output.stdout)?;
        // `JWT_SIGNING_KEYS='{"keys": …}'`; deploy/README.md cuts it out, too.
        std::fs::write(&file, text.split('\'').nth(1).unwrap_or(&text))?;
        Ok((name, file.display().to_string()))
    };
    secrets.into_iter().map(create).collect()
}

/// Creates a certificate for TLS in nginx, and returns its settings.
fn certificate(folder: &TempDir) -> anyhow::Result<[(&'static str, String); 2]> {
    let file = |name: &str| folder.path().join(name).display().to_string();
    let (certificate, key) = (file("certificate.pem"), file("key.pem"));
    let mut openssl = run::command("openssl");
    openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
    openssl.args(["-days", "2", "-subj", "/CN=localhost", "-keyout", &key, "-out", &certificate]);
    run::must(&mut openssl)?;
    // nginx is not root.
    run::must(run::command("chmod").arg("644").arg(&key))?;
    Ok([("TLS_CERTIFICATE", certificate), ("TLS_KEY", key)])
}
