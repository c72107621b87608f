//! Determines from the head of a request what the bytes after it are.

use super::State;

/// The number that hyper accepts.
const MAX_HEADERS: usize = 100;

/// The length of the first head, including its empty line. Finds every end that hyper finds: hyper accepts a
/// bare line feed as the end of a line.
pub(super) fn length(text: &[u8]) -> Option<usize> {
    let begin = beginning(text)?;
    let ends = |at: usize| match &text[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    };
    memchr::memchr_iter(b'\n', &text[begin..]).find_map(|line_feed| ends(begin + line_feed))
}

/// hyper skips empty lines before a request line.
fn beginning(text: &[u8]) -> Option<usize> {
    text.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))
}

/// The head with an encoded target, or `None` if the request line needs no encoding or is not HTTP/1.1.
pub(super) fn encoded(head: &[u8]) -> Option<Vec<u8>> {
    let begin = beginning(head)?;
    let end = begin + memchr::memchr(b'\n', &head[begin..])?;
    let line = &head[begin..end];
    if memchr::memchr3(b'<', b'>', b'"', line).is_none() || !line.ends_with(b" HTTP/1.1\r") {
        return None;
    }
    let encode = |byte| match byte {
        &b'<' => b"%3C",
        b'>' => b"%3E",
        b'"' => b"%22",
        other => std::slice::from_ref(other),
    };
    let line: Vec<&[u8]> = line.iter().map(encode).collect();
    Some([&head[..begin], &line.concat(), &head[end..]].concat())
}

/// Parses a complete head with hyper's own parser.
pub(super) fn next(head: &[u8]) -> State {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(head) {
        Ok(httparse::Status::Complete(length)) if length == head.len() => (),
        _ => return State::Opaque,
    }
    // Proxies disagree on whether a bare line feed ends a line.
    if has_bare_line_feed(head) {
        return State::Rejected;
    }
    let values = |name: &str| -> Vec<&[u8]> {
        let named = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value).collect()
    };
    if values("host").len() > 1 {
        return State::Rejected;
    }
    let next = match (values("transfer-encoding").as_slice(), values("content-length").as_slice()) {
        ([], []) => State::Head,
        ([], [length]) => match decimal(length) {
            Some(0) => State::Head,
            Some(length) => State::Body(length),
            None => State::Rejected,
        },
        // The server closes the connection after it, so nobody needs to know where it ends.
        ([coding], []) if coding.eq_ignore_ascii_case(b"chunked") => State::Body(u64::MAX),
        _ => State::Rejected,
    };
    let is_tracked =
        request.version == Some(1) && request.method != Some("CONNECT") && values("upgrade").is_empty();
    if is_tracked || next == State::Rejected { next } else { State::Opaque }
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    let is_bare = |at: usize| at == 0 || head[at - 1] != b'\r';
    memchr::memchr_iter(b'\n', head).any(is_bare)
}

fn decimal(text: &[u8]) -> Option<u64> {
    let digits =
        std::str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    digits.parse().ok()
}
