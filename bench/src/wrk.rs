//! Throughput: wrk sends requests over a fixed number of connections, one after the other on each.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use bytes::Bytes;

use crate::product::{self, Product};
use crate::{
    machine,
    report::{self, median},
};

/// Requests, microseconds and failures, on one line.
const DONE: &str = r#"
done = function(summary)
  local errors = summary.errors
  io.write(string.format("measured %d %d %d\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"#;

#[derive(Debug, Clone)]
pub struct Request {
    pub method: &'static str,
    /// The path with the query.
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Request {
    pub fn get(path: impl Into<String>) -> Self {
        Self { method: "GET", path: path.into(), headers: Vec::new(), body: String::new() }
    }

    /// Sends it once, and returns the body.
    ///
    /// # Errors
    /// When there is no successful response.
    pub async fn send(&self, http: &reqwest::Client, url: &str) -> anyhow::Result<Bytes> {
        let mut request =
            http.request(self.method.parse()?, format!("{url}{}", self.path)).body(self.body.clone());
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        product::body(request).await
    }
}

pub struct Measured {
    pub requests: f64,
    pub seconds: f64,
    failures: f64,
}

impl Measured {
    pub fn per_second(&self) -> f64 {
        self.requests / self.seconds
    }
}

/// The product's speed beside that of a baseline, in the same rounds.
#[derive(Default)]
pub struct Comparison {
    rates: Vec<f64>,
    /// Milliseconds of processor time for each request.
    cpu: Vec<f64>,
    pub baseline: Vec<f64>,
}

impl Comparison {
    /// # Errors
    /// See [`measure`].
    pub fn measure(
        &mut self,
        product: &Product,
        script: &Path,
        connections: usize,
        seconds: u64,
    ) -> anyhow::Result<()> {
        let before = machine::cpu_seconds(product.pid);
        let measured = measure(&product.url, script, connections, seconds)?;
        let spent = machine::cpu_seconds(product.pid).zip(before).map(|(after, before)| after - before);
        self.rates.push(measured.per_second());
        self.cpu.extend(spent.map(|seconds| seconds * 1000.0 / measured.requests));
        Ok(())
    }

    /// Both rates, their ratio and the processor time, beside their limits.
    pub fn row(
        &self,
        name: &str,
        baseline: &str,
        share: f64,
        cpu: Option<f64>,
        broken: &mut Vec<String>,
    ) -> String {
        let (rate, limit) = (median(&self.rates), median(&self.baseline));
        let share = report::at_least(&format!("{name}, of {baseline}"), rate / limit, share, broken);
        let cpu = report::at_most(&format!("{name}, own CPU"), median(&self.cpu), cpu, "ms", broken);
        format!("{rate:.0}/s | {limit:.0}/s | {share} | {cpu}")
    }
}

/// Writes wrk's script: it sends the requests in turn.
///
/// # Errors
/// When the file can't be written.
pub fn write_script(file: &Path, requests: &[Request]) -> anyhow::Result<()> {
    let mut script = String::new();
    if let [one] = requests {
        // wrk sends a constant request without calling Lua.
        writeln!(script, "wrk.method = {}", quoted(one.method))?;
        writeln!(script, "wrk.path = {}", quoted(&one.path))?;
        writeln!(script, "wrk.headers = {}", headers(one))?;
    } else {
        script.push_str("local requests = {}\nlocal last = 0\ninit = function()\n");
        for (index, request) in requests.iter().enumerate() {
            let (method, path) = (quoted(request.method), quoted(&request.path));
            let (headers, body) = (headers(request), quoted(&request.body));
            writeln!(script, "  requests[{}] = wrk.format({method}, {path}, {headers}, {body})", index + 1)?;
        }
        script.push_str(
            "end\nrequest = function()\n  last = last % #requests + 1\n  return requests[last]\nend\n",
        );
    }
    script.push_str(DONE);
    fs::write(file, script).with_context(|| file.display().to_string())
}

/// # Errors
/// When wrk is missing, or a request failed.
pub fn measure(url: &str, script: &Path, connections: usize, seconds: u64) -> anyhow::Result<Measured> {
    let measured = warm_up(url, script, connections, seconds)?;
    ensure!(measured.failures == 0.0, "{} requests failed", measured.failures);
    Ok(measured)
}

/// Requests may fail.
///
/// # Errors
/// When wrk is missing.
pub fn warm_up(url: &str, script: &Path, connections: usize, seconds: u64) -> anyhow::Result<Measured> {
    let mut wrk = Command::new("wrk");
    wrk.args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "--timeout", "10s", "-s"]);
    let output = wrk.arg(script).arg(url).stdin(Stdio::null()).output().context("wrk")?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "wrk failed: {text}");
    fs::write(script.with_extension("txt"), text.as_bytes())?;
    let [requests, microseconds, failures] = figures(&text).with_context(|| text.to_string())?;
    Ok(Measured { requests, failures, seconds: microseconds / 1e6 })
}

fn figures(output: &str) -> Option<[f64; 3]> {
    let line = output.lines().find_map(|line| line.strip_prefix("measured "))?;
    let figures: Option<Vec<f64>> = line.split(' ').map(|figure| figure.parse().ok()).collect();
    figures?.try_into().ok()
}

/// wrk adds `Host` to the table, too.
fn headers(request: &Request) -> String {
    let fields =
        request.headers.iter().map(|(name, value)| format!("[{}] = {}", quoted(name), quoted(value)));
    format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_the_output() {
        assert_eq!(figures("Requests/sec: 1\nmeasured 7648 1000000 0\n"), Some([7648.0, 1e6, 0.0]));
        assert_eq!(figures("unable to connect"), None);
    }

    #[test]
    fn texts_are_quoted_for_lua() {
        assert_eq!(quoted("{\"a\": \"\\n\"}\n"), r#""{\"a\": \"\\n\"}\n""#);
    }
}
