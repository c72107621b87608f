//! The pages: Vite's development server, which proxies requests to the services.

use std::process::Stdio;

use anyhow::{Context, anyhow};
use tokio::process::Child;

use super::services::{Services, show, stop, tokio_command};
use crate::run;

pub struct Pages {
    child: Child,
}

impl Pages {
    /// # Errors
    /// When Node.js is missing.
    pub async fn start(port: u16, services: &Services) -> anyhow::Result<Self> {
        let mut vite = tokio_command("node");
        vite.current_dir(run::root().join("frontend"))
            .args(["node_modules/vite/bin/vite.js", "--host", "127.0.0.1", "--strictPort"])
            .args(["--clearScreen", "false", "--port", &port.to_string()])
            .env("API_URL", services.url())
            .env("ANON_KEY", services.anon_key())
            // Ctrl-C in the terminal reaches only this program, which stops the others in order.
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = vite.spawn().context("Vite can't be started: install Node.js 20.19 or later")?;
        tokio::spawn(show("pages", child.stdout.take().context("a piped output")?, |_| ()));
        tokio::spawn(show("pages", child.stderr.take().context("a piped output")?, |_| ()));
        Ok(Self { child })
    }

    /// Waits until Vite exits on its own.
    pub async fn ended(&mut self) -> anyhow::Error {
        match self.child.wait().await {
            Ok(status) => anyhow!("Vite ended ({status})"),
            Err(error) => error.into(),
        }
    }

    pub async fn stop(self) {
        stop(self.child).await;
    }
}
