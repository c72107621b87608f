//! The distribution's nginx, with the settings of a fast file server.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

const START_TIMEOUT: Duration = Duration::from_secs(10);

/// Stops when dropped.
pub struct Nginx {
    child: Child,
    folder: PathBuf,
    pub address: SocketAddr,
}

impl Nginx {
    /// # Errors
    /// When it is not installed.
    pub fn version(program: &Path) -> anyhow::Result<String> {
        let output = Command::new(program).arg("-v").output();
        let missing = "nginx is missing; install it (Debian: nginx-light)";
        let output = output.context(missing)?;
        let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Ok(text.trim_start_matches("nginx version: ").replace('/', " "))
    }

    /// Serves the files of `folder/www`.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Path, folder: &Path, port: u16) -> anyhow::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        let shown = folder.display().to_string();
        let configuration = format!(
            "daemon off;\nworker_processes auto;\npid {shown}/nginx.pid;\nerror_log {shown}/nginx-error.log;\n\
             events {{ worker_connections 1024; }}\n\
             http {{\n  access_log off;\n  sendfile on;\n  tcp_nopush on;\n  keepalive_requests 1000000000;\n  \
             open_file_cache max=1000 inactive=60s;\n  open_file_cache_valid 60s;\n  client_body_temp_path {shown}/t1;\n  \
             proxy_temp_path {shown}/t2;\n  fastcgi_temp_path {shown}/t3;\n  uwsgi_temp_path {shown}/t4;\n  \
             scgi_temp_path {shown}/t5;\n  types {{ image/webp webp; image/jpeg jpg; }}\n  \
             server {{ listen 127.0.0.1:{port}; root {shown}/www; }}\n}}\n"
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration)?;
        // Its workers may run as another user.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
        }
        let child = Command::new(program)
            .arg("-p")
            .arg(&folder)
            .arg("-c")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("nginx can't be started")?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let nginx = Self { child, folder, address };
        let until = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(address).is_err() {
            ensure!(Instant::now() < until, "nginx does not start; see {shown}/nginx-error.log");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }

    /// # Errors
    /// When the file can't be written.
    pub fn add(&self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        let file = self.folder.join("www").join(name);
        fs::write(&file, content).with_context(|| file.display().to_string())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Killing it would leave its workers running.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
