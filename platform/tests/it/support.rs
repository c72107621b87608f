//! A server with a few routes, and a client that sends raw bytes.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use http_body_util::BodyExt;
use platform::env::Env;
use platform::http::body::{self, BodyError};
use platform::http::server::{Limits, serve};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::timeout;

/// Longer than any step of these tests takes.
const TIMEOUT: Duration = Duration::from_secs(10);
const MAX_BODY: usize = 1024 * 1024;

pub fn limits(settings: &[(&str, &str)]) -> Limits {
    Limits::from_env(&Env::from_iter(settings.iter().copied())).unwrap()
}

pub async fn start(limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (holding, released) = (Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
    let (count, release) = (Arc::clone(&holding), Arc::clone(&released));
    // Reads a body and keeps it until the release.
    let hold = async move |request: Request| {
        let (parts, content) = request.into_parts();
        let content = body::read(&parts.extensions, content, MAX_BODY).await.unwrap();
        let release = released.notified();
        holding.fetch_add(1, Ordering::SeqCst);
        release.await;
        format!("{} bytes", content.len())
    };
    let app = Router::new()
        .route("/length", post(length))
        .route("/slow", post(slow))
        .route("/hold", post(hold))
        .route("/holding", get(async move || count.load(Ordering::SeqCst).to_string()))
        .route("/release", get(async move || release.notify_waiters()))
        .route("/early", any(|| async { StatusCode::UNAUTHORIZED }))
        .fallback(|request: Request| async move { format!("you asked for {}", request.uri()) });
    tokio::spawn(serve(listener, app, limits, std::future::pending()));
    address
}

async fn length(request: Request) -> Response {
    let (parts, content) = request.into_parts();
    match body::read(&parts.extensions, content, MAX_BODY).await {
        Ok(content) => format!("{} bytes", content.len()).into_response(),
        Err(BodyError::Timeout) => StatusCode::REQUEST_TIMEOUT.into_response(),
        Err(BodyError::OutOfMemory) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Err(BodyError::TooLarge) => StatusCode::PAYLOAD_TOO_LARGE.into_response(),
        Err(BodyError::Broken(_)) => StatusCode::BAD_REQUEST.into_response(),
    }
}

/// Reads ahead, and stores each part on a slow disk.
async fn slow(request: Request) -> Response {
    let mut body = request.into_body();
    let mut length = 0;
    loop {
        let mut next = body.frame();
        let ahead = futures::poll!(&mut next);
        tokio::time::sleep(Duration::from_millis(100)).await;
        let frame = match ahead {
            Poll::Ready(frame) => frame,
            Poll::Pending => next.await,
        };
        match frame {
            Some(Ok(frame)) => length += frame.data_ref().map_or(0, Bytes::len),
            Some(Err(_)) => return StatusCode::REQUEST_TIMEOUT.into_response(),
            None => return format!("{length} bytes").into_response(),
        }
    }
}

pub struct Client(TcpStream, Vec<u8>);

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// The head in lower case.
    pub head: String,
    pub body: String,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Self {
        Self(TcpStream::connect(address).await.unwrap(), Vec::new())
    }

    pub async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Sends as much as the server accepts.
    pub async fn try_send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.0.write_all(bytes.as_ref()).await;
    }

    /// The next response. All responses of this server declare their length.
    pub async fn answer(&mut self) -> Answer {
        timeout(TIMEOUT, self.try_answer()).await.unwrap().unwrap()
    }

    pub async fn try_answer(&mut self) -> Option<Answer> {
        let end = loop {
            if let Some(end) = self.1.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                break end + 4;
            }
            self.receive().await?;
        };
        let head = String::from_utf8(self.1.drain(..end).collect()).unwrap().to_ascii_lowercase();
        let status = head[9..12].parse().unwrap();
        let line = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let length = line.map_or(0, |length| length.trim().parse().unwrap());
        while self.1.len() < length {
            self.receive().await?;
        }
        let body = String::from_utf8(self.1.drain(..length).collect()).unwrap();
        Some(Answer { status, head, body })
    }

    async fn receive(&mut self) -> Option<()> {
        (self.0.read_buf(&mut self.1).await.ok()? > 0).then_some(())
    }

    /// Whether the server closes the connection without sending anything more.
    pub async fn is_closed(&mut self) -> bool {
        timeout(TIMEOUT, self.receive()).await.is_ok_and(|received| received.is_none()) && self.1.is_empty()
    }

    pub async fn stays_open(&mut self) -> bool {
        self.send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n").await;
        self.answer().await.body == "you asked for /again"
    }
}

impl Answer {
    pub fn closes(&self) -> bool {
        self.head.contains("connection: close")
    }
}
