//! A client's connection: encodes request targets as they arrive, disconnects clients that stop reading, and
//! closes in a way that lets the client read the last response.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

use super::framing::Framing;

/// A client that accepts no byte of a response for this long is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long input is discarded after the last response. Closing immediately would reset the connection, and
/// the client might lose the response.
const LINGER_TIME: Duration = Duration::from_secs(2);

pub struct ClientStream<S> {
    stream: S,
    framing: Framing,
    /// Bytes ready for the server to read.
    ready: Vec<u8>,
    write_deadline: Option<Pin<Box<Sleep>>>,
    linger_deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> ClientStream<S> {
    pub fn new(stream: S) -> Self {
        Self {
            stream,
            framing: Framing::default(),
            ready: Vec::new(),
            write_deadline: None,
            linger_deadline: None,
        }
    }

    /// Disconnects a client that accepts no data.
    fn while_writing<T>(
        &mut self,
        context: &mut Context<'_>,
        outcome: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if outcome.is_ready() {
            self.write_deadline = None;
            return outcome;
        }
        let deadline = self.write_deadline.get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ClientStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        while this.ready.is_empty() && !this.framing.is_rejected() && buffer.remaining() > 0 {
            let before = buffer.filled().len();
            ready!(Pin::new(&mut this.stream).poll_read(context, buffer))?;
            let received = &buffer.filled()[before..];
            if received.is_empty() {
                this.ready = this.framing.finish();
                break;
            }
            if this.framing.skip_body(received) {
                return Poll::Ready(Ok(()));
            }
            this.framing.push(received, &mut this.ready);
            buffer.set_filled(before);
        }
        // Idle connections keep no buffer.
        let rest = this.ready.split_off(this.ready.len().min(buffer.remaining()));
        buffer.put_slice(&std::mem::replace(&mut this.ready, rest));
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for ClientStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, data);
        self.while_writing(context, outcome)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, data);
        self.while_writing(context, outcome)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.linger_deadline.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(context))?;
            // No request is in progress.
            if this.framing.is_between_requests() && this.ready.is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        let deadline = this.linger_deadline.get_or_insert_with(|| Box::pin(sleep(LINGER_TIME)));
        let mut space = [0; 4096];
        while deadline.as_mut().poll(context).is_pending() {
            let mut discarded = ReadBuf::new(&mut space);
            let outcome = ready!(Pin::new(&mut this.stream).poll_read(context, &mut discarded));
            if outcome.is_err() || discarded.filled().is_empty() {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }
}
