//! Counts the round trips to the database, which determine the latency if it is far away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::json;
use test_support::client::TestClient;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::{config, database};

/// Forwards bytes and counts round trips. Delays the responses of the database, so that everything that the
/// gateway sends together counts as one round trip.
#[derive(Clone, Default)]
struct Relay(Arc<AtomicUsize>);

impl Relay {
    async fn start(self, target: String) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&target).await.unwrap();
                tokio::spawn(self.clone().pass(client, server));
            }
        });
        port
    }

    async fn pass(self, client: TcpStream, server: TcpStream) {
        let (mut from_client, mut to_client) = client.into_split();
        let (mut from_server, mut to_server) = server.into_split();
        let answered = Arc::new(AtomicBool::new(true));
        let is_answered = Arc::clone(&answered);
        let requests = async move {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(length @ 1..) = from_client.read(&mut buffer).await {
                if is_answered.swap(false, Ordering::SeqCst) {
                    self.0.fetch_add(1, Ordering::SeqCst);
                }
                to_server.write_all(&buffer[..length]).await.unwrap();
            }
        };
        let responses = async move {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(length @ 1..) = from_server.read(&mut buffer).await {
                tokio::time::sleep(Duration::from_millis(30)).await;
                answered.store(true, Ordering::SeqCst);
                if to_client.write_all(&buffer[..length]).await.is_err() {
                    return;
                }
            }
        };
        tokio::join!(requests, responses);
    }
}

#[tokio::test]
async fn a_request_is_one_round_trip() {
    let database = database().await;
    let options = database.owner();
    let relay = Relay::default();
    let port = relay.clone().start(format!("{}:{}", options.get_host(), options.get_port())).await;
    let uri = format!(
        "host=127.0.0.1 port={port} dbname={} user='gateway \"test\" login' password=test-login",
        database.name
    );
    let settings =
        [("PGRST_DB_URI", uri.as_str()), ("PGRST_DB_POOL", "1"), ("PGRST_DB_CHANNEL_ENABLED", "false")];
    let gateway = rest_gateway::start(config(&database, &settings)).await.unwrap();
    gateway.loaded().await;
    let client = TestClient::new(gateway.router());
    let round_trips = async |method: &str, path: &str, body: serde_json::Value, accept: &str| {
        let request = axum::http::Request::builder().method(method).uri(path);
        let request = request
            .header("content-type", "application/json")
            .header("accept", accept)
            .header("prefer", "tx=rollback");
        let before = relay.0.load(Ordering::SeqCst);
        let answer =
            client.send(request, if body.is_null() { String::new() } else { body.to_string() }).await;
        assert!(answer.status.is_success(), "{method} {path}: {}", answer.text());
        relay.0.load(Ordering::SeqCst) - before
    };
    let any = "*/*";
    // Warm up: open the connection and prepare the statements, which happens when they occur again.
    for _ in 0..3 {
        round_trips("GET", "/items?id=eq.1", json!(null), any).await;
    }
    assert_eq!(round_trips("GET", "/items?id=eq.2", json!(null), any).await, 1);
    // A statement that is not prepared needs no additional round trip.
    assert_eq!(round_trips("GET", "/projects?select=*,clients(*)&id=lt.4", json!(null), any).await, 1);
    assert_eq!(round_trips("POST", "/clients", json!({ "id": 5, "name": "x" }), any).await, 1);
    assert_eq!(round_trips("GET", "/rpc/add_them?a=1&b=2", json!(null), any).await, 1);
    let one = "application/vnd.pgrst.object+json";
    assert_eq!(round_trips("GET", "/clients?id=eq.1", json!(null), one).await, 1);
    // A write with a check commits after the check.
    assert_eq!(round_trips("PATCH", "/clients?id=eq.1", json!({ "name": "y" }), one).await, 2);
}
