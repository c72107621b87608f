//! The admin port for operators.

use reqwest::Client;
use serde_json::json;

use crate::prepared;
use crate::support::{Launcher, free_port, up};

#[tokio::test]
async fn event_metrics_are_on_the_admin_port_only() {
    let data_dir = prepared::data_dir();
    let (port, admin_port) = (free_port(), free_port());
    let mut command = up(data_dir.path(), port);
    command.env("ADMIN_PORT", admin_port.to_string());
    let _launcher = Launcher::of(command);
    let http = Client::new();

    for number in 0..2 {
        let body = json!({ "email": format!("{number}@demo.serasi.test"), "password": "a wrong one" });
        let url = format!("http://127.0.0.1:{port}/auth/v1/token?grant_type=password");
        assert_eq!(http.post(url).json(&body).send().await.unwrap().status(), 400);
    }

    let at = async |port: u16, path: &str| {
        let answer = http.get(format!("http://127.0.0.1:{port}{path}")).send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    let (status, text) = at(admin_port, "/metrics").await;
    assert_eq!(status, 200);
    assert!(text.lines().any(|line| line == "auth_events_total{event=\"sign_in_failed\"} 2"), "{text}");
    assert!(!text.contains('@'), "{text}");
    assert_eq!(at(admin_port, "/ready").await.0, 200);
    assert_eq!(at(admin_port, "/nothing").await.0, 404);
    assert_eq!(at(port, "/metrics").await.0, 404);
}
