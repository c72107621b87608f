//! A real PgBouncer in transaction mode in front of a test's server: `/usr/sbin/pgbouncer`, or the program in
//! `PGBOUNCER`.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Stopped when dropped.
pub struct Pooler {
    process: Child,
    folder: PathBuf,
    port: u16,
}

impl Pooler {
    /// Clients share `sessions` connections to the server at this port, per login.
    ///
    /// # Panics
    /// Panics when the program does not start, or is older than 1.21.
    pub fn start(server: u16, sessions: usize) -> Self {
        Self::with(server, sessions, "max_prepared_statements = 100\n")
    }

    /// Like [`Pooler::start`], but without support for prepared statements, like all versions before 1.21.
    ///
    /// # Panics
    /// Panics when the program does not start.
    pub fn that_mixes_statements(server: u16, sessions: usize) -> Self {
        let setting = if follows_statements(&program()) { "max_prepared_statements = 0\n" } else { "" };
        Self::with(server, sessions, setting)
    }

    fn with(server: u16, sessions: usize, setting: &str) -> Self {
        let program = program();
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|socket| socket.local_addr());
        let port = port.expect("a free port").port();
        let folder =
            std::env::temp_dir().join(format!("serasi-test-pooler-{}", uuid::Uuid::new_v4().simple()));
        fs::create_dir(&folder).expect("create a folder");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\npool_mode = transaction\nauth_type = trust\nauth_file = users\n{setting}\
             default_pool_size = {sessions}\nquery_wait_timeout = 5\n"
        );
        let users =
            "\"gateway \"\"test\"\" login\" \"\"\n\"postgres\" \"\"\n\"auth_admin\" \"test-auth_admin\"\n";
        fs::write(folder.join("users"), users).expect("write the users");
        fs::write(folder.join("settings.ini"), settings).expect("write the settings");
        let mut command = Command::new(program);
        command.arg("settings.ini").current_dir(&folder).stdin(Stdio::null());
        if crate::cluster::is_root() {
            let _ = Command::new("chown").args(["-R", "nobody"]).arg(&folder).status();
            command.args(["--user", "nobody"]);
        }
        let log = fs::File::create(folder.join("log")).expect("create the log");
        command.stdout(log.try_clone().expect("share the log")).stderr(log);
        let process = command.spawn().expect("start PgBouncer");
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(began.elapsed() < Duration::from_secs(10), "{}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
        Self { process, folder, port }
    }

    pub fn port(&self) -> u16 {
        self.port
    }
}

#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn program() -> String {
    std::env::var("PGBOUNCER").unwrap_or_else(|_| "/usr/sbin/pgbouncer".to_owned())
}

/// Whether the version is 1.21 or later, which have the setting.
fn follows_statements(program: &str) -> bool {
    let said = Command::new(program).arg("--version").output().expect("PGBOUNCER names the program");
    let said = String::from_utf8_lossy(&said.stdout);
    let version = said.split_whitespace().nth(1).unwrap_or_default();
    let mut parts = version.split('.').filter_map(|part| part.parse::<u32>().ok());
    (parts.next(), parts.next()) >= (Some(1), Some(21))
}

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}
