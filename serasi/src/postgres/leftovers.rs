//! Backends that outlive a killed postmaster. A busy backend does not notice, and its shared memory
//! prevents a new server from starting.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

const TIMEOUT: Duration = Duration::from_secs(5);
const STOP_TIMEOUT: Duration = Duration::from_secs(15);

/// Waits for a server that stops because its launcher was killed.
pub fn wait(data: &Path) {
    let until = Instant::now() + STOP_TIMEOUT;
    while data.join("postmaster.pid").exists() && !processes_in(data).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Kills all PostgreSQL processes of this data directory. The caller must hold the directory's lock and
/// have seen the postmaster end. This loses no committed data.
pub fn end(data: &Path) {
    let until = Instant::now() + TIMEOUT;
    while Instant::now() < until {
        let processes = processes_in(data);
        if processes.is_empty() {
            return;
        }
        for pid in processes {
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// All PostgreSQL processes use the data directory as their working directory. On systems without /proc, none are found: they
/// eventually end by themselves, and until then starting the server is retried.
fn processes_in(data: &Path) -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let folder = entry.path();
        let works_here = fs::read_link(folder.join("cwd")).ok()? == data;
        let is_server = fs::read_to_string(folder.join("comm")).ok()?.trim() == "postgres";
        (works_here && is_server).then_some(pid)
    });
    found.collect()
}
