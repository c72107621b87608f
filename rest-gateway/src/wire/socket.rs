//! A TCP or Unix socket, or an encrypted connection.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

pub trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

pub type Socket = Box<dyn Stream>;

/// Whether the server has sent nothing and has not closed the connection.
pub fn is_quiet(socket: &mut Socket) -> bool {
    let mut unexpected = [0];
    let mut context = Context::from_waker(Waker::noop());
    Pin::new(socket).poll_read(&mut context, &mut ReadBuf::new(&mut unexpected)).is_pending()
}

/// A socket that tokio-postgres uses while it authenticates. tokio-postgres owns its socket, so this is a handle. It reads
/// byte by byte, so that tokio-postgres buffers nothing that follows the last message it needs.
#[derive(Clone)]
pub struct SharedSocket(Arc<Mutex<Socket>>);

impl SharedSocket {
    pub fn new(socket: Socket) -> Self {
        Self(Arc::new(Mutex::new(socket)))
    }

    /// Returns the socket, unless another handle exists.
    pub fn into_inner(self) -> Option<Socket> {
        Arc::into_inner(self.0).map(Mutex::into_inner)
    }

    fn with<T>(&self, act: impl FnOnce(Pin<&mut Socket>) -> T) -> T {
        act(Pin::new(&mut *self.0.lock()))
    }
}

impl AsyncRead for SharedSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut next = [0];
        let mut one = ReadBuf::new(&mut next);
        ready!(self.with(|socket| socket.poll_read(context, &mut one)))?;
        buffer.put_slice(one.filled());
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for SharedSocket {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, data: &[u8]) -> Poll<io::Result<usize>> {
        self.with(|socket| socket.poll_write(context, data))
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|socket| socket.poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|socket| socket.poll_shutdown(context))
    }
}
