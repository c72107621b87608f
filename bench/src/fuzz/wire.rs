//! Sends bytes unchanged and reads responses. HTTP libraries refuse to send most of what is tested here.

use std::fmt;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::request::Raw;

/// Limit on the size of a response.
const MAX_BODY: usize = 16 * 1024 * 1024;
const MAX_HEADERS: usize = 64;
const WAIT: Duration = Duration::from_secs(30);
const RAW_WAIT: Duration = Duration::from_secs(5);

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

#[derive(Debug)]
pub enum Unanswered {
    /// The connection was closed before the response was complete.
    Closed,
    /// Nothing arrived in time.
    Silent,
    /// The response is not HTTP.
    Malformed(String),
    /// The connection could not be opened.
    Refused(String),
}

impl Unanswered {
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Closed => "closed without a response",
            Self::Silent => "no response",
            Self::Malformed(_) => "not HTTP",
            Self::Refused(_) => "no connection",
        }
    }
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed | Self::Silent => Ok(()),
            Self::Malformed(what) | Self::Refused(what) => f.write_str(what),
        }
    }
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
        let outcome = match timeout(WAIT, self.attempt(message, method)).await {
            Ok(Err(Unanswered::Closed)) if was_open && self.unread.is_empty() => {
                self.stream = None;
                timeout(WAIT, self.attempt(message, method)).await
            }
            outcome => outcome,
        };
        let outcome = outcome.unwrap_or(Err(Unanswered::Silent));
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
                let stream = TcpStream::connect(&self.address).await;
                none.insert(stream.map_err(|error| Unanswered::Refused(error.kind().to_string()))?)
            }
        };
        // A server may respond before it has read everything. Its response counts, not our failed write.
        let is_written = stream.write_all(message).await.is_ok();
        let mut answer = self.answer(method).await?;
        answer.closes |= !is_written;
        Ok(answer)
    }

    async fn more(&mut self) -> Result<(), Unanswered> {
        let Some(stream) = &mut self.stream else { return Err(Unanswered::Silent) };
        match stream.read_buf(&mut self.unread).await {
            Ok(0) | Err(_) => Err(Unanswered::Closed),
            Ok(_) => Ok(()),
        }
    }

    /// Skips interim responses.
    async fn answer(&mut self, method: &str) -> Result<Answer, Unanswered> {
        loop {
            let Some((length, mut answer)) = head(&self.unread)? else {
                self.more().await?;
                continue;
            };
            self.unread.drain(..length);
            if answer.status < 200 {
                continue;
            }
            answer.closes =
                answer.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
            if method != "HEAD" && answer.status != 204 && answer.status != 304 {
                answer.body = self.body(&mut answer).await?;
            }
            return Ok(answer);
        }
    }

    async fn body(&mut self, answer: &mut Answer) -> Result<Vec<u8>, Unanswered> {
        if answer.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
            return self.chunks().await;
        }
        if let Some(length) = answer.header("content-length") {
            let length = length.parse().map_err(|_| Unanswered::Malformed("content-length".to_owned()))?;
            return self.exactly(length).await;
        }
        answer.closes = true;
        while self.unread.len() < MAX_BODY && self.more().await.is_ok() {}
        Ok(std::mem::take(&mut self.unread))
    }

    async fn exactly(&mut self, length: usize) -> Result<Vec<u8>, Unanswered> {
        if length > MAX_BODY {
            return Err(Unanswered::Malformed(format!("a body of {length} bytes")));
        }
        while self.unread.len() < length {
            self.more().await?;
        }
        let rest = self.unread.split_off(length);
        Ok(std::mem::replace(&mut self.unread, rest))
    }

    async fn chunks(&mut self) -> Result<Vec<u8>, Unanswered> {
        let mut body = Vec::new();
        loop {
            match httparse::parse_chunk_size(&self.unread) {
                Ok(httparse::Status::Partial) => self.more().await?,
                Err(_) => return Err(Unanswered::Malformed("a chunk's size".to_owned())),
                Ok(httparse::Status::Complete((head, size))) => {
                    self.unread.drain(..head);
                    let size = usize::try_from(size).unwrap_or(usize::MAX).min(MAX_BODY + 1);
                    // Each chunk ends with CR LF, and so does the empty trailer after the last one.
                    let chunk = self.exactly(size + 2).await?;
                    if size == 0 {
                        return Ok(body);
                    }
                    body.extend_from_slice(&chunk[..size]);
                }
            }
        }
    }
}

fn head(text: &[u8]) -> Result<Option<(usize, Answer)>, Unanswered> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response.parse(text).map_err(|error| Unanswered::Malformed(error.to_string()))?;
    let httparse::Status::Complete(length) = parsed else { return Ok(None) };
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers =
        response.headers.iter().map(|header| (header.name.to_ascii_lowercase(), text(header.value)));
    let headers = headers.collect();
    Ok(Some((length, Answer { status: response.code.unwrap_or(0), headers, ..Answer::default() })))
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
