//! Accepts connections within limits, disconnects slow clients, and drains on shutdown.

mod connections;
mod descriptors;
mod listener;
mod settings;

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::AsyncWriteExt;
use tokio::sync::{Semaphore, watch};
use tower::ServiceExt;

use super::body::TimedBody;
use super::client_stream::ClientStream;
use super::{limits, request_id};
use connections::Slot;
use listener::{Listener, Stream};
pub use settings::Limits;

/// How long requests in flight may continue after the stop signal.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);

/// How long idle connections stay open after the stop signal. A request that is already on its way gets a response that
/// announces the end of the connection.
const IDLE_TIMEOUT: Duration = Duration::from_millis(500);

/// The response to a connection beyond the limit.
const FULL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\n\
Connection: close\r\nContent-Length: 65\r\n\r\n\
{\"error\":\"too many connections\",\"message\":\"Too many connections\"}";
/// Connections beyond this many concurrent rejections are closed without a response.
const MAX_REFUSALS: usize = 64;
const REFUSAL_TIME: Duration = Duration::from_secs(1);

/// Serves until `shutdown` completes, then lets requests in flight finish. Handlers of a TCP listener get the
/// peer's address as `ConnectInfo<SocketAddr>`.
///
/// # Errors
/// Fails when the listener's address can't be read.
pub async fn serve(
    listener: impl Listener,
    app: impl Handler,
    limits: Limits,
    shutdown: impl Future<Output = ()>,
) -> std::io::Result<()> {
    tracing::debug!(address = listener.describe()?, "listening");
    let graceful = GracefulShutdown::new();
    let refusals = Arc::new(Semaphore::new(MAX_REFUSALS));
    let refused = metrics::counter!("http_connections_refused_total");
    let (stopping, stopped) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(connection) => connection,
                Err(error) => {
                    // Out of file descriptors, or the connection is already gone: wait for others to end.
                    tracing::warn!(%error, "accept failed");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut shutdown => break,
        };
        let Some(slot) = limits.connections.admit(peer.map(|peer| peer.ip())) else {
            refused.increment(1);
            tracing::debug!(?peer, "too many connections");
            if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                tokio::spawn(async move {
                    let _permit = permit;
                    let _ = tokio::time::timeout(REFUSAL_TIME, refuse(stream)).await;
                });
            }
            continue;
        };
        stream.prepare();
        let connection = Connection { stream, peer, app: app.clone(), limits: limits.clone(), slot };
        tokio::spawn(connection.run(graceful.watcher(), stopped.clone()));
    }
    drop(listener);
    let _ = stopping.send(true);
    if graceful.count() > 0 {
        tokio::time::sleep(IDLE_TIMEOUT).await;
    }
    // Ends the connections that have sent nothing.
    drop(stopping);
    if tokio::time::timeout(DRAIN_TIMEOUT, graceful.shutdown()).await.is_err() {
        tracing::warn!("some requests were still running and were aborted");
    }
    Ok(())
}

/// Answers the requests of a server: a router, or a type that answers some requests without one.
pub trait Handler: Clone + Send + Sync + 'static {
    fn handle(&self, request: Request) -> impl Future<Output = Response> + Send;
}

impl Handler for Router {
    async fn handle(&self, request: Request) -> Response {
        let Ok(response) = self.clone().oneshot(request).await;
        response
    }
}

/// Responds, then reads what the client has sent: closing earlier would reset the connection.
async fn refuse(mut stream: impl Stream) {
    if stream.write_all(FULL).await.is_ok() && stream.shutdown().await.is_ok() {
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    }
}

struct Connection<S, H> {
    stream: S,
    peer: Option<SocketAddr>,
    app: H,
    limits: Limits,
    slot: Arc<Slot>,
}

impl<S: Stream, H: Handler> Connection<S, H> {
    async fn run(self, watcher: Watcher, mut stopped: watch::Receiver<bool>) {
        let Self { stream, peer, app, limits, slot } = self;
        // A client that sends nothing takes no buffers.
        tokio::select! {
            () = tokio::time::sleep(limits.header_timeout) => return,
            () = async { while stopped.changed().await.is_ok() {} } => return,
            () = slot.closed() => return,
            readable = stream.readable() => if readable.is_err() { return },
        }
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(limits.header_timeout).max_buf_size(64 * 1024);
        let requests = Arc::clone(&slot);
        let service = hyper::service::service_fn(move |request: hyper::Request<Incoming>| {
            let busy = requests.busy();
            let (app, limits, stopped) = (app.clone(), limits.clone(), stopped.clone());
            async move {
                let mut response = respond(app, &limits, peer, request).await;
                if *stopped.borrow() {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                let written = move |error| {
                    let _busy = &busy;
                    error
                };
                // The connection is busy until the body, and with it `written`, is dropped.
                Ok::<_, Infallible>(response.map(|body| body.map_err(written)))
            }
        });
        let connection = server.serve_connection(TokioIo::new(ClientStream::new(stream)), service);
        // Boxed, so that silent clients don't take the memory of this future.
        tokio::select! {
            ended = Box::pin(watcher.watch(connection)) => if let Err(error) = ended {
                tracing::debug!(%error, "connection ended early");
            },
            () = slot.closed() => {}
        }
    }
}

async fn respond(
    app: impl Handler,
    limits: &Limits,
    peer: Option<SocketAddr>,
    request: hyper::Request<Incoming>,
) -> Response {
    let (mut parts, body) = request.into_parts();
    if let Some(peer) = peer {
        parts.extensions.insert(ConnectInfo(peer));
    }
    parts.extensions.insert(limits.body_budget.clone());
    let is_chunked = parts.headers.contains_key(header::TRANSFER_ENCODING);
    let expects = parts.headers.contains_key(header::EXPECT);
    let (body, watch) = TimedBody::new(body, limits.body_timeout, limits.body_bytes_per_second);
    let request = hyper::Request::from_parts(parts, Body::new(body));
    let mut response = request_id::answered(request, |request| async {
        match limits::excess(&request) {
            Some(status) => status.into_response(),
            None => app.handle(request).await,
        }
    })
    .await;
    // The rest of the body must not be parsed as a request. Nobody has tracked where a chunked body ends.
    if is_chunked || !watch.completed(!expects).await {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Completes on Ctrl-C or SIGTERM.
pub async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let interrupt = tokio::signal::ctrl_c();
    let Ok(mut terminate) = signal(SignalKind::terminate()) else {
        let _ = interrupt.await;
        return;
    };
    tokio::select! {
        _ = interrupt => (),
        _ = terminate.recv() => (),
    }
}
