//! Requests don't depend on whether anything reads the log.

use std::io::Read;
use std::time::Duration;

use reqwest::Client;
use serde_json::json;

use crate::prepared;
use crate::support::{Launcher, free_port, up};

struct Service {
    launcher: Launcher,
    http: Client,
    port: u16,
    _data_dir: tempfile::TempDir,
}

impl Service {
    fn start(log: &str) -> Self {
        let data_dir = prepared::data_dir();
        let port = free_port();
        let mut command = up(data_dir.path(), port);
        command.env("RUST_LOG", log).env("AUTH_RATE_LIMITS", "off");
        let http = Client::builder().timeout(Duration::from_secs(10)).build().unwrap();
        Self { launcher: Launcher::of(command), http, port, _data_dir: data_dir }
    }

    async fn signs_in(&self) {
        let url = format!("http://127.0.0.1:{}/auth/v1/token?grant_type=password", self.port);
        let body = json!({ "email": "nobody@demo.serasi.test", "password": "" });
        assert_eq!(self.http.post(url).json(&body).send().await.unwrap().status(), 400);
    }
}

#[tokio::test]
async fn sign_ins_work_when_the_log_pipe_is_closed() {
    let mut service = Service::start("debug");
    drop(service.launcher.0.stderr.take());
    for _ in 0..10 {
        service.signs_in().await;
    }
}

#[tokio::test]
async fn sign_ins_work_when_nobody_reads_the_log() {
    let mut service = Service::start("debug");
    // More than the 64 KB that a pipe buffers: each request logs its id with every statement.
    let id = |number: u32| format!("request-{number}-of-many");
    for number in 0..200 {
        let url = format!("http://127.0.0.1:{}/auth/v1/verify", service.port);
        let unknown = json!({ "type": "signup", "token_hash": "unknown" });
        let request = service.http.post(url).header("x-request-id", id(number)).json(&unknown);
        assert_eq!(request.send().await.unwrap().status(), 403);
    }
    service.signs_in().await;
    let mut stderr = service.launcher.0.stderr.take().unwrap();
    service.launcher.signal("-TERM");
    assert!(service.launcher.wait().success());
    let mut log = Vec::new();
    stderr.read_to_end(&mut log).unwrap();
    let log = String::from_utf8_lossy(&log);
    assert!(log.contains(&id(0)) && !log.contains(&id(199)), "the pipe was full: {} bytes", log.len());
    assert!(!log.contains('\x1b'), "a log without a terminal has no colors");
}
