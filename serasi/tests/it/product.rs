//! A running product from the clients' and the operator's point of view.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::{Client, Method, RequestBuilder, Response, header};
use serde_json::json;
use sqlx::{Connection, PgConnection};

use crate::support::{Launcher, free_port, serasi, up};

pub struct Product {
    pub launcher: Launcher,
    pub port: u16,
    pub settings: HashMap<String, String>,
    http: Client,
}

impl Product {
    pub fn start(data_dir: &Path, variables: &[(&str, &str)]) -> Self {
        let port = free_port();
        let mut command = up(data_dir, port);
        command.envs(variables.iter().copied());
        let launcher = Launcher::of(command);
        Self { launcher, port, settings: settings(data_dir), http: client() }
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        self.http.request(method, url).bearer_auth(&self.settings["SERVICE_ROLE_KEY"])
    }

    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// Adds a row through the gateway.
    pub async fn subscribe(&self, name: &str) -> Response {
        let row = json!({ "email": format!("{name}@demo.serasi.test") });
        self.request(Method::POST, SUBSCRIPTIONS).json(&row).send().await.unwrap()
    }

    /// Asserts that all acknowledged rows exist.
    pub async fn assert_holds(&self, names: &[impl AsRef<str>]) {
        let rows: Vec<HashMap<String, String>> = self.get(SUBSCRIPTIONS).await.json().await.unwrap();
        for name in names.iter().map(AsRef::as_ref) {
            let email = format!("{name}@demo.serasi.test");
            assert!(rows.iter().any(|row| row["email"] == email), "{email} is lost");
        }
    }

    /// Retries until a request succeeds. Every other response must be a 503 with `Retry-After`.
    pub async fn until_success(
        &self,
        limit: Duration,
        ask: impl AsyncFn() -> Response,
    ) -> Result<Duration, String> {
        let begin = Instant::now();
        loop {
            let response = ask().await;
            if response.status().is_success() {
                return Ok(begin.elapsed());
            }
            if response.status() != 503 || !response.headers().contains_key(header::RETRY_AFTER) {
                let (status, headers) = (response.status(), response.headers().clone());
                return Err(format!("{status} {headers:?} {}", response.text().await.unwrap()));
            }
            if begin.elapsed() > limit {
                return Err(format!("still {:?} after {limit:?}", response.text().await));
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// A superuser connection. PostgreSQL may just be resetting connections after a crash.
    pub async fn superuser(&self) -> PgConnection {
        let begin = Instant::now();
        loop {
            match PgConnection::connect(&self.settings["DB_URL"]).await {
                Ok(connection) => return connection,
                Err(error) => assert!(begin.elapsed() < CONNECT_LIMIT, "{error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

const CONNECT_LIMIT: Duration = Duration::from_secs(30);
pub const SUBSCRIPTIONS: &str = "/rest/v1/newsletter_subscriptions";

pub fn client() -> Client {
    Client::builder().timeout(Duration::from_secs(20)).build().unwrap()
}

pub fn settings(data_dir: &Path) -> HashMap<String, String> {
    let output = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

pub fn postmaster(data_dir: &Path) -> Option<String> {
    let file = std::fs::read_to_string(data_dir.join("postgres/postmaster.pid")).ok()?;
    Some(file.lines().next()?.trim().to_owned())
}

pub fn kill(pid: &str) {
    Command::new("kill").args(["-KILL", pid]).stderr(Stdio::null()).status().unwrap();
}
