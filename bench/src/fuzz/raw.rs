//! Malformed HTTP on the socket: bad heads, bad framing, wrong lengths, pipelining.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::dice::Dice;

pub const KINDS: &[&str] = &[
    "bad line",
    "bad header",
    "no host",
    "two lengths",
    "length and chunks",
    "bad chunk",
    "lying length",
    "pipelined",
    "expect",
    "smuggled",
    "long head",
    "garbage",
    "bare newlines",
    "version",
    "absolute target",
];

#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    pub kind: &'static str,
    pub bytes: Vec<u8>,
    /// The minimum number of responses. Fewer mean that a request got none.
    pub least_answers: usize,
    /// The maximum number of responses, not counting rejections. More mean that a body was parsed as a request.
    pub most_answers: usize,
    /// Whether the client closes its side, so that the announced body stays incomplete.
    pub ends: bool,
}

#[derive(Debug, Default)]
pub struct RawResponse {
    pub bytes: Vec<u8>,
    pub seconds: f64,
    /// The server neither closed the connection nor responded in time.
    pub silent: bool,
}

pub fn generate(dice: &mut Dice) -> Case {
    const GET: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n";
    let kind = KINDS[dice.below(KINDS.len())];
    let path = dice.word(&[
        "/rest/v1/influencers",
        "/auth/v1/token",
        "/storage/v1/object/images/x",
        "/functions/v1/create-admin",
        "/",
    ]);
    let post = |headers: &str, body: &str| {
        format!("POST {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n{body}").into_bytes()
    };
    let (mut least_answers, mut most_answers, mut ends) = (0, 1, true);
    const LAST: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let bytes = match kind {
        "bad line" => {
            let line = dice.word(&[
                "GET",
                "GET ",
                "GET /",
                " / HTTP/1.1",
                "G\0T / HTTP/1.1",
                "GET /\0 HTTP/1.1",
                "GET /a b HTTP/1.1",
                "\u{feff}GET / HTTP/1.1",
                "GET /<\"> HTTP/1.1",
                "GET http:// HTTP/1.1",
                "GET * HTTP/1.1",
                "CONNECT x:1 HTTP/1.1",
            ]);
            format!("{line}\r\nhost: x\r\n\r\n").into_bytes()
        }
        "bad header" => {
            let line = dice.word(&[
                "a b: c",
                ": x",
                "a\0: b",
                "a : b",
                " folded",
                "x",
                "a: \u{1}",
                "content-length: -1",
                "content-length: 1x",
                "content-length: 99999999999999999999999",
                "transfer-encoding: nope",
                "a: b\nc: d",
            ]);
            post(&format!("{line}\r\n"), "{}")
        }
        "no host" => format!("GET {path} HTTP/1.1\r\n\r\n").into_bytes(),
        "two lengths" => post("content-length: 2\r\ncontent-length: 45\r\n", &format!("{{}}{GET}")),
        "length and chunks" => {
            let name = dice.word(&[
                "transfer-encoding: chunked",
                "transfer-encoding: xchunked",
                "Transfer-Encoding:\tchunked",
                "transfer-encoding: chunked, identity",
                "transfer-encoding : chunked",
            ]);
            // Whichever of the two the server uses, the bytes after the other's end must not be parsed as a request
            // unless the framing says so.
            most_answers = 2;
            post(&format!("content-length: 6\r\n{name}\r\n"), "0\r\n\r\nG")
        }
        "bad chunk" => {
            let body = dice.word(&[
                "zz\r\n",
                "-1\r\n",
                "ffffffffffffffffff\r\n",
                "2\r\n{}\r",
                "2\r\n{}x\r\n0\r\n\r\n",
                "2;a=b\r\n{}\r\n0\r\n\r\n",
                "0\r\nx: y\r\n\r\n",
                "1\n{\n0\n\n",
            ]);
            post("transfer-encoding: chunked\r\n", body)
        }
        "lying length" => post(
            dice.word(&[
                "content-length: 100\r\n",
                "content-length: 0\r\n",
                "content-length: 1\r\n",
                "content-length: 2147483648\r\n",
            ]),
            "{}",
        ),
        "pipelined" => {
            let count = dice.between(2, 12);
            (least_answers, most_answers, ends) = (count, count, false);
            format!("{}{LAST}", GET.repeat(count - 1)).into_bytes()
        }
        "expect" => {
            (least_answers, ends) = (1, false);
            post(
                "expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n",
                dice.word(&["OK", "{}", "<>"]),
            )
        }
        "smuggled" => {
            // A body that looks like a request, with characters that some servers encode in request lines.
            let inner = format!("GET /{} HTTP/1.1\r\nx: {GET}", "<".repeat(dice.between(1, 60)));
            let expect = dice.word(&["", "expect: 100-continue\r\n"]);
            (least_answers, ends) = (1, false);
            // Without `connection: close`, so that a response to a smuggled request would be received.
            let length = inner.len();
            [post(&format!("{expect}content-length: {length}\r\n"), &inner), LAST.as_bytes().to_vec()]
                .concat()
        }
        "long head" => match dice.below(3) {
            0 => format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(dice.between(10_000, 90_000)))
                .into_bytes(),
            1 => format!(
                "GET / HTTP/1.1\r\nhost: x\r\na: {}\r\n\r\n",
                "b".repeat(dice.between(10_000, 90_000))
            )
            .into_bytes(),
            _ => format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(dice.between(50, 2000)))
                .into_bytes(),
        },
        "garbage" => (0..dice.between(1, 400)).map(|_| dice.byte()).collect(),
        "bare newlines" => format!("GET {path} HTTP/1.1\nhost: x\n\n").into_bytes(),
        "version" => format!(
            "GET {path} {}\r\nhost: x\r\n\r\n",
            dice.word(&["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "http/1.1", "HTTP/9", ""])
        )
        .into_bytes(),
        _ => format!(
            "GET {} HTTP/1.1\r\nhost: x\r\n\r\n",
            dice.word(&[
                "http://other.test/rest/v1/gigs",
                "https://127.0.0.1/auth/v1/health",
                "ftp://x",
                "//rest/v1/gigs"
            ])
        )
        .into_bytes(),
    };
    if kind == "smuggled" {
        most_answers = 2;
    }
    Case { kind, bytes, least_answers, most_answers, ends }
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
