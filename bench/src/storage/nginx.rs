//! The distribution's nginx, with the settings of a fast file server.

use std::fs;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long nginx serves a replaced file.
const CACHED: Duration = Duration::from_secs(2);

/// Stops when dropped.
pub struct Nginx {
    child: Child,
    folder: PathBuf,
    pub address: SocketAddr,
}

impl Nginx {
    /// Serves the files of `folder/www`.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(program: &Path, folder: &Path, port: u16) -> anyhow::Result<Self> {
        let folder = fs::canonicalize(folder)?;
        let shown = folder.display().to_string();
        let configuration = include_str!("nginx.conf").replace("{folder}", &shown);
        let configuration = configuration.replace("{port}", &port.to_string());
        let file = folder.join("nginx.conf");
        fs::write(&file, configuration)?;
        // Its workers may run as another user.
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755))?;
        let mut nginx = Command::new(program);
        nginx.arg("-p").arg(&folder).arg("-c").arg(&file).stdin(Stdio::null());
        let child = nginx
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("nginx is missing; install it (Debian: nginx-light)")?;
        let address = SocketAddr::from(([127, 0, 0, 1], port));
        let nginx = Self { child, folder, address };
        let until = Instant::now() + START_TIMEOUT;
        while TcpStream::connect(address).is_err() {
            ensure!(Instant::now() < until, "nginx does not start; see {shown}/nginx-error.log");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(nginx)
    }

    /// Serves this content as `/file`.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn serve(&self, content: &[u8]) -> anyhow::Result<()> {
        // A new file, because nginx keeps the old one open.
        let (new, file) = (self.folder.join("www/new"), self.folder.join("www/file"));
        fs::write(&new, content)?;
        fs::rename(new, file)?;
        std::thread::sleep(CACHED);
        Ok(())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Killing it would leave its workers running.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
