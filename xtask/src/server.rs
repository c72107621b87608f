//! A real `serasi up` for tests, with its own temporary data directory.

use std::collections::HashMap;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use sqlx::{AssertSqlSafe, Connection, Executor};
use tempfile::TempDir;

use crate::build::Build;
use crate::run;

/// The first start installs and builds the frontend.
const START_TIMEOUT: Duration = Duration::from_secs(600);

pub struct Server {
    pub build: Build,
    child: Child,
    data_dir: TempDir,
    pub url: String,
}

impl Server {
    /// Builds the launcher and starts its development build.
    ///
    /// # Errors
    /// When it does not become ready.
    pub fn start(options: &[&str]) -> anyhow::Result<Self> {
        Self::start_build(Build::Development, options)
    }

    /// For tests without measurements. Their databases need no durability.
    ///
    /// # Errors
    /// See [`Server::start`].
    pub fn start_for_tests(options: &[&str]) -> anyhow::Result<Self> {
        let server = Self::start(options)?;
        server.prefer_speed_to_safety()?;
        Ok(server)
    }

    /// # Errors
    /// See [`Server::start`].
    pub fn start_build(build: Build, options: &[&str]) -> anyhow::Result<Self> {
        Self::start_with_log(build, options, Stdio::inherit())
    }

    /// Writes the server's stderr to `server_log`.
    ///
    /// # Errors
    /// See [`Server::start`].
    pub fn start_with_log(build: Build, options: &[&str], server_log: Stdio) -> anyhow::Result<Self> {
        build.make()?;
        let data_dir = tempfile::Builder::new().prefix("serasi-test-").tempdir()?;
        let port = free_port()?;
        let log = data_dir.path().join("serasi.log");
        let mut child = build
            .command("serasi")
            .arg("up")
            .args(["--port", &port.to_string(), "--data-dir"])
            .arg(data_dir.path())
            .args(options)
            // Tests sign in hundreds of times from one address.
            .env("AUTH_RATE_LIMITS", "off")
            // These sign-ins would clutter the test output.
            .env("RUST_LOG", "warn")
            .env_remove("DATABASE_URL")
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&log)?)
            .stderr(server_log)
            .spawn()
            .context("the launcher can't be started")?;
        let until = Instant::now() + START_TIMEOUT;
        loop {
            let output = std::fs::read_to_string(&log).unwrap_or_default();
            if output.lines().any(|line| line.starts_with("ready")) {
                return Ok(Self { build, child, data_dir, url: format!("http://127.0.0.1:{port}") });
            }
            if let Some(status) = child.try_wait()? {
                bail!("`serasi up` ended before it was ready ({status})");
            }
            if Instant::now() > until {
                let _ = child.kill();
                bail!("`serasi up` was not ready after {} s", START_TIMEOUT.as_secs());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Makes databases and connections cheap: no fsync, and one hash instead of 4,096 for each sign-in to
    /// PostgreSQL. Tests create hundreds of databases, which need not survive a power failure. Commits still
    /// survive a crash of PostgreSQL itself.
    pub fn prefer_speed_to_safety(&self) -> anyhow::Result<()> {
        let url = self.database_url()?;
        let (user, password) = url
            .trim_start_matches("postgres://")
            .split_once('@')
            .and_then(|(login, _)| login.split_once(':'))
            .context("a URL with a password")?;
        // The number of hashes is part of the stored password.
        let set_password = format!("alter role {user} password '{password}'");
        run::block_on(async {
            let mut connection = db::connect(&url).await?;
            for statement in [
                "alter system set fsync = off",
                "alter system set full_page_writes = off",
                "alter system set scram_iterations = 1",
                "select pg_reload_conf()",
                "set scram_iterations = 1",
                &set_password,
            ] {
                connection.execute(AssertSqlSafe(statement)).await?;
            }
            connection.close().await?;
            Ok(())
        })
    }

    /// Returns the output of `serasi status --output env`.
    ///
    /// # Errors
    /// When the server is no longer running.
    pub fn settings(&self) -> anyhow::Result<HashMap<String, String>> {
        let output = self
            .build
            .command("serasi")
            .args(["status", "--output", "env", "--data-dir"])
            .arg(self.data_dir.path())
            .output()?;
        parsed(&output.stdout)
    }

    /// The superuser's connection URL.
    ///
    /// # Errors
    /// See [`Server::settings`].
    pub fn database_url(&self) -> anyhow::Result<String> {
        self.settings()?.remove("DB_URL").context("`serasi status` names no DB_URL")
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub fn data_dir(&self) -> &Path {
        self.data_dir.path()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The launcher stops PostgreSQL.
        run::stop(&mut self.child, "-TERM");
    }
}

/// The lines `NAME=value` of `serasi status`.
///
/// # Errors
/// When they are no text.
pub fn parsed(output: &[u8]) -> anyhow::Result<HashMap<String, String>> {
    let pairs = std::str::from_utf8(output)?.lines().filter_map(|line| line.split_once('='));
    Ok(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// # Errors
/// When no port is free.
pub fn free_port() -> anyhow::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}
