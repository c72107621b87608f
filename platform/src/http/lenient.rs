//! Clients such as curl send `<`, `>` and `"` in a request's target as they were typed
//! (`?select=data->>name`), which no URI may hold and the HTTP library refuses. Here they are encoded
//! on their way in, in the request line and nowhere else.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// A longer line is passed on as it is, to be refused.
const MAX_LINE: usize = 64 * 1024;

pub struct Lenient<S> {
    stream: S,
    /// What comes next may be a request line: at the beginning, and after something was answered.
    at_line: bool,
    line: Vec<u8>,
    /// Read and mended, but not handed on yet.
    mended: Vec<u8>,
}

impl<S> Lenient<S> {
    pub fn new(stream: S) -> Self {
        Self { stream, at_line: true, line: Vec::new(), mended: Vec::new() }
    }

    fn hand_on(&mut self, buffer: &mut ReadBuf<'_>) {
        let length = self.mended.len().min(buffer.remaining());
        buffer.put_slice(&self.mended[..length]);
        self.mended.drain(..length);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Lenient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            if !self.mended.is_empty() {
                self.hand_on(buffer);
                return Poll::Ready(Ok(()));
            }
            if !self.at_line {
                return Pin::new(&mut self.stream).poll_read(context, buffer);
            }
            let mut space = [0; 4096];
            let mut read = ReadBuf::new(&mut space);
            ready!(Pin::new(&mut self.stream).poll_read(context, &mut read))?;
            let ended = read.filled().is_empty();
            self.line.extend_from_slice(read.filled());
            if ended || !may_be_unfinished(&self.line) {
                self.at_line = false;
                self.mended = mended(std::mem::take(&mut self.line));
                if self.mended.is_empty() {
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Lenient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.at_line = true;
        Pin::new(&mut self.stream).poll_write(context, data)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        data: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.at_line = true;
        Pin::new(&mut self.stream).poll_write_vectored(context, data)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Whether this begins like a request line and has no end yet. Anything else, such as a body that was
/// asked for with `100 Continue`, must not be held back.
fn may_be_unfinished(text: &[u8]) -> bool {
    let method = text.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let begins_well = match &text[method..] {
        [] => method <= 16,
        [b' '] => method > 0,
        [b' ', b'/', ..] => method > 0,
        _ => false,
    };
    begins_well && text.len() < MAX_LINE && !text.contains(&b'\n')
}

fn mended(text: Vec<u8>) -> Vec<u8> {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (line, rest) = text.split_at(end);
    if !line.iter().any(|byte| matches!(byte, b'<' | b'>' | b'"'))
        || !line.trim_ascii_end().ends_with(b" HTTP/1.1")
    {
        return text;
    }
    let mut mended = Vec::with_capacity(text.len() + 16);
    for byte in line {
        match byte {
            b'<' => mended.extend_from_slice(b"%3C"),
            b'>' => mended.extend_from_slice(b"%3E"),
            b'"' => mended.extend_from_slice(b"%22"),
            other => mended.push(*other),
        }
    }
    mended.extend_from_slice(rest);
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn only_request_lines_are_mended() {
        let (mut client, server) = tokio::io::duplex(1 << 16);
        let mut server = Lenient::new(server);
        let mut read = vec![0; 4096];
        client.write_all(b"GET /a?select=b->>\"c\" HTT").await.unwrap();
        client.write_all(b"P/1.1\r\nX: \"<>\"\r\n\r\n").await.unwrap();
        let length = server.read(&mut read).await.unwrap();
        assert_eq!(&read[..length], b"GET /a?select=b-%3E%3E%22c%22 HTTP/1.1\r\nX: \"<>\"\r\n\r\n");
        client.write_all(b"\"<body>\"\n").await.unwrap();
        let length = server.read(&mut read).await.unwrap();
        assert_eq!(&read[..length], b"\"<body>\"\n");
        // After an answer the next request begins.
        server.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        client.write_all(b"POST /<x> HTTP/1.1\r\n\r\n").await.unwrap();
        let length = server.read(&mut read).await.unwrap();
        assert_eq!(&read[..length], b"POST /%3Cx%3E HTTP/1.1\r\n\r\n");
    }

    #[tokio::test]
    async fn a_body_after_an_interim_answer_is_not_held_back() {
        for body in [&b"{\"a\":\"<b>\"}"[..], b"NAME,<VALUE>", b"<x/>"] {
            let (mut client, server) = tokio::io::duplex(1 << 16);
            let mut server = Lenient::new(server);
            server.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await.unwrap();
            client.write_all(body).await.unwrap();
            let mut read = vec![0; 4096];
            let length = server.read(&mut read).await.unwrap();
            assert_eq!(&read[..length], body);
        }
    }
}
