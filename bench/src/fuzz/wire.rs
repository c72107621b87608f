//! An HTTP/1.1 client that sends bytes unchanged. HTTP libraries refuse to send most of what is tested here.

use std::time::Duration;
use std::{fmt, io};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Limit on the size of a response.
const MAX_BODY: usize = 16 * 1024 * 1024;
const MAX_HEADERS: usize = 64;

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
    Closed(String),
    /// Nothing arrived in time.
    Silent,
    /// The response is not HTTP.
    Malformed(String),
    /// The connection could not be opened.
    Refused(io::Error),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closed(when) => write!(f, "the connection was closed: {when}"),
            Self::Silent => f.write_str("no response in time"),
            Self::Malformed(what) => write!(f, "the response is not HTTP: {what}"),
            Self::Refused(error) => write!(f, "no connection: {error}"),
        }
    }
}

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
    pub async fn send(&mut self, message: &[u8], method: &str, wait: Duration) -> Result<Answer, Unanswered> {
        let was_kept = self.stream.is_some();
        let outcome = match timeout(wait, self.attempt(message, method)).await {
            Ok(Err(Unanswered::Closed(_))) if was_kept && self.unread.is_empty() => {
                self.stream = None;
                timeout(wait, self.attempt(message, method)).await
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
        if self.stream.is_none() {
            let stream = TcpStream::connect(&self.address).await.map_err(Unanswered::Refused)?;
            let _ = stream.set_nodelay(true);
            self.unread.clear();
            self.stream = Some(stream);
        }
        let Some(stream) = &mut self.stream else { return Err(Unanswered::Silent) };
        // A server may respond before it has read everything. Its response counts, not our failed write.
        let written = stream.write_all(message).await;
        let answer = read_answer(stream, &mut self.unread, method).await;
        match (answer, written) {
            (Ok(mut answer), written) => {
                answer.closes |= written.is_err();
                Ok(answer)
            }
            (Err(error), _) => Err(error),
        }
    }
}

async fn more(stream: &mut TcpStream, unread: &mut Vec<u8>) -> Result<(), Unanswered> {
    match stream.read_buf(unread).await {
        Ok(0) => Err(Unanswered::Closed(format!("after {} bytes of a response", unread.len()))),
        Ok(_) => Ok(()),
        Err(error) => Err(Unanswered::Closed(error.to_string())),
    }
}

/// Skips interim responses.
pub async fn read_answer(
    stream: &mut TcpStream,
    unread: &mut Vec<u8>,
    method: &str,
) -> Result<Answer, Unanswered> {
    loop {
        let (head_length, mut answer) = loop {
            if let Some(found) = parse_head(unread)? {
                break found;
            }
            more(stream, unread).await?;
        };
        unread.drain(..head_length);
        if answer.status < 200 {
            continue;
        }
        answer.closes = answer.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"));
        if method != "HEAD" && answer.status != 204 && answer.status != 304 {
            answer.body = read_body(stream, unread, &mut answer).await?;
        }
        return Ok(answer);
    }
}

fn parse_head(text: &[u8]) -> Result<Option<(usize, Answer)>, Unanswered> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let parsed = response.parse(text).map_err(|error| Unanswered::Malformed(error.to_string()))?;
    let httparse::Status::Complete(length) = parsed else { return Ok(None) };
    let headers = response
        .headers
        .iter()
        .map(|header| (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).into_owned()));
    let headers = headers.collect();
    Ok(Some((length, Answer { status: response.code.unwrap_or(0), headers, ..Answer::default() })))
}

async fn read_body(
    stream: &mut TcpStream,
    unread: &mut Vec<u8>,
    answer: &mut Answer,
) -> Result<Vec<u8>, Unanswered> {
    if answer.header("transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
        return read_chunks(stream, unread).await;
    }
    if let Some(length) = answer.header("content-length") {
        let length: usize = length.parse().map_err(|_| Unanswered::Malformed("content-length".to_owned()))?;
        return exactly(stream, unread, length).await;
    }
    answer.closes = true;
    let mut body = std::mem::take(unread);
    while body.len() < MAX_BODY {
        match more(stream, &mut body).await {
            Ok(()) => {}
            Err(_) => break,
        }
    }
    Ok(body)
}

async fn exactly(stream: &mut TcpStream, unread: &mut Vec<u8>, length: usize) -> Result<Vec<u8>, Unanswered> {
    if length > MAX_BODY {
        return Err(Unanswered::Malformed(format!("a body of {length} bytes")));
    }
    while unread.len() < length {
        more(stream, unread).await?;
    }
    let rest = unread.split_off(length);
    Ok(std::mem::replace(unread, rest))
}

async fn read_chunks(stream: &mut TcpStream, unread: &mut Vec<u8>) -> Result<Vec<u8>, Unanswered> {
    let mut body = Vec::new();
    loop {
        let (head, size) = loop {
            match httparse::parse_chunk_size(unread) {
                Ok(httparse::Status::Complete(found)) => break found,
                Ok(httparse::Status::Partial) => more(stream, unread).await?,
                Err(_) => return Err(Unanswered::Malformed("a chunk's size".to_owned())),
            }
        };
        unread.drain(..head);
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(MAX_BODY + 1);
        // Each chunk ends with CR LF, and so does the empty trailer after the last one.
        let mut chunk = exactly(stream, unread, size + 2).await?;
        chunk.truncate(size);
        if size == 0 {
            return Ok(body);
        }
        body.extend_from_slice(&chunk);
    }
}
