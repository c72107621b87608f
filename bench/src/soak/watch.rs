//! Resource usage of the processes: memory, descriptors, connections, disk.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tokio_postgres::Client;

use super::api::Figures;
use crate::machine;
use crate::statistics::percentile;

pub struct Watch<'a> {
    pub database: &'a Client,
    pub pid: u32,
    pub log: &'a Path,
    pub data_dir: &'a Path,
}

#[derive(Debug, Default, Clone)]
pub struct Sample {
    /// In megabytes, like `postgres`, `log` and `data`.
    pub serasi: f64,
    pub postgres: f64,
    pub descriptors: f64,
    pub connections: f64,
    pub log: f64,
    pub data: f64,
}

impl Sample {
    pub const HEADER: &'static str = "\
requests  errors |   p50     p95     p99 ms | serasi  PostgreSQL MB | descriptors  connections |   log     data MB";

    pub fn line(&self, minute: &Figures) -> String {
        let errors: u64 = minute.errors.values().map(|(count, _)| count).sum();
        format!(
            "{:>8}  {errors:>6} | {:>5.1} {:>7.1} {:>7.1}    | {:>6.0}  {:>10.0}    | {:>11}  {:>11} | {:>5.1} {:>8.1}",
            minute.took.len(),
            percentile(&minute.took, 0.5),
            percentile(&minute.took, 0.95),
            percentile(&minute.took, 0.99),
            self.serasi,
            self.postgres,
            self.descriptors,
            self.connections,
            self.log,
            self.data,
        )
    }
}

impl Watch<'_> {
    /// # Errors
    /// When the query fails.
    pub async fn sample(&self) -> anyhow::Result<Sample> {
        let row = self.database.query_one("select count(*) from pg_stat_activity", &[]).await?;
        let descriptors = fs::read_dir(format!("/proc/{}/fd", self.pid)).map_or(0, Iterator::count);
        Ok(Sample {
            serasi: machine::resident_megabytes(self.pid).unwrap_or(0) as f64,
            postgres: descendants(self.pid).into_iter().map(proportional_megabytes).sum(),
            descriptors: descriptors as f64,
            connections: row.try_get::<_, i64>(0)? as f64,
            log: fs::metadata(self.log).map_or(0, |file| file.len()) as f64 / 1e6,
            data: size(self.data_dir) as f64 / 1e6,
        })
    }
}

/// All descendants of a process, which include the embedded PostgreSQL.
fn descendants(pid: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    for process in processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok()) {
        if let Some(parent) = parent(process) {
            children.entry(parent).or_default().push(process);
        }
    }
    let mut found = children.get(&pid).cloned().unwrap_or_default();
    let mut at = 0;
    while let Some(next) = found.get(at).copied() {
        found.extend(children.get(&next).into_iter().flatten());
        at += 1;
    }
    found
}

fn parent(pid: u32) -> Option<u32> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The process name is in parentheses and may contain any character.
    text.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

/// Proportional set size, which divides shared memory among the processes that share it.
fn proportional_megabytes(pid: u32) -> f64 {
    let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1024.0
}

/// Files may disappear during the traversal; they count as empty.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(data) if data.is_dir() => size(&entry.path()),
            Ok(data) => data.len(),
            Err(_) => 0,
        })
        .sum()
}
