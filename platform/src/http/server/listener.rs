//! Listens on a TCP port or a Unix socket.

use std::io;
use std::net::SocketAddr;

use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};

pub trait Listener {
    type Stream: Stream;

    fn describe(&self) -> io::Result<String>;

    /// The client's address is unknown on a Unix socket.
    fn accept(&self) -> impl Future<Output = io::Result<(Self::Stream, Option<SocketAddr>)>> + Send;
}

pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {
    fn prepare(&self) {}

    /// Waits for the first byte.
    fn readable(&self) -> impl Future<Output = io::Result<()>> + Send;
}

impl Listener for TcpListener {
    type Stream = TcpStream;

    fn describe(&self) -> io::Result<String> {
        self.local_addr().map(|address| address.to_string())
    }

    async fn accept(&self) -> io::Result<(TcpStream, Option<SocketAddr>)> {
        TcpListener::accept(self).await.map(|(stream, peer)| (stream, Some(peer)))
    }
}

impl Stream for TcpStream {
    fn prepare(&self) {
        let _ = self.set_nodelay(true);
    }

    async fn readable(&self) -> io::Result<()> {
        TcpStream::readable(self).await
    }
}

impl Listener for UnixListener {
    type Stream = UnixStream;

    fn describe(&self) -> io::Result<String> {
        self.local_addr().map(|address| format!("{address:?}"))
    }

    async fn accept(&self) -> io::Result<(UnixStream, Option<SocketAddr>)> {
        UnixListener::accept(self).await.map(|(stream, _)| (stream, None))
    }
}

impl Stream for UnixStream {
    async fn readable(&self) -> io::Result<()> {
        UnixStream::readable(self).await
    }
}
