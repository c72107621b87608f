//! Malformed requests: each kind breaks one rule of HTTP/1.1.

use super::dice::Dice;

const GET: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n";
const LAST: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

const PATHS: &[&str] = &[
    "/rest/v1/influencers",
    "/auth/v1/token",
    "/storage/v1/object/images/x",
    "/functions/v1/create-admin",
    "/",
];
const ABSOLUTE_TARGETS: &[&str] =
    &["http://other.test/rest/v1/gigs", "https://127.0.0.1/auth/v1/health", "ftp://x", "//rest/v1/gigs"];

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

#[derive(Clone, Copy)]
enum Kind {
    BadLine,
    BadHeader,
    NoHost,
    TwoLengths,
    LengthAndChunks,
    BadChunk,
    LyingLength,
    Pipelined,
    Expect,
    Smuggled,
    LongHead,
    Garbage,
    BareNewlines,
    Version,
    AbsoluteTarget,
}

const NAMED: [(Kind, &str); 15] = [
    (Kind::BadLine, "bad line"),
    (Kind::BadHeader, "bad header"),
    (Kind::NoHost, "no host"),
    (Kind::TwoLengths, "two lengths"),
    (Kind::LengthAndChunks, "length and chunks"),
    (Kind::BadChunk, "bad chunk"),
    (Kind::LyingLength, "lying length"),
    (Kind::Pipelined, "pipelined"),
    (Kind::Expect, "expect"),
    (Kind::Smuggled, "smuggled"),
    (Kind::LongHead, "long head"),
    (Kind::Garbage, "garbage"),
    (Kind::BareNewlines, "bare newlines"),
    (Kind::Version, "version"),
    (Kind::AbsoluteTarget, "absolute target"),
];

/// The names of all kinds.
#[cfg(test)]
pub fn kinds() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|(_, name)| *name)
}

pub fn generate(dice: &mut Dice) -> Case {
    let (kind, name) = NAMED[dice.below(NAMED.len())];
    let path = dice.word(PATHS);
    // Most get at most one response, after which the client closes its side.
    let mut case = Case { kind: name, bytes: Vec::new(), least_answers: 0, most_answers: 1, ends: true };
    case.bytes = match kind {
        Kind::BadLine => bad_line(dice),
        Kind::BadHeader => bad_header(dice, path),
        Kind::NoHost => format!("GET {path} HTTP/1.1\r\n\r\n").into_bytes(),
        Kind::TwoLengths => post(path, "content-length: 2\r\ncontent-length: 45\r\n", &format!("{{}}{GET}")),
        Kind::LengthAndChunks => {
            // Whichever of the two the server uses, the bytes after the other's end must not be parsed as a
            // request unless the framing says so.
            case.most_answers = 2;
            length_and_chunks(dice, path)
        }
        Kind::BadChunk => bad_chunk(dice, path),
        Kind::LyingLength => lying_length(dice, path),
        Kind::Pipelined => {
            let count = dice.between(2, 12);
            (case.least_answers, case.most_answers, case.ends) = (count, count, false);
            format!("{}{LAST}", GET.repeat(count - 1)).into_bytes()
        }
        Kind::Expect => {
            (case.least_answers, case.ends) = (1, false);
            let headers = "expect: 100-continue\r\ncontent-length: 2\r\nconnection: close\r\n";
            post(path, headers, dice.word(&["OK", "{}", "<>"]))
        }
        Kind::Smuggled => {
            (case.least_answers, case.most_answers, case.ends) = (1, 2, false);
            smuggled(dice, path)
        }
        Kind::LongHead => long_head(dice),
        Kind::Garbage => (0..dice.between(1, 400)).map(|_| dice.byte()).collect(),
        Kind::BareNewlines => format!("GET {path} HTTP/1.1\nhost: x\n\n").into_bytes(),
        Kind::Version => {
            get(path, dice.word(&["HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "http/1.1", "HTTP/9", ""]))
        }
        Kind::AbsoluteTarget => get(dice.word(ABSOLUTE_TARGETS), "HTTP/1.1"),
    };
    case
}

fn get(target: &str, version: &str) -> Vec<u8> {
    format!("GET {target} {version}\r\nhost: x\r\n\r\n").into_bytes()
}

fn post(path: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("POST {path} HTTP/1.1\r\nhost: x\r\n{headers}\r\n{body}").into_bytes()
}

fn bad_line(dice: &mut Dice) -> Vec<u8> {
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

fn bad_header(dice: &mut Dice, path: &str) -> Vec<u8> {
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
    post(path, &format!("{line}\r\n"), "{}")
}

fn length_and_chunks(dice: &mut Dice, path: &str) -> Vec<u8> {
    let name = dice.word(&[
        "transfer-encoding: chunked",
        "transfer-encoding: xchunked",
        "Transfer-Encoding:\tchunked",
        "transfer-encoding: chunked, identity",
        "transfer-encoding : chunked",
    ]);
    post(path, &format!("content-length: 6\r\n{name}\r\n"), "0\r\n\r\nG")
}

fn bad_chunk(dice: &mut Dice, path: &str) -> Vec<u8> {
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
    post(path, "transfer-encoding: chunked\r\n", body)
}

fn lying_length(dice: &mut Dice, path: &str) -> Vec<u8> {
    let length = dice.word(&[
        "content-length: 100\r\n",
        "content-length: 0\r\n",
        "content-length: 1\r\n",
        "content-length: 2147483648\r\n",
    ]);
    post(path, length, "{}")
}

/// A body that looks like a request, with characters that some servers encode in request lines.
fn smuggled(dice: &mut Dice, path: &str) -> Vec<u8> {
    let inner = format!("GET /{} HTTP/1.1\r\nx: {GET}", "<".repeat(dice.between(1, 60)));
    let expect = dice.word(&["", "expect: 100-continue\r\n"]);
    // Without `connection: close`, so that a response to a smuggled request would be received.
    let outer = post(path, &format!("{expect}content-length: {}\r\n", inner.len()), &inner);
    [outer, LAST.as_bytes().to_vec()].concat()
}

fn long_head(dice: &mut Dice) -> Vec<u8> {
    let head = match dice.below(3) {
        0 => format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(dice.between(10_000, 90_000))),
        1 => format!("GET / HTTP/1.1\r\nhost: x\r\na: {}\r\n\r\n", "b".repeat(dice.between(10_000, 90_000))),
        _ => format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(dice.between(50, 2000))),
    };
    head.into_bytes()
}
