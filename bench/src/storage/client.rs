//! Uploads and downloads with the service key.

use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use reqwest::RequestBuilder;
use serde_json::json;

/// A public bucket without rules for its content, which exists only during the benchmark.
pub const BUCKET: &str = "serasi-bench";

const IDLE_TIME: Duration = Duration::from_secs(1);

pub struct Client {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Client {
    /// # Errors
    /// When the HTTP client can't be built.
    pub fn new(url: &str, key: &str) -> anyhow::Result<Self> {
        // The server closes idle connections while wrk runs.
        let http = reqwest::Client::builder().pool_idle_timeout(IDLE_TIME).build()?;
        Ok(Self { http, url: format!("{url}/storage/v1"), key: key.to_owned() })
    }

    /// # Errors
    /// When the bucket can't be created. An existing one is used.
    pub async fn make_bucket(&self) -> anyhow::Result<()> {
        let request =
            self.http.post(format!("{}/bucket", self.url)).json(&json!({ "name": BUCKET, "public": true }));
        match self.send("the bucket", request).await {
            Err(error) if !error.to_string().contains("already exists") => Err(error),
            _ => Ok(()),
        }
    }

    /// Stores an object, which may exist. `path` begins with the bucket.
    ///
    /// # Errors
    /// When the server rejects the request.
    pub async fn put(&self, path: &str, content_type: &str, content: Bytes) -> anyhow::Result<()> {
        let request =
            self.http.post(format!("{}/object/{path}", self.url)).header("content-type", content_type);
        self.send(path, request.header("x-upsert", "true").body(content)).await.map(drop)
    }

    /// Downloads a path below `/storage/v1`.
    ///
    /// # Errors
    /// When the server rejects the request.
    pub async fn get(&self, path: &str) -> anyhow::Result<Bytes> {
        self.send(path, self.http.get(format!("{}{path}", self.url))).await
    }

    /// # Errors
    /// When the server rejects the request.
    pub async fn remove(&self, paths: &[String]) -> anyhow::Result<()> {
        for path in paths {
            self.send(path, self.http.delete(format!("{}/object/{path}", self.url))).await?;
        }
        Ok(())
    }

    async fn send(&self, what: &str, request: RequestBuilder) -> anyhow::Result<Bytes> {
        let answer = request.bearer_auth(&self.key).send().await?;
        let status = answer.status();
        let body = answer.bytes().await.with_context(|| what.to_owned())?;
        ensure!(status.is_success(), "{what}: {status} {}", String::from_utf8_lossy(&body));
        Ok(body)
    }
}
