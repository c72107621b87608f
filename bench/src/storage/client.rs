//! Uploads and downloads with the service key.

use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use serde_json::json;

/// A public bucket without rules for its content, which exists only during the benchmark.
pub const BUCKET: &str = "serasi-bench";

const IDLE_TIME: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    key: String,
}

impl Client {
    /// # Errors
    /// When the HTTP client can't be built.
    pub fn new(url: &str, key: &str) -> anyhow::Result<Self> {
        let url = format!("{}/storage/v1", url.trim_end_matches('/'));
        // The server closes idle connections while wrk runs.
        let http = reqwest::Client::builder().pool_idle_timeout(IDLE_TIME).build()?;
        Ok(Self { http, url, key: key.to_owned() })
    }

    /// # Errors
    /// When the bucket can't be created. An existing one is used.
    pub async fn make_bucket(&self) -> anyhow::Result<()> {
        let body = json!({ "name": BUCKET, "public": true });
        let answer =
            self.http.post(format!("{}/bucket", self.url)).bearer_auth(&self.key).json(&body).send().await?;
        let (status, text) = (answer.status(), answer.text().await?);
        ensure!(status.is_success() || text.contains("already exists"), "the bucket: {status} {text}");
        Ok(())
    }

    /// Stores an object, which may exist. `path` begins with the bucket.
    ///
    /// # Errors
    /// When the server rejects the request.
    pub async fn put(&self, path: &str, content_type: &str, content: Bytes) -> anyhow::Result<()> {
        let request = self.http.post(format!("{}/object/{path}", self.url)).bearer_auth(&self.key);
        let request = request.header("content-type", content_type).header("x-upsert", "true");
        let answer = request.body(content).send().await?;
        let status = answer.status();
        ensure!(status.is_success(), "{path}: {status} {}", answer.text().await?);
        Ok(())
    }

    /// Downloads a path below `/storage/v1`.
    ///
    /// # Errors
    /// When the server rejects the request.
    pub async fn get(&self, path: &str) -> anyhow::Result<Bytes> {
        let answer = self.http.get(format!("{}{path}", self.url)).send().await?;
        let status = answer.status();
        ensure!(status.is_success(), "{path}: {status} {}", answer.text().await?);
        answer.bytes().await.with_context(|| path.to_owned())
    }

    /// # Errors
    /// When the server rejects the request.
    pub async fn remove(&self, paths: &[String]) -> anyhow::Result<()> {
        for path in paths {
            let url = format!("{}/object/{path}", self.url);
            self.http.delete(url).bearer_auth(&self.key).send().await?.error_for_status()?;
        }
        Ok(())
    }
}
