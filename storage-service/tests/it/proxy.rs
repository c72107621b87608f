//! A TCP proxy between the service and PostgreSQL that cuts a connection at its COMMIT.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// COMMIT runs, but its answer is lost.
    AnswerLost,
    /// COMMIT is lost.
    RequestLost,
    /// The answer is lost, and COMMIT arrives only while the service already queries its outcome.
    Late,
    /// COMMIT runs, its answer is lost, and the proxy refuses connections until it is repaired.
    Down,
}

#[derive(Clone)]
pub struct Proxy {
    port: u16,
    /// The fault of the next COMMIT.
    next: Arc<Mutex<Option<Fault>>>,
    down: Arc<Mutex<bool>>,
}

impl Proxy {
    /// Serves until the test's runtime ends.
    pub async fn start(server: &PgConnectOptions) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy =
            Self { port: listener.local_addr().unwrap().port(), next: Arc::default(), down: Arc::default() };
        let (server, accepting) = ((server.get_host().to_owned(), server.get_port()), proxy.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                if *accepting.down.lock().unwrap() {
                    continue;
                }
                let server = TcpStream::connect(&server).await.unwrap();
                let (client, server) = (client.into_split(), server.into_split());
                tokio::spawn(accepting.clone().forward(client, server));
            }
        });
        proxy
    }

    pub fn options(&self, server: PgConnectOptions) -> PgConnectOptions {
        server.host("127.0.0.1").port(self.port).ssl_mode(sqlx::postgres::PgSslMode::Disable)
    }

    pub fn fail_next_commit(&self, fault: Fault) {
        *self.next.lock().unwrap() = Some(fault);
    }

    /// Whether the proxy still waits for a COMMIT to fail.
    pub fn is_waiting(&self) -> bool {
        self.next.lock().unwrap().is_some()
    }

    pub fn mend(&self) {
        *self.down.lock().unwrap() = false;
    }

    async fn forward(self, client: (OwnedReadHalf, OwnedWriteHalf), server: (OwnedReadHalf, OwnedWriteHalf)) {
        let ((mut from_client, mut to_client), (mut from_server, mut to_server)) = (client, server);
        let answers = tokio::spawn(async move {
            let _ = tokio::io::copy(&mut from_server, &mut to_client).await;
        });
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = from_client.read(&mut buffer).await {
            if *self.down.lock().unwrap() {
                return;
            }
            let sent = &buffer[..count];
            let commits = sent.windows(6).any(|window| window == b"COMMIT");
            let fault = if commits { self.next.lock().unwrap().take() } else { None };
            let Some(fault) = fault else {
                if to_server.write_all(sent).await.is_err() {
                    return;
                }
                continue;
            };
            *self.down.lock().unwrap() = fault == Fault::Down;
            // The client loses its connection now; the server keeps its own for a while.
            answers.abort();
            if fault == Fault::Late {
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            if fault != Fault::RequestLost {
                to_server.write_all(sent).await.unwrap();
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            return;
        }
    }
}
