//! The root path of a service belongs to that service, with or without a trailing slash. It never serves a
//! page.

use reqwest::{Client, header};

use crate::support::{Launcher, free_port, up};

#[tokio::test]
async fn every_service_responds_at_its_root_in_its_own_format() {
    let data_dir = tempfile::tempdir().unwrap();
    let port = free_port();
    let _launcher = Launcher::of(up(data_dir.path(), port));
    for (service, status) in [("auth", 404), ("rest", 200), ("storage", 404), ("functions", 404)] {
        for slash in ["", "/"] {
            let url = format!("http://127.0.0.1:{port}/{service}/v1{slash}");
            let answer = Client::new().get(&url).send().await.unwrap();
            assert_eq!(answer.status().as_u16(), status, "{url}");
            let kind = answer.headers()[header::CONTENT_TYPE].to_str().unwrap();
            assert!(kind.contains("json"), "{url}: {kind}");
        }
    }
}
