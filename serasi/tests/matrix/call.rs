//! A request as written in a table, and its response.

use std::path::Path;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Tables contain readable text, including `%` and `+`, which is encoded here.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'+')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

#[derive(Debug, Clone)]
pub struct Call {
    pub method: Method,
    /// Relative to the service's prefix, not encoded.
    pub path: String,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Call {
    /// `METHOD path?query ; Header: value ; …`
    pub fn parse(request: &str, body: &str) -> Result<Self, String> {
        let mut parts = request.split(" ; ");
        let line = parts.next().unwrap_or_default().trim();
        let (method, path) = line.split_once(' ').ok_or_else(|| format!("`{line}` is no request"))?;
        let method = method.parse().map_err(|_| format!("`{method}` is no method"))?;
        let headers = parts.map(|part| {
            let (name, value) = part.split_once(':').ok_or_else(|| format!("`{part}` is no header"))?;
            Ok((name.trim().to_lowercase(), value.trim().to_owned()))
        });
        let headers = headers.collect::<Result<Vec<_>, String>>()?;
        Ok(Self { method, path: path.trim().to_owned(), headers, body: body.as_bytes().to_vec() })
    }

    /// Replaces the body `png` or `gif` with a one-pixel image of that format.
    #[must_use]
    pub fn with_picture(mut self) -> Self {
        let format = match self.body.as_slice() {
            b"png" => "png",
            b"gif" => "gif",
            _ => return self,
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../storage-service/tests/fixtures");
        self.body = std::fs::read(folder.join(format!("pixel.{format}"))).unwrap();
        self.headers.push(("content-type".to_owned(), format!("image/{format}")));
        self
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Returns a copy with one more preference.
    #[must_use]
    pub fn preferring(&self, preference: &str) -> Self {
        let mut call = self.clone();
        match call.headers.iter_mut().find(|(name, _)| name == "prefer") {
            Some((_, value)) => *value = format!("{value}, {preference}"),
            None => call.headers.push(("prefer".to_owned(), preference.to_owned())),
        }
        call
    }

    pub fn reads(&self) -> bool {
        [Method::GET, Method::HEAD, Method::OPTIONS].contains(&self.method)
    }

    pub async fn send(&self, http: &Client, base: &str, keys: &[(&str, String)]) -> Answer {
        let url = format!("{base}/{}", utf8_percent_encode(&self.path, ENCODED));
        if self.path.contains("/../") {
            return self.send_as_it_is(&url, keys).await;
        }
        let mut request = http.request(self.method.clone(), url).body(self.body.clone());
        for (name, value) in keys {
            request = request.header(*name, value);
        }
        if !self.body.is_empty() && self.header("content-type").is_none() {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, body: response.bytes().await.unwrap().to_vec() }
    }

    /// HTTP clients normalize paths, but attackers don't, so send the path unchanged.
    async fn send_as_it_is(&self, url: &str, keys: &[(&str, String)]) -> Answer {
        let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut request =
            format!("{} /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n", self.method);
        let own = self.headers.iter().map(|(name, value)| (name.as_str(), value));
        for (name, value) in own.chain(keys.iter().map(|(name, value)| (*name, value))) {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str(&format!("content-length: {}\r\n\r\n", self.body.len()));
        let mut stream = TcpStream::connect(host).await.unwrap();
        stream.write_all(&[request.as_bytes(), &self.body].concat()).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        let text = String::from_utf8(response).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, headers: HeaderMap::new(), body: body.as_bytes().to_vec() }
    }
}

impl Answer {
    /// Returns `null` without a body or if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The total in a content range such as `0-1/7`.
    pub fn total(&self) -> Option<u64> {
        self.header("content-range")?.rsplit_once('/')?.1.parse().ok()
    }

    /// Status and body, truncated for messages.
    pub fn summary(&self) -> String {
        let body: String = String::from_utf8_lossy(&self.body).chars().take(200).collect();
        format!("{} {}", self.status, body.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_parsed_and_encoded() {
        let call = Call::parse("POST a?b=like.*%x ; Prefer: resolution=merge-duplicates", "{}").unwrap();
        assert_eq!((call.method.as_str(), call.path.as_str()), ("POST", "a?b=like.*%x"));
        assert_eq!(
            call.preferring("return=minimal").header("prefer"),
            Some("resolution=merge-duplicates, return=minimal")
        );
        assert_eq!(
            utf8_percent_encode("a->>b=eq.{1+1} %", ENCODED).to_string(),
            "a-%3E%3Eb=eq.%7B1%2B1%7D%20%25"
        );
    }

    #[test]
    fn malformed_requests_are_rejected() {
        assert!(Call::parse("GET", "").is_err());
        assert!(Call::parse("GET a ; Prefer", "").is_err());
    }
}
