//! What clients notice when a server stops.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use platform::http::server::serve;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::support::{Client, limits};

struct Server {
    address: SocketAddr,
    stop: Arc<Notify>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// On a socket that the test keeps open, as a service manager does.
fn start(socket: &std::net::TcpListener) -> Server {
    let listener = TcpListener::from_std(socket.try_clone().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let stop = Arc::new(Notify::new());
    let stopped = Arc::clone(&stop);
    let app = Router::new()
        .fallback(|request: Request| async move { format!("you asked for {}", request.uri().path()) });
    let serving = tokio::spawn(serve(listener, app, limits(&[]), async move { stopped.notified().await }));
    Server { address, stop, serving }
}

fn socket() -> std::net::TcpListener {
    let socket = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

#[tokio::test]
async fn requests_that_arrive_with_the_stop_are_answered() {
    let socket = socket();
    let server = start(&socket);
    let mut silent = Client::connect(server.address).await;
    // The server accepts connections in order.
    let mut idle = Client::connect(server.address).await;
    assert!(idle.stays_open().await);

    server.stop.notify_one();
    for client in [&mut silent, &mut idle] {
        // The server has seen the signal when it closes a connection after a response.
        let answer = loop {
            client.send("GET /late HTTP/1.1\r\nHost: a\r\n\r\n").await;
            let answer = client.answer().await;
            if answer.closes() {
                break answer;
            }
        };
        assert_eq!(answer.body, "you asked for /late");
        assert!(client.is_closed().await);
    }
    server.serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn idle_connections_do_not_keep_a_stopped_server() {
    let socket = socket();
    let server = start(&socket);
    let mut silent = Client::connect(server.address).await;
    let mut idle = Client::connect(server.address).await;
    assert!(idle.stays_open().await);

    server.stop.notify_one();

    assert!(silent.is_closed().await);
    assert!(idle.is_closed().await);
    server.serving.await.unwrap().unwrap();
}

#[tokio::test]
async fn connections_wait_for_the_next_server() {
    let socket = socket();
    let first = start(&socket);
    first.stop.notify_one();
    first.serving.await.unwrap().unwrap();

    let mut waiting = Client::connect(first.address).await;
    waiting.send("GET /early HTTP/1.1\r\nHost: a\r\n\r\n").await;
    let _second = start(&socket);

    assert_eq!(waiting.answer().await.body, "you asked for /early");
}
