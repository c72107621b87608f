//! Checks metrics in Prometheus' format.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

/// Uses Prometheus' own linter, and where it is not installed, only checks that each metric has a help text.
///
/// # Panics
/// Panics when a metric is not as Prometheus recommends.
pub fn check(metrics: &str) {
    let helped: BTreeSet<&str> = names(metrics, "# HELP ").collect();
    let without: Vec<&str> = names(metrics, "# TYPE ").filter(|name| !helped.contains(name)).collect();
    assert!(!helped.is_empty() && without.is_empty(), "no help text: {without:?}");
    let mut promtool = Command::new("promtool");
    promtool.args(["check", "metrics"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut linter) = promtool.spawn() else { return };
    let mut input = linter.stdin.take().expect("promtool's input");
    input.write_all(metrics.as_bytes()).expect("write to promtool");
    drop(input);
    let output = linter.wait_with_output().expect("wait for promtool");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// The second word of the lines that begin like this.
fn names<'a>(metrics: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    metrics.lines().filter_map(move |line| line.strip_prefix(prefix)?.split(' ').next())
}
