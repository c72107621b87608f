//! The machine's state beside the figures: on a busy one they mean less.

/// The load averages of the last one, five and fifteen minutes, where the system tells.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let averages: Vec<&str> = text.split_whitespace().take(3).collect();
    if averages.is_empty() { "unknown".to_owned() } else { averages.join(" ") }
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
