//! The machine's state, which is reported with the measurements because a busy machine distorts them.

/// The load averages over one, five and fifteen minutes, or `unknown`.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let averages: Vec<&str> = text.split_whitespace().take(3).collect();
    if averages.is_empty() { "unknown".to_owned() } else { averages.join(" ") }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Resident memory of a process; `None` if the system does not report it.
pub fn resident_megabytes(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
