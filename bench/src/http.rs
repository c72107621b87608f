//! A small blocking HTTP client on one kept-alive connection. It shares the cores with the server, so it does as
//! little as possible.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

use anyhow::{Context, bail, ensure};

const TIMEOUT: Duration = Duration::from_secs(30);
const MOST_HEADERS: usize = 64;
const READ_SIZE: usize = 64 * 1024;

/// # Errors
/// When the URL has no address.
pub fn address(url: &str) -> anyhow::Result<SocketAddr> {
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let address = host.to_socket_addrs().with_context(|| url.to_owned())?.next();
    address.with_context(|| format!("{url} has no address"))
}

/// A request to the gateway.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: &'static str,
    /// The path with the query.
    pub path: String,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
}

impl Request {
    /// The request as it is sent over a connection.
    pub fn bytes(&self, address: SocketAddr) -> Vec<u8> {
        let mut head = format!("{} {} HTTP/1.1\r\nHost: {address}\r\n", self.method, self.path);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !self.body.is_empty() {
            head.push_str(&format!("Content-Length: {}\r\n", self.body.len()));
        }
        head.push_str("\r\n");
        head.push_str(&self.body);
        head.into_bytes()
    }
}

pub struct Connection {
    stream: TcpStream,
    space: Box<[u8]>,
    /// Received bytes that belong to no response yet.
    received: Vec<u8>,
    body: Vec<u8>,
}

enum Length {
    Bytes(usize),
    Chunks,
}

impl Connection {
    /// # Errors
    /// When the server does not accept the connection.
    pub fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, TIMEOUT).with_context(|| address.to_string())?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        let (space, received) = (vec![0; READ_SIZE].into(), Vec::with_capacity(READ_SIZE));
        Ok(Self { stream, space, received, body: Vec::new() })
    }

    /// Sends a request and reads the response. Returns its status; [`Self::body`] has the body.
    ///
    /// # Errors
    /// When the connection breaks or the response is not HTTP.
    pub fn exchange(&mut self, request: &[u8]) -> anyhow::Result<u16> {
        self.stream.write_all(request)?;
        let (status, length) = self.head()?;
        self.body.clear();
        match length {
            Length::Bytes(bytes) => self.take(bytes)?,
            Length::Chunks => self.chunks()?,
        }
        Ok(status)
    }

    pub fn body(&self) -> &[u8] {
        &self.body
    }

    fn head(&mut self) -> anyhow::Result<(u16, Length)> {
        loop {
            let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
            let mut response = httparse::Response::new(&mut headers);
            if let httparse::Status::Complete(end) = response.parse(&self.received)? {
                let status = response.code.context("a status")?;
                let length = length(status, response.headers)?;
                self.received.drain(..end);
                return Ok((status, length));
            }
            self.receive()?;
        }
    }

    fn receive(&mut self) -> anyhow::Result<()> {
        let read = self.stream.read(&mut self.space)?;
        ensure!(read > 0, "the server closed the connection");
        self.received.extend_from_slice(&self.space[..read]);
        Ok(())
    }

    /// Moves bytes to the body.
    fn take(&mut self, bytes: usize) -> anyhow::Result<()> {
        while self.received.len() < bytes {
            self.receive()?;
        }
        self.body.extend(self.received.drain(..bytes));
        Ok(())
    }

    fn chunks(&mut self) -> anyhow::Result<()> {
        loop {
            let parsed = httparse::parse_chunk_size(&self.received);
            let Ok(parsed) = parsed else { bail!("an invalid chunk") };
            let httparse::Status::Complete((start, size)) = parsed else {
                self.receive()?;
                continue;
            };
            self.received.drain(..start);
            self.take(usize::try_from(size)?)?;
            while self.received.len() < 2 {
                self.receive()?;
            }
            self.received.drain(..2);
            if size == 0 {
                return Ok(());
            }
        }
    }
}

fn length(status: u16, headers: &[httparse::Header<'_>]) -> anyhow::Result<Length> {
    let value = |name: &str| {
        let header = headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        header.and_then(|header| std::str::from_utf8(header.value).ok())
    };
    if status == 204 || status == 304 {
        return Ok(Length::Bytes(0));
    }
    if let Some(bytes) = value("content-length") {
        return Ok(Length::Bytes(bytes.trim().parse()?));
    }
    ensure!(value("transfer-encoding") == Some("chunked"), "a response without a length");
    Ok(Length::Chunks)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// A server that answers each read with the next of these texts, in two writes.
    fn server(responses: &'static [&'static str]) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for response in responses {
                let mut request = [0; 1024];
                assert!(stream.read(&mut request).unwrap() > 0);
                let (one, two) = response.split_at(response.len() / 2);
                stream.write_all(one.as_bytes()).unwrap();
                stream.flush().unwrap();
                std::thread::sleep(Duration::from_millis(20));
                stream.write_all(two.as_bytes()).unwrap();
            }
        });
        address
    }

    #[test]
    fn responses_end_by_length_by_chunks_or_by_status() {
        let address = server(&[
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n[{}]",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[1,\r\n2\r\n2]\r\n0\r\n\r\n",
            "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}",
        ]);
        let request =
            Request { method: "GET", path: "/a".to_owned(), headers: Vec::new(), body: String::new() };
        let request = request.bytes(address);
        let mut connection = Connection::open(address).unwrap();
        for (status, body) in [(200, "[{}]"), (200, "[1,2]"), (204, ""), (404, "{}")] {
            assert_eq!(connection.exchange(&request).unwrap(), status);
            assert_eq!(connection.body(), body.as_bytes());
        }
        assert!(connection.exchange(&request).is_err());
    }
}
