//! A temporary PostgreSQL server from the Debian package, in addition to the embedded one.

use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use crate::server::free_port;
use crate::{run, tools};

const START_TIMEOUT: Duration = Duration::from_secs(60);

pub struct Cluster {
    child: Child,
    port: u16,
    // Must be dropped after the server has stopped.
    folder: TempDir,
}

impl Cluster {
    /// `programs` is the folder with initdb and postgres.
    ///
    /// # Errors
    /// When the server does not become ready.
    pub fn start(programs: &Path) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("serasi-cluster-").tempdir()?;
        let data = folder.path().join("data");
        if tools::is_root() {
            run::must(run::command("chown").arg(UNPRIVILEGED).arg(folder.path()))?;
        }
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb.args(["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]);
        let made = initdb.arg("--pgdata").arg(&data).output().context("initdb can't be started")?;
        ensure!(made.status.success(), "initdb: {}", String::from_utf8_lossy(&made.stderr).trim_end());

        let port = free_port()?;
        let log = std::fs::File::create(folder.path().join("log"))?;
        let child = unprivileged(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .args(["-p", &port.to_string(), "-c", "listen_addresses=127.0.0.1"])
            .args(["-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "full_page_writes=off"])
            // Compiling a plan takes longer than running it on the few rows of a test.
            .args(["-c", "jit=off"])
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .context("postgres can't be started")?;
        let mut cluster = Self { child, port, folder };
        cluster.wait_until_ready(programs)?;
        Ok(cluster)
    }

    /// The superuser's connection URL.
    pub fn database_url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    fn wait_until_ready(&mut self, programs: &Path) -> anyhow::Result<()> {
        let until = Instant::now() + START_TIMEOUT;
        let mut ready = run::command(&programs.join("pg_isready").display().to_string());
        ready.args(["--quiet", "--host=127.0.0.1", "--port", &self.port.to_string()]);
        while !ready.status().context("pg_isready can't be started")?.success() {
            if self.child.try_wait()?.is_some() || Instant::now() > until {
                let log = std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
                bail!("the temporary PostgreSQL did not start: {}", log.lines().last().unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // A fast shutdown, which disconnects clients.
        run::stop(&mut self.child, "-INT");
    }
}

const UNPRIVILEGED: &str = "nobody";

/// PostgreSQL refuses to run as root. setpriv execs the program, so signals reach it directly.
fn unprivileged(program: &Path) -> Command {
    if !tools::is_root() {
        return run::command(&program.display().to_string());
    }
    let mut command = run::command("setpriv");
    command.args([&format!("--reuid={UNPRIVILEGED}"), "--clear-groups", "--"]);
    command.arg(program).current_dir(PathBuf::from("/"));
    command
}
