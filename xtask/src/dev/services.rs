//! The services and the database: `serasi up --api-only` in its development build.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

use crate::build::Build;
use crate::{run, server};

/// Longer than requests in progress may take.
const STOP_TIMEOUT: Duration = Duration::from_secs(20);

pub struct Services {
    /// `None` after they exited on their own.
    child: Option<Child>,
    /// The port of the pages, which users see.
    site_port: u16,
    port: u16,
    data_dir: PathBuf,
    settings: HashMap<String, String>,
}

/// Builds the launcher, and shows the compiler's messages.
///
/// # Errors
/// When it does not compile.
pub async fn build() -> anyhow::Result<()> {
    say("build", "building");
    let mut cargo = tokio_command("cargo");
    let mut child = cargo.args(["build", "--quiet", "--bin", "serasi"]).stderr(Stdio::piped()).spawn()?;
    show("build", child.stderr.take().context("a piped output")?, |_| ()).await;
    ensure!(child.wait().await?.success(), "Serasi does not compile; the previous build keeps running");
    Ok(())
}

impl Services {
    /// # Errors
    /// When they don't become ready.
    pub async fn start(site_port: u16, data_dir: &Path) -> anyhow::Result<Self> {
        let (port, data_dir) = (server::free_port()?, data_dir.to_owned());
        let mut services = Self { child: None, site_port, port, data_dir, settings: HashMap::new() };
        services.spawn().await?;
        Ok(services)
    }

    /// # Errors
    /// See [`Services::start`].
    pub async fn restart(&mut self) -> anyhow::Result<()> {
        self.stop().await;
        self.spawn().await
    }

    pub fn database_url(&self) -> &str {
        self.setting("DB_URL")
    }

    pub fn anon_key(&self) -> &str {
        self.setting("ANON_KEY")
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("", String::as_str)
    }

    async fn spawn(&mut self) -> anyhow::Result<()> {
        let mut command = tokio_command(&Build::Development.path("serasi").display().to_string());
        command
            .args(["up", "--api-only", "--port", &self.port.to_string(), "--data-dir"])
            .arg(&self.data_dir);
        command.env("SITE_URL", format!("http://127.0.0.1:{}", self.site_port));
        // Ctrl-C in the terminal reaches only this program, which stops the others in order.
        command.process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().context("the services can't be started")?;
        let (ready, is_ready) = oneshot::channel();
        let mut ready = Some(ready);
        let output = child.stdout.take().context("a piped output")?;
        tokio::spawn(show("services", output, move |line| {
            if line.starts_with("ready")
                && let Some(ready) = ready.take()
            {
                let _ = ready.send(());
            }
        }));
        tokio::spawn(show("services", child.stderr.take().context("a piped output")?, |line| {
            if line.contains("was previously applied but has been modified") {
                say(
                    "database",
                    "undo the edit and write a new migration, or delete the local data: cargo run -- reset",
                );
            }
        }));
        // The channel closes without a message when the program ends.
        if is_ready.await.is_err() {
            bail!("the services did not start ({})", child.wait().await?);
        }
        self.child = Some(child);
        self.settings = self.read_settings().await?;
        Ok(())
    }

    async fn read_settings(&self) -> anyhow::Result<HashMap<String, String>> {
        let mut status = tokio_command(&Build::Development.path("serasi").display().to_string());
        let output =
            status.args(["status", "--output", "env", "--data-dir"]).arg(&self.data_dir).output().await?;
        server::parsed(&output.stdout)
    }

    /// Waits until they exit on their own.
    pub async fn ended(&mut self) -> ExitStatus {
        match &mut self.child {
            Some(child) => {
                let status = child.wait().await.unwrap_or_default();
                self.child = None;
                status
            }
            None => std::future::pending().await,
        }
    }

    pub async fn stop(&mut self) {
        if let Some(child) = self.child.take() {
            stop(child).await;
        }
    }
}

/// Ends a program as Ctrl-C does, and waits for it.
pub async fn stop(mut child: Child) {
    if let Some(id) = child.id() {
        // The `kill` program avoids unsafe code in this crate.
        let _ = Command::new("kill").arg(id.to_string()).status().await;
    }
    if tokio::time::timeout(STOP_TIMEOUT, child.wait()).await.is_err() {
        let _ = child.kill().await;
    }
}

/// Like [`run::command`]. The program ends when this one ends.
pub fn tokio_command(program: &str) -> Command {
    let mut command = Command::from(run::command(program));
    command.kill_on_drop(true);
    command
}

/// Each line of the log begins with the name of the program that wrote it.
pub fn say(who: &str, text: &str) {
    for line in text.lines() {
        println!("{who:<8} | {line}");
    }
}

/// Prints the lines of a program's output, and passes each to `seen` first.
pub async fn show(who: &'static str, output: impl AsyncRead + Unpin, mut seen: impl FnMut(&str)) {
    let mut lines = BufReader::new(output).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        seen(&line);
        say(who, &line);
    }
}
