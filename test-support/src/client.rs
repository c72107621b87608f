//! Sends requests to a router without a socket, optionally with a token.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request, StatusCode, header};
use axum::middleware::from_fn;
use http_body_util::BodyExt;
use platform::http::request_id;
use serde_json::Value;
use tower::ServiceExt;

/// How long to wait for a condition that is expected soon.
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Clone)]
pub struct TestClient {
    app: Router,
    bearer: Option<String>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl TestClient {
    pub fn new(app: Router) -> Self {
        Self { app, bearer: None }
    }

    /// The same app, called with this bearer token.
    #[must_use]
    pub fn with_token(&self, token: impl Into<String>) -> Self {
        Self { app: self.app.clone(), bearer: Some(token.into()) }
    }

    /// The same app with request ids, as the HTTP server assigns them.
    #[must_use]
    pub fn with_request_ids(&self) -> Self {
        Self { app: self.app.clone().layer(from_fn(request_id::named)), bearer: self.bearer.clone() }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path), Body::empty()).await
    }

    /// Waits until the service is ready. A check that takes longer than 100 ms reports not ready, so a busy
    /// machine may need several.
    pub async fn becomes_ready(&self) {
        let began = Instant::now();
        while self.get("/ready").await.status != StatusCode::OK {
            assert!(began.elapsed() < LIMIT, "the service does not become ready");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    pub async fn post_json(&self, path: &str, body: &Value) -> Answer {
        self.send(Request::post(path).header(header::CONTENT_TYPE, "application/json"), body.to_string())
            .await
    }

    pub async fn put_json(&self, path: &str, body: &Value) -> Answer {
        self.send(Request::put(path).header(header::CONTENT_TYPE, "application/json"), body.to_string()).await
    }

    pub async fn send(&self, request: axum::http::request::Builder, body: impl Into<Body>) -> Answer {
        let mut request = request.body(body.into()).expect("a well-formed request");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 9))));
        if let Some(token) = &self.bearer {
            let value = format!("Bearer {token}").parse().expect("a token that fits a header");
            request.headers_mut().entry(header::AUTHORIZATION).or_insert(value);
        }
        let (parts, body) = self.app.clone().oneshot(request).await.expect("routers don't fail").into_parts();
        let body = body.collect().await.expect("read the body").to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }
}

impl Answer {
    /// The body as JSON; `null` when it is empty.
    pub fn json(&self) -> Value {
        if self.body.is_empty() {
            return Value::Null;
        }
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}", String::from_utf8_lossy(&self.body)))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The id that the log has for this request.
    pub fn request_id(&self) -> &str {
        self.header("x-request-id").unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }
}
