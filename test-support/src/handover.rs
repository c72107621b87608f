//! Replaces a program while clients use it, on a socket that stays open.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::program::Program;
use crate::waiting::eventually;

const CLIENTS: usize = 4;
/// Calls of each client between two steps.
const CALLS: usize = 10;

/// A request on a connection of its own.
#[derive(Clone)]
pub struct Call {
    head: String,
    body: String,
    status: u16,
}

impl Call {
    pub fn get(path: &str) -> Self {
        Self::new("GET", path, String::new())
    }

    pub fn post(path: &str, body: &Value) -> Self {
        Self::new("POST", path, body.to_string())
    }

    fn new(method: &str, path: &str, body: String) -> Self {
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n"
        );
        Self { head, body, status: 200 }
    }

    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.head += &format!("{name}: {value}\r\n");
        self
    }

    #[must_use]
    pub fn with_token(self, token: &str) -> Self {
        self.with_header("authorization", &format!("Bearer {token}"))
    }

    /// Expects this status instead of 200.
    #[must_use]
    pub fn expecting(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Sends the request, and returns the body of the response.
    ///
    /// # Errors
    /// The error, or the whole response when its status is not the expected one.
    pub async fn send(&self, address: SocketAddr) -> Result<String, String> {
        let answer = self.exchange(address).await.map_err(|error| error.to_string())?;
        match answer.split_once("\r\n\r\n") {
            Some((head, body)) if head.starts_with(&format!("HTTP/1.1 {} ", self.status)) => {
                Ok(body.to_owned())
            }
            _ => Err(format!("{}: {answer:?}", self.head)),
        }
    }

    async fn exchange(&self, address: SocketAddr) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address).await?;
        stream.write_all(format!("{}\r\n{}", self.head, self.body).as_bytes()).await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        Ok(answer)
    }
}

/// Replaces the first program, then its successor, while clients send these calls without a break. The first
/// time, both serve for a moment; the second time, neither does. Returns the last program.
///
/// # Panics
/// Panics when a call does not get its status, or a program does not end as it should.
pub async fn replace(
    socket: &TcpListener,
    mut first: Program,
    calls: &[Call],
    start: impl Fn() -> Program,
) -> Program {
    let load = Load::start(socket.local_addr().expect("the socket's address"), calls);
    load.more().await;

    let mut second = start();
    second.answers("/ready", 200).await;
    first.stop();
    assert!(first.ended().await.success(), "{}", first.log());
    load.more().await;

    second.stop();
    assert!(second.ended().await.success(), "{}", second.log());
    let third = start();
    load.more().await;

    assert_eq!(load.failures().await, Vec::<String>::new());
    third
}

/// Clients that send calls without a break.
pub struct Load {
    count: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    clients: JoinSet<Vec<String>>,
}

impl Load {
    /// Must be called inside a runtime.
    #[must_use]
    pub fn start(address: SocketAddr, calls: &[Call]) -> Self {
        let (count, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let (count, stop, calls) = (Arc::clone(&count), Arc::clone(&stop), calls.to_vec());
            clients.spawn(async move {
                let mut failures = Vec::new();
                for call in calls.iter().cycle() {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    failures.extend(call.send(address).await.err());
                    count.fetch_add(1, Ordering::Relaxed);
                }
                failures
            });
        }
        Self { count, stop, clients }
    }

    /// Returns once the clients have sent more calls.
    pub async fn more(&self) {
        let wanted = self.count.load(Ordering::Relaxed) + CLIENTS * CALLS;
        eventually("enough requests have ended", async || self.count.load(Ordering::Relaxed) >= wanted).await;
    }

    /// Stops the clients. Returns the calls that failed.
    pub async fn failures(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await.concat()
    }
}
