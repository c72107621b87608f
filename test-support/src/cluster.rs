//! A PostgreSQL server that a test may stop, promote and freeze, and its standbys. Needs PostgreSQL's
//! programs: Debian's, or those in the folder `TEST_POSTGRES_PROGRAMS`.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection};

const LIMIT: Duration = Duration::from_secs(30);
const UNPRIVILEGED: &str = "nobody";

/// A running server. Stopped and deleted when dropped.
pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    /// Variables of the server's environment.
    environment: &'static [(&'static str, &'static str)],
    server: Option<Child>,
}

/// With a locale that is not C, GNU gettext chooses the messages by `LANGUAGE`, so that no German locale has
/// to be installed.
const GERMAN: &[(&str, &str)] = &[("LANGUAGE", "de"), ("LC_ALL", "C.UTF-8")];

impl Cluster {
    /// Starts an empty server that standbys can follow. `settings` are lines of `postgresql.conf`.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub fn start(settings: &str) -> Self {
        Self::start_with(programs(), &[], settings)
    }

    /// A server of another version: `programs` is the folder with `initdb` and `postgres`.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub fn start_from(programs: PathBuf) -> Self {
        Self::start_with(programs, &[], "")
    }

    /// A server whose messages are German, and so are those of its standbys.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub fn start_in_german() -> Self {
        Self::start_with(programs(), GERMAN, "lc_messages = 'C.UTF-8'")
    }

    fn start_with(
        programs: PathBuf,
        environment: &'static [(&'static str, &'static str)],
        settings: &str,
    ) -> Self {
        let mut cluster = Self::prepare(programs);
        cluster.environment = environment;
        cluster.run(
            "initdb",
            &["--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"],
        );
        let common = "listen_addresses = '127.0.0.1'\nunix_socket_directories = ''\nfsync = off\n\
                      shared_buffers = '16MB'\nmax_wal_senders = 4\nwal_keep_size = '64MB'\n\
                      max_standby_streaming_delay = '0'\n";
        cluster.append("data/postgresql.conf", &format!("{common}{settings}\n"));
        cluster.launch();
        cluster
    }

    /// A server with TLS: the certificate and its key are PEM texts.
    ///
    /// # Panics
    /// Panics when it does not start.
    pub fn start_with_tls(certificate: &str, key: &str) -> Self {
        let mut cluster = Self::start("");
        cluster.stop();
        cluster.write("data/server.crt", certificate);
        cluster.write("data/server.key", key);
        cluster.append("data/postgresql.conf", "ssl = on\n");
        cluster.write("data/pg_hba.conf", "hostssl all all all trust\n");
        cluster.launch();
        cluster
    }

    /// A standby of this server.
    ///
    /// # Panics
    /// Panics when it can't be copied or does not start.
    pub fn standby(&self) -> Self {
        let mut standby = Self::prepare(self.programs.clone());
        standby.environment = self.environment;
        let port = self.port.to_string();
        standby.run(
            "pg_basebackup",
            &[
                "-h",
                "127.0.0.1",
                "-p",
                &port,
                "-U",
                "postgres",
                "--write-recovery-conf",
                "--checkpoint=fast",
                "--no-sync",
            ],
        );
        standby.launch();
        standby
    }

    fn prepare(programs: PathBuf) -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|socket| socket.local_addr());
        let folder =
            std::env::temp_dir().join(format!("serasi-test-cluster-{}", uuid::Uuid::new_v4().simple()));
        fs::create_dir(&folder).expect("create a folder");
        let port = port.expect("a free port").port();
        let cluster = Self { programs, folder, port, environment: &[], server: None };
        if is_root() {
            let owned = Command::new("chown").arg(UNPRIVILEGED).arg(&cluster.folder).status();
            assert!(owned.expect("run chown").success());
        }
        cluster
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// The superuser's options.
    pub fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new_without_pgpass()
            .host("127.0.0.1")
            .port(self.port)
            .username("postgres")
            .database("postgres")
    }

    /// # Panics
    /// Panics when the server does not answer.
    pub async fn connect(&self) -> PgConnection {
        self.options().connect().await.expect("connect as superuser")
    }

    /// The output of `pg_dump` with these arguments.
    ///
    /// # Panics
    /// Panics when it fails.
    pub fn dump(&self, arguments: &[&str]) -> Vec<u8> {
        let port = self.port.to_string();
        let mut command = unprivileged(&self.programs.join("pg_dump"));
        command.args(["-h", "127.0.0.1", "-p", &port, "-U", "postgres"]).args(arguments);
        let output = command.output().expect("run pg_dump");
        assert!(output.status.success(), "pg_dump: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Makes a standby a primary.
    ///
    /// # Panics
    /// Panics when it can't be promoted.
    pub fn promote(&self) {
        self.run("pg_ctl", &["promote", "--silent"]);
    }

    /// Kills the server, as a crash does.
    pub fn kill(&mut self) {
        self.signal("QUIT");
        self.wait();
    }

    /// Disconnects the clients and stops the server.
    pub fn stop(&mut self) {
        self.signal("INT");
        self.wait();
    }

    /// # Panics
    /// Panics when it does not start.
    pub fn launch(&mut self) {
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.folder.join("log"))
            .expect("open the log");
        let server = unprivileged(&self.programs.join("postgres"))
            .envs(self.environment.iter().copied())
            .arg("-D")
            .arg(self.folder.join("data"))
            .args(["-p", &self.port.to_string()])
            .stdout(log.try_clone().expect("share the log"))
            .stderr(log)
            .spawn();
        self.server = Some(server.expect("start postgres"));
        let began = Instant::now();
        // The first line of this file is the process, and the last one its status.
        let file = self.folder.join("data/postmaster.pid");
        let process = format!("{}\n", self.server.as_ref().expect("started").id());
        let is_ready = |file: String| file.starts_with(&process) && file.trim_end().ends_with("\nready");
        while !fs::read_to_string(&file).is_ok_and(is_ready) {
            assert!(
                began.elapsed() < LIMIT,
                "{}",
                fs::read_to_string(self.folder.join("log")).unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops (`STOP`) or continues (`CONT`) all processes of the server.
    pub fn freeze(&self, signal: &str) {
        let children = self.folder.join("data/postmaster.pid");
        let id = fs::read_to_string(children).expect("the server runs");
        let id = id.lines().next().unwrap_or_default().to_owned();
        // The server's processes are in its own process group's session: its children.
        let found = Command::new("pgrep").args(["-P", &id]).output().expect("run pgrep");
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        let all = found.lines().chain([id.as_str()]);
        let sent = Command::new("kill").arg(format!("-{signal}")).args(all).status();
        sent.expect("run kill");
    }

    fn signal(&self, signal: &str) {
        if let Some(server) = &self.server {
            let _ = Command::new("kill").args([&format!("-{signal}"), &server.id().to_string()]).status();
        }
    }

    fn wait(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.wait();
        }
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = unprivileged(&self.programs.join(program));
        let output = command.args(arguments).arg("-D").arg(self.folder.join("data")).output();
        let output = output.expect("run a program of PostgreSQL");
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn append(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        let before = fs::read_to_string(&path).unwrap_or_default();
        fs::write(&path, before + text).expect("change a setting");
    }

    fn write(&self, file: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.join(file);
        fs::write(&path, text).expect("write a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("protect a file");
        if is_root() {
            let owned = Command::new("chown").arg(UNPRIVILEGED).arg(&path).status();
            assert!(owned.expect("run chown").success());
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.freeze("CONT");
            self.kill();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn programs() -> PathBuf {
    if let Ok(folder) = std::env::var("TEST_POSTGRES_PROGRAMS") {
        return folder.into();
    }
    let versions = fs::read_dir("/usr/lib/postgresql").expect(
        "PostgreSQL's programs are not installed: run `cargo xtask test`, or set TEST_POSTGRES_PROGRAMS",
    );
    let folders = versions.filter_map(|version| Some(version.ok()?.path().join("bin")));
    folders.filter(|folder| folder.join("initdb").is_file()).max().expect("initdb is installed")
}

/// PostgreSQL refuses to run as root.
fn unprivileged(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command = Command::new("setpriv");
        command.args([&format!("--reuid={UNPRIVILEGED}"), "--clear-groups", "--"]).arg(program);
    }
    command.current_dir("/").stdin(Stdio::null());
    command
}

pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}
