//! Requests that must succeed or reach a known limit, with their latencies.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

/// Timeout of a request, which counts as an error.
const WAIT: Duration = Duration::from_secs(15);

#[derive(Default, Clone)]
pub struct Figures {
    /// Latencies in milliseconds.
    pub took: Vec<f64>,
    /// Errors by operation, with their number and the first response body.
    pub errors: BTreeMap<String, (u64, String)>,
}

pub struct Api {
    http: reqwest::Client,
    url: String,
    pub anon_key: String,
    pub service_role_key: String,
    minute: RefCell<Figures>,
    totals: RefCell<Figures>,
}

impl Api {
    pub fn new(url: &str, anon_key: &str, service_role_key: &str) -> Self {
        let http = reqwest::Client::builder().timeout(WAIT).build().unwrap_or_default();
        Self {
            http,
            url: url.trim_end_matches('/').to_owned(),
            anon_key: anon_key.to_owned(),
            service_role_key: service_role_key.to_owned(),
            minute: RefCell::default(),
            totals: RefCell::default(),
        }
    }

    pub fn request(&self, method: Method, path: &str, token: &str) -> RequestBuilder {
        self.http
            .request(method, format!("{}{path}", self.url))
            .header("apikey", &self.anon_key)
            .bearer_auth(token)
    }

    pub async fn get(&self, what: &str, path: &str, token: &str) -> Option<Value> {
        self.send(what, self.request(Method::GET, path, token)).await
    }

    pub async fn post(&self, what: &str, path: &str, token: &str, body: &Value) -> Option<Value> {
        self.send(what, self.request(Method::POST, path, token).json(body)).await
    }

    /// The response body if the request succeeded; null if it is not JSON.
    pub async fn send(&self, what: &str, request: RequestBuilder) -> Option<Value> {
        self.send_within(what, request, None).await
    }

    /// Like `send`, for an operation with a rate limit that the load exceeds on purpose: 429 is no error.
    pub async fn send_limited(&self, what: &str, request: RequestBuilder) -> Option<Value> {
        self.send_within(what, request, Some(StatusCode::TOO_MANY_REQUESTS)).await
    }

    async fn send_within(
        &self,
        what: &str,
        request: RequestBuilder,
        limit: Option<StatusCode>,
    ) -> Option<Value> {
        let began = Instant::now();
        let outcome = async {
            let answer = request.send().await.map_err(|error| (error_kind(&error), error.to_string()))?;
            let status = answer.status();
            let body = answer.bytes().await.map_err(|error| (error_kind(&error), error.to_string()))?;
            if status.is_success() || limit == Some(status) {
                Ok(serde_json::from_slice(&body).unwrap_or_default())
            } else {
                Err((status.to_string(), String::from_utf8_lossy(&body).chars().take(300).collect()))
            }
        };
        let outcome: Result<Value, (String, String)> = outcome.await;
        let took = began.elapsed().as_secs_f64() * 1000.0;
        for figures in [&self.minute, &self.totals] {
            let mut figures = figures.borrow_mut();
            figures.took.push(took);
            if let Err((kind, text)) = &outcome {
                figures.errors.entry(format!("{what}: {kind}")).or_insert_with(|| (0, text.clone())).0 += 1;
            }
        }
        outcome.ok()
    }

    /// The figures since the last call.
    pub fn minute(&self) -> Figures {
        self.minute.take()
    }

    pub fn totals(&self) -> Figures {
        self.totals.borrow().clone()
    }
}

fn error_kind(error: &reqwest::Error) -> String {
    if error.is_timeout() { format!("no response in {} s", WAIT.as_secs()) } else { "no response".to_owned() }
}
