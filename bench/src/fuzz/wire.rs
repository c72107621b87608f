//! Sends bytes unchanged and reads responses. HTTP libraries refuse to send most of what is tested here.

use std::time::Duration;

use httparse::Status;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::request::Raw;

/// Limit on the size of a response.
const MAX_BODY: usize = 16 * 1024 * 1024;
const MAX_HEADERS: usize = 64;
const WAIT: Duration = Duration::from_secs(30);
const RAW_WAIT: Duration = Duration::from_secs(5);
/// The connection was closed before the response was complete.
const CLOSED: &str = "closed without a response";

#[derive(Debug, Default, Clone)]
pub struct Answer {
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
    /// The connection can't be reused.
    pub closes: bool,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why there is no response.
#[derive(Debug)]
pub struct Unanswered {
    pub kind: &'static str,
    pub detail: String,
}

fn malformed(what: impl ToString) -> Unanswered {
    Unanswered { kind: "not HTTP", detail: what.to_string() }
}

/// A kept-alive connection, and received bytes that belong to no response yet.
pub struct Connection {
    address: String,
    stream: Option<TcpStream>,
    unread: Vec<u8>,
}

impl Connection {
    pub fn new(address: &str) -> Self {
        Self { address: address.to_owned(), stream: None, unread: Vec::new() }
    }

    /// Sends a message and reads the response. Reconnects if the server has closed a kept-alive connection in the
    /// meantime.
    ///
    /// # Errors
    /// When no response arrives.
    pub async fn send(&mut self, message: &[u8], method: &str) -> Result<Answer, Unanswered> {
        let was_open = self.stream.is_some();
        let mut outcome = timeout(WAIT, self.attempt(message, method)).await;
        if was_open && self.unread.is_empty() && matches!(&outcome, Ok(Err(error)) if error.kind == CLOSED) {
            self.stream = None;
            outcome = timeout(WAIT, self.attempt(message, method)).await;
        }
        let silence = |_| Err(Unanswered { kind: "no response", detail: String::new() });
        let outcome = outcome.unwrap_or_else(silence);
        if outcome.as_ref().map_or(true, |answer| answer.closes) {
            self.stream = None;
            self.unread.clear();
        }
        outcome
    }

    async fn attempt(&mut self, message: &[u8], method: &str) -> Result<Answer, Unanswered> {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let refused = |error: std::io::Error| Unanswered {
                    kind: "no connection",
                    detail: error.kind().to_string(),
                };
                none.insert(TcpStream::connect(&self.address).await.map_err(refused)?)
            }
        };
        // A server may respond before it has read everything. Its response counts, not our failed write.
        let is_written = stream.write_all(message).await.is_ok();
        loop {
            if let Some((length, mut answer)) = response(&self.unread, method)? {
                self.unread.drain(..length);
                answer.closes |= !is_written;
                return Ok(answer);
            }
            if !matches!(stream.read_buf(&mut self.unread).await, Ok(1..)) {
                return Err(Unanswered { kind: CLOSED, detail: String::new() });
            }
        }
    }
}

/// The first response and its length, once it is complete. Interim responses are skipped.
fn response(bytes: &[u8], method: &str) -> Result<Option<(usize, Answer)>, Unanswered> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Response::new(&mut headers);
    let Status::Complete(head) = parsed.parse(bytes).map_err(malformed)? else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers = parsed.headers.iter().map(|header| (header.name.to_ascii_lowercase(), text(header.value)));
    let mut answer =
        Answer { status: parsed.code.unwrap_or(0), headers: headers.collect(), ..Answer::default() };
    answer.closes = answer.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
    let rest = &bytes[head..];
    if answer.status < 200 {
        return Ok(response(rest, method)?.map(|(length, answer)| (head + length, answer)));
    }
    let body = if method == "HEAD" || matches!(answer.status, 204 | 304) {
        Some((0, Vec::new()))
    } else if let Some(length) = answer.header("content-length") {
        let length: usize = length.parse().map_err(malformed)?;
        if length > MAX_BODY {
            return Err(malformed(format!("a body of {length} bytes")));
        }
        rest.get(..length).map(|body| (length, body.to_vec()))
    } else {
        chunks(rest)?
    };
    Ok(body.map(|(length, body)| (head + length, Answer { body, ..answer })))
}

/// A chunked body and its length, once it is complete.
fn chunks(bytes: &[u8]) -> Result<Option<(usize, Vec<u8>)>, Unanswered> {
    let (mut at, mut body) = (0, Vec::new());
    loop {
        let size = httparse::parse_chunk_size(&bytes[at..]).map_err(|_| malformed("a chunk's size"))?;
        let Status::Complete((head, size)) = size else { return Ok(None) };
        // Each chunk ends with CR LF, and so does the empty trailer after the last one.
        let start = at + head;
        let end = start + usize::try_from(size).unwrap_or(usize::MAX).min(MAX_BODY);
        if bytes.len() < end + 2 {
            return Ok(None);
        }
        if size == 0 {
            return Ok(Some((end + 2, body)));
        }
        body.extend_from_slice(&bytes[start..end]);
        at = end + 2;
    }
}

/// Sends the bytes, closes its own side if the case says so, and reads until the server closes the other. Returns whether
/// the server did not.
///
/// # Errors
/// When there is no connection.
pub async fn send_raw(address: &str, raw: &Raw) -> std::io::Result<(Vec<u8>, bool)> {
    let mut stream = TcpStream::connect(address).await?;
    // The server may have rejected the request and closed the connection early.
    let _ = stream.write_all(&raw.bytes).await;
    if raw.ends {
        let _ = stream.shutdown().await;
    }
    let mut response = Vec::new();
    let reading = async { while matches!(stream.read_buf(&mut response).await, Ok(1..)) {} };
    let is_silent = timeout(RAW_WAIT, reading).await.is_err();
    Ok((response, is_silent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_complete_at_their_last_byte() {
        let sized = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n";
        for text in [sized, chunked] {
            let (length, answer) = response(format!("{text}HTTP/1.1").as_bytes(), "GET").unwrap().unwrap();
            assert_eq!((length, answer.body.as_slice()), (text.len(), &b"ok"[..]));
            assert!(response(&text.as_bytes()[..text.len() - 1], "GET").unwrap().is_none());
        }
        assert!(response(b"garbage\r\n\r\n", "GET").is_err());
    }
}
