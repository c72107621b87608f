//! Too many connections, and idle ones.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::support::{Client, limits, start};

/// A request whose body the server waits for.
async fn busy(address: SocketAddr) -> Client {
    let mut client = Client::connect(address).await;
    client
        .send("POST /length HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        .await;
    assert_eq!(client.answer().await.status, 100);
    client
}

#[tokio::test]
async fn connections_over_the_limits_get_503_until_others_end() {
    for name in ["HTTP_MAX_CONNECTIONS", "HTTP_MAX_CONNECTIONS_PER_CLIENT"] {
        let address = start(limits(&[("HTTP_MAX_CONNECTIONS_PER_CLIENT", "99"), (name, "3")])).await;
        let mut open = [busy(address).await, busy(address).await, busy(address).await];
        let mut refused = Client::connect(address).await;
        let answer = refused.answer().await;
        assert_eq!((answer.status, answer.closes()), (503, true));
        assert!(answer.head.contains("retry-after: 1"));
        assert!(answer.body.contains("\"message\":\"Too many connections\""), "{}", answer.body);
        assert!(refused.is_closed().await);
        open[0].send("hello").await;
        assert_eq!(open[0].answer().await.body, "5 bytes");
        drop(open);
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            let mut client = Client::connect(address).await;
            client.try_send("GET /again HTTP/1.1\r\nHost: a\r\n\r\n").await;
            if client.answer().await.status == 200 {
                break;
            }
            assert!(Instant::now() < until, "the server accepts no new connection");
        }
    }
}

#[tokio::test]
async fn new_connections_replace_those_without_a_request() {
    let address =
        start(limits(&[("HTTP_MAX_CONNECTIONS", "3"), ("HTTP_MAX_CONNECTIONS_PER_CLIENT", "99")])).await;
    let mut busy = busy(address).await;
    let mut idle = Client::connect(address).await;
    assert!(idle.stays_open().await);
    for beginning in ["", "GET / HTTP/1.1\r\nHost: "] {
        let mut unfinished = Client::connect(address).await;
        unfinished.send(beginning).await;
        let mut next = Client::connect(address).await;
        assert!(next.stays_open().await);
        assert!(unfinished.is_closed().await, "{beginning:?}");
        assert!(idle.stays_open().await, "an unfinished head goes first");
    }
    busy.send("hello").await;
    assert_eq!(busy.answer().await.body, "5 bytes");
}

#[tokio::test]
async fn one_client_opens_a_sixteenth_of_all_connections() {
    let address = start(limits(&[("HTTP_MAX_CONNECTIONS", "32")])).await;
    let _held = [Client::connect(address).await, Client::connect(address).await];
    assert_eq!(Client::connect(address).await.answer().await.status, 503);
}

#[tokio::test]
async fn a_trusted_proxy_is_not_limited_as_one_client() {
    let settings = [("HTTP_MAX_CONNECTIONS_PER_CLIENT", "1"), ("TRUSTED_PROXIES", "127.0.0.1")];
    let address = start(limits(&settings)).await;
    let mut open = Vec::new();
    for _ in 0..5 {
        let mut client = Client::connect(address).await;
        assert!(client.stays_open().await);
        open.push(client);
    }
}

#[tokio::test]
async fn silent_and_idle_connections_are_closed() {
    let mut limits = limits(&[]);
    limits.header_timeout = Duration::from_millis(300);
    let address = start(limits).await;
    let mut silent = Client::connect(address).await;
    let mut unfinished = Client::connect(address).await;
    unfinished.send("GET / HTTP/1.1\r\nHost: ").await;
    let mut idle = Client::connect(address).await;
    assert!(idle.stays_open().await);
    assert!(silent.is_closed().await);
    assert!(unfinished.is_closed().await);
    assert!(idle.is_closed().await);
}

#[test]
fn limits_of_zero_are_rejected() {
    for name in ["HTTP_MAX_CONNECTIONS", "HTTP_MAX_CONNECTIONS_PER_CLIENT"] {
        let env = platform::env::Env::from_iter([(name, "0")]);
        let error = platform::http::server::Limits::from_env(&env).err().unwrap();
        assert_eq!(error.variable, name);
    }
}
