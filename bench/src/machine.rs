//! The machine's state, which is reported with the measurements because a busy machine distorts them.

use std::fs;

/// The load averages over one, five and fifteen minutes.
pub fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().take(3).collect::<Vec<_>>().join(" ")
}

pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Resident memory of a process; `None` if there is none.
pub fn resident_megabytes(pid: u32) -> Option<u64> {
    Some(kilobytes(&format!("/proc/{pid}/status"), "VmRSS:")? / 1024)
}

/// Proportional share of memory, which divides shared memory among the processes that share it.
pub fn proportional_megabytes(pid: u32) -> f64 {
    kilobytes(&format!("/proc/{pid}/smaps_rollup"), "Pss:").unwrap_or(0) as f64 / 1024.0
}

fn kilobytes(file: &str, name: &str) -> Option<u64> {
    let text = fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

/// CPU time of a process itself, without its children.
pub fn cpu_seconds(pid: u32) -> Option<f64> {
    ticks(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?).map(|ticks| ticks as f64 / TICKS_PER_SECOND)
}

/// Linux reports them in this unit on every platform.
const TICKS_PER_SECOND: f64 = 100.0;

/// User and system time of all threads. The program's name, in parentheses, can contain spaces.
fn ticks(stat: &str) -> Option<u64> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    Some(fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_and_system_time_are_added() {
        let stat = "42 (serasi (up) x) S 1 42 42 0 -1 4194304 100 0 0 0 700 55 9 9 20 0 5 0";
        assert_eq!(ticks(stat), Some(755));
    }
}
