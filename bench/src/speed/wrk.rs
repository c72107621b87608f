//! Throughput of the gateway: wrk sends requests over a fixed number of connections, one after the other on each.

use std::fmt::Write;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::http::Request;

/// Requests, microseconds and failures, on one line.
const DONE: &str = r#"
done = function(summary)
  local errors = summary.errors
  io.write(string.format("measured %d %d %d\n", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
"#;

pub struct Measured {
    pub requests: f64,
    failures: f64,
    pub seconds: f64,
    pub output: String,
}

impl Measured {
    pub fn per_second(&self) -> f64 {
        self.requests / self.seconds
    }
}

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
pub fn measure(
    address: SocketAddr,
    script: &Path,
    connections: usize,
    seconds: u64,
) -> anyhow::Result<Measured> {
    let measured = warm_up(address, script, connections, seconds)?;
    let (failures, text) = (measured.failures, &measured.output);
    ensure!(failures == 0.0, "{failures} requests failed: {text}");
    Ok(measured)
}

/// Requests may fail.
///
/// # Errors
/// When wrk is missing.
pub fn warm_up(
    address: SocketAddr,
    script: &Path,
    connections: usize,
    seconds: u64,
) -> anyhow::Result<Measured> {
    let output = Command::new("wrk")
        .args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "--timeout", "10s", "-s"])
        .arg(script)
        .arg(format!("http://{address}"))
        .stdin(Stdio::null())
        .output()
        .context("wrk")?;
    let text =
        (String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr)).into_owned();
    ensure!(output.status.success(), "wrk failed: {text}");
    let [requests, microseconds, failures] = figures(&text).with_context(|| text.clone())?;
    Ok(Measured { requests, failures, seconds: microseconds / 1e6, output: text })
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
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(letter);
            }
            '\n' => quoted.push_str("\\n"),
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
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
