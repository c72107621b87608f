//! The program is replaced while clients use it: on a socket that stays open, no request fails.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use serde_json::{Value, json};
use test_support::database::TestDatabase;
use test_support::person::TEST_SECRET;
use test_support::program::Program;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const CLIENTS: usize = 4;
/// Requests of each client between two steps of the test.
const REQUESTS: usize = 10;

async fn send(address: SocketAddr, head: &str, body: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address).await?;
    let request = format!(
        "{head}\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    status.zip(body).ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
}

async fn token(address: SocketAddr, path: &str, body: Value) -> Value {
    let answer = send(address, &format!("POST {path} HTTP/1.1"), &body.to_string()).await;
    let (status, body) = answer.unwrap();
    assert_eq!(status, 200, "{path}: {body}");
    serde_json::from_str(&body).unwrap()
}

/// Clients that look up their account without a break.
struct Load {
    count: Arc<AtomicUsize>,
    stop: Arc<AtomicBool>,
    clients: JoinSet<Vec<String>>,
}

impl Load {
    fn start(address: SocketAddr, token: &str) -> Self {
        let (count, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let (count, stop) = (Arc::clone(&count), Arc::clone(&stop));
            let head = format!("GET /user HTTP/1.1\r\nauthorization: Bearer {token}");
            clients.spawn(async move {
                let mut failures = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    match send(address, &head, "").await {
                        Ok((200, _)) => (),
                        other => failures.push(format!("{other:?}")),
                    }
                    count.fetch_add(1, Ordering::Relaxed);
                }
                failures
            });
        }
        Self { count, stop, clients }
    }

    async fn more(&self) {
        let wanted = self.count.load(Ordering::Relaxed) + CLIENTS * REQUESTS;
        while self.count.load(Ordering::Relaxed) < wanted {
            tokio::task::yield_now().await;
        }
    }

    async fn failures(self) -> Vec<String> {
        self.stop.store(true, Ordering::Relaxed);
        self.clients.join_all().await.concat()
    }
}

#[tokio::test]
async fn no_request_fails_while_the_program_is_replaced() {
    let database = TestDatabase::new().await;
    let url = database.url_as("auth_admin").await;
    let environment = [
        ("DATABASE_URL", url.as_str()),
        ("JWT_SECRET", TEST_SECRET),
        ("SITE_URL", "https://serasi.test"),
        ("AUTH_RATE_LIMITS", "off"),
    ];
    let socket = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = socket.local_addr().unwrap();
    let start = || {
        let log = tempfile::tempfile().unwrap();
        Program::start_on(&socket, env!("CARGO_BIN_EXE_auth-service"), &environment, log)
    };
    let mut first = start();
    first.answers("/ready", 200).await;
    let person = json!({"email": "somebody@example.test", "password": "correct horse",
        "data": {"user_type": "influencer"}});
    let session = token(address, "/signup", person).await;
    let load = Load::start(address, session["access_token"].as_str().unwrap());
    load.more().await;

    // Both serve for a moment.
    let mut second = start();
    second.answers("/ready", 200).await;
    first.stop();
    assert!(first.ended().await.success(), "{}", first.log());
    load.more().await;
    // None serves for a moment.
    second.stop();
    assert!(second.ended().await.success(), "{}", second.log());
    let _third = start();
    load.more().await;

    assert_eq!(load.failures().await, Vec::<String>::new());
    let refresh = json!({"refresh_token": session["refresh_token"]});
    token(address, "/token?grant_type=refresh_token", refresh).await;
}
