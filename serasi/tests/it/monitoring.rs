//! Metrics, the dashboard and alerts that use them, and the log.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::prepared;
use crate::support::{Launcher, free_port, up};

/// Names that PromQL and Prometheus define.
const KNOWN: [&str; 10] =
    ["up", "sum", "max", "by", "rate", "increase", "histogram_quantile", "topk", "le", "instance"];

fn monitoring(file: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/monitoring")).join(file)
}

/// The expressions of the dashboard and the alerts.
fn expressions() -> Vec<String> {
    let dashboard = std::fs::read_to_string(monitoring("grafana/dashboards/serasi.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut found: Vec<String> = targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect();
    let alerts = std::fs::read_to_string(monitoring("alerts.yml")).unwrap();
    let of_alerts = alerts.lines().filter_map(|line| line.trim().strip_prefix("expr: "));
    found.extend(of_alerts.map(str::to_owned));
    found
}

/// The names of metrics in an expression: names outside braces that are neither a label after `by` nor a
/// number.
fn names(expression: &str) -> BTreeSet<String> {
    let mut text = expression.to_owned();
    for (open, close) in [("{", '}'), ("[", ']'), ("by (", ')')] {
        while let Some(start) = text.find(open) {
            let end = text[start..].find(close).unwrap() + start;
            text.replace_range(start..=end, " ");
        }
    }
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_ascii_alphabetic()) && !KNOWN.contains(word);
    words.filter(is_name).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_read_metrics_that_exist() {
    let data_dir = prepared::data_dir();
    let (port, admin_port) = (free_port(), free_port());
    let mut command = up(data_dir.path(), port);
    command.env("ADMIN_PORT", admin_port.to_string()).env("AUTH_RATE_LIMITS", "off");
    command.env("LOG_FORMAT", "json");
    let mut launcher = Launcher::of(command);
    use_everything(port).await;

    let metrics = Client::new().get(format!("http://127.0.0.1:{admin_port}/metrics")).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    test_support::metrics::check(&metrics);
    let lines = metrics.lines().filter(|line| !line.starts_with('#'));
    let exist: BTreeSet<&str> = lines.filter_map(|line| line.split(['{', ' ']).next()).collect();
    for expression in expressions() {
        for name in names(&expression) {
            assert!(exist.contains(name.as_str()), "{name} in `{expression}` does not exist: {metrics}");
        }
    }
    for line in [
        r#"http_requests_total{service="gateway",method="GET",route="read",status="200"} 2"#,
        r#"http_requests_total{service="auth",method="POST",route="/token",status="400"} 1"#,
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}: {metrics}");
    }
    assert!(
        metrics.contains(r#"service="storage",method="GET",route="/object/public/{bucket}/"#),
        "{metrics}"
    );
    assert!(
        !metrics.contains("somebody") && !metrics.contains('@') && !metrics.contains("our-id"),
        "{metrics}"
    );

    launcher.signal("-TERM");
    assert!(launcher.0.wait().unwrap().success());
    let mut log = String::new();
    launcher.0.stderr.take().unwrap().read_to_string(&mut log).unwrap();
    assert_names_the_request(&log);
}

async fn use_everything(port: u16) {
    let http = Client::new();
    let url = |path: &str| format!("http://127.0.0.1:{port}{path}");
    for path in ["/rest/v1/influencers?limit=1&select=id", "/rest/v1/influencers?limit=1&select=id"] {
        assert_eq!(http.get(url(path)).send().await.unwrap().status(), 200);
    }
    let response = slow_sign_in(port).await.to_ascii_lowercase();
    assert!(
        response.starts_with("http/1.1 400 ") && response.contains("x-request-id: our-id.1\r\n"),
        "{response}"
    );
    let missing = "/storage/v1/object/public/images/0b5f-somebody/secret.png";
    assert_eq!(http.get(url(missing)).send().await.unwrap().status(), 400);
}

/// A request that takes longer than a second, because its body comes late.
async fn slow_sign_in(port: u16) -> String {
    let mut stream = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let body = json!({ "email": "nobody@demo.serasi.test", "password": "a wrong one" }).to_string();
    let head = format!(
        "POST /auth/v1/token?grant_type=password HTTP/1.1\r\nHost: a\r\nX-Request-Id: our-id.1\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(1100)).await;
    stream.write_all(body.as_bytes()).await.unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).await.unwrap();
    response
}

fn assert_names_the_request(log: &str) {
    let lines: Vec<Value> = log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let of_request: Vec<&Value> = lines.iter().filter(|line| line["request_id"] == "our-id.1").collect();
    assert!(of_request.iter().any(|line| line["event"] == "sign_in_failed"), "{log}");
    let slow = of_request.iter().find(|line| line["message"] == "slow request");
    let slow = slow.unwrap_or_else(|| panic!("{log}"));
    assert_eq!(
        (&slow["service"], &slow["route"], &slow["status"]),
        (&json!("auth"), &json!("/token"), &json!(400))
    );
    assert!(slow["database_milliseconds"].as_u64() <= slow["milliseconds"].as_u64(), "{slow}");
}

#[test]
fn names_are_found_in_expressions() {
    let expression = r#"sum by (service, le) (rate(a_total{status=~"5.."}[5m])) / b_max > 0.02"#;
    assert_eq!(names(expression), BTreeSet::from(["a_total".to_owned(), "b_max".to_owned()]));
}
