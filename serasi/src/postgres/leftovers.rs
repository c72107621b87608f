//! Backends that outlive a killed postmaster. A busy backend does not notice, and its shared memory
//! prevents a new server from starting.

use std::path::Path;

/// Kills all PostgreSQL processes of this data directory. The caller must hold the directory's lock and
/// have seen the postmaster end. This loses no committed data.
#[cfg(target_os = "linux")]
pub fn end(data: &Path) {
    use nix::sys::signal::{Signal, kill};
    use std::time::{Duration, Instant};

    const TIMEOUT: Duration = Duration::from_secs(5);
    let until = Instant::now() + TIMEOUT;
    loop {
        let processes = processes_in(data);
        if processes.is_empty() || Instant::now() > until {
            return;
        }
        for pid in processes {
            let _ = kill(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// On other systems the processes eventually end by themselves. Until then starting the server is retried.
#[cfg(not(target_os = "linux"))]
pub fn end(_data: &Path) {}

/// All PostgreSQL processes use the data directory as their working directory.
#[cfg(target_os = "linux")]
fn processes_in(data: &Path) -> Vec<i32> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    entries
        .flatten()
        .filter_map(|entry| {
            let pid = entry.file_name().to_str()?.parse::<i32>().ok()?;
            let folder = entry.path();
            let works_here = std::fs::read_link(folder.join("cwd")).is_ok_and(|cwd| cwd == data);
            let is_server =
                || std::fs::read_to_string(folder.join("comm")).is_ok_and(|name| name.trim() == "postgres");
            (works_here && is_server()).then_some(pid)
        })
        .collect()
}
