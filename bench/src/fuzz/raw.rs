//! Malformed HTTP on the socket: bad heads, bad framing, wrong lengths, pipelining.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::raw_cases::Case;

#[derive(Debug, Default)]
pub struct RawResponse {
    pub bytes: Vec<u8>,
    pub seconds: f64,
    /// The server neither closed the connection nor responded in time.
    pub silent: bool,
}

/// Sends the bytes, closes its own side, and reads until the server closes the other.
pub async fn send(address: &str, case: &Case, wait: Duration) -> std::io::Result<RawResponse> {
    let began = Instant::now();
    let mut stream = TcpStream::connect(address).await?;
    // The server may have rejected the request and closed the connection early.
    let _ = stream.write_all(&case.bytes).await;
    if case.ends {
        let _ = stream.shutdown().await;
    }
    let mut response = RawResponse::default();
    loop {
        let left = wait.saturating_sub(began.elapsed());
        match timeout(left, stream.read_buf(&mut response.bytes)).await {
            Ok(Ok(0) | Err(_)) => break,
            Ok(Ok(_)) => {}
            Err(_) => {
                response.silent = true;
                break;
            }
        }
    }
    response.seconds = began.elapsed().as_secs_f64();
    Ok(response)
}

/// The statuses of the final responses in it. A body with such a line would be misread; ours have none.
pub fn statuses(response: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(response);
    text.match_indices("HTTP/1.")
        .filter_map(|(at, _)| text.get(at + 9..at + 12)?.parse().ok())
        .filter(|status| *status >= 200)
        .collect()
}

impl Case {
    /// A command that sends the same bytes.
    pub fn command(&self) -> String {
        let mut text = String::new();
        for byte in &self.bytes {
            match byte {
                b'\'' | b'\\' | b'%' => text.push_str(&format!("\\{byte:03o}")),
                0x20..=0x7e => text.push(char::from(*byte)),
                _ => text.push_str(&format!("\\{byte:03o}")),
            }
        }
        format!("printf '{text}' | nc -N \"$HOST\" \"$PORT\"")
    }
}
