//! A TCP or Unix socket, or an encrypted connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, Waker, ready};

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

/// The socket's readable half while tokio-postgres authenticates. It reads byte by byte, so that tokio-postgres buffers
/// nothing that follows the last message it needs.
pub struct ByteReader<R>(pub R);

impl<R: AsyncRead + Unpin> AsyncRead for ByteReader<R> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut next = [0];
        let mut one = ReadBuf::new(&mut next);
        ready!(Pin::new(&mut self.0).poll_read(context, &mut one))?;
        buffer.put_slice(one.filled());
        Poll::Ready(Ok(()))
    }
}
