//! Determines from the head of a request what the bytes after it are.

/// The number that hyper accepts.
const MAX_HEADERS: usize = 100;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// There is no body.
    Head,
    /// A body of this length, at least one byte.
    Body(u64),
    Chunked,
    /// The connection is not tracked any further.
    Unknown,
    /// Two parsers could disagree about where this request ends.
    Rejected,
}

/// The length of the first head, including its empty line. Skips the `searched` bytes. Finds every end that
/// hyper finds: hyper accepts a bare line feed as the end of a line.
pub(super) fn length(text: &[u8], searched: usize) -> Option<usize> {
    // hyper skips empty lines before a request line.
    let begin = text.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
    let from = searched.saturating_sub(3).max(begin);
    let ends = |at: usize| match &text[at + 1..] {
        [b'\n', ..] => Some(at + 2),
        [b'\r', b'\n', ..] => Some(at + 3),
        _ => None,
    };
    memchr::memchr_iter(b'\n', &text[from..]).find_map(|line_feed| ends(from + line_feed))
}

/// The head with an encoded target, or `None` if the request line needs no encoding or is not HTTP/1.1.
pub(super) fn encoded(head: &[u8]) -> Option<Vec<u8>> {
    let begin = head.iter().position(|byte| !matches!(byte, b'\r' | b'\n'))?;
    let end = begin + head[begin..].iter().position(|byte| *byte == b'\n')?;
    let line = &head[begin..end];
    let is_raw = |byte: &u8| matches!(byte, b'<' | b'>' | b'"');
    if !line.iter().any(is_raw) || !line.ends_with(b" HTTP/1.1\r") {
        return None;
    }
    let mut encoded = Vec::with_capacity(head.len() + 2 * line.iter().filter(|byte| is_raw(byte)).count());
    encoded.extend_from_slice(&head[..begin]);
    for byte in line {
        match byte {
            b'<' => encoded.extend_from_slice(b"%3C"),
            b'>' => encoded.extend_from_slice(b"%3E"),
            b'"' => encoded.extend_from_slice(b"%22"),
            other => encoded.push(*other),
        }
    }
    encoded.extend_from_slice(&head[end..]);
    Some(encoded)
}

/// Parses a complete head with hyper's own parser.
pub(super) fn next(head: &[u8]) -> Next {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(head) {
        Ok(httparse::Status::Complete(length)) if length == head.len() => (),
        _ => return Next::Unknown,
    }
    // Proxies disagree on whether a bare line feed ends a line.
    if has_bare_line_feed(head) {
        return Next::Rejected;
    }
    let values = |name: &str| -> Vec<&[u8]> {
        let named = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value).collect()
    };
    if values("host").len() > 1 {
        return Next::Rejected;
    }
    let next = match (values("transfer-encoding").as_slice(), values("content-length").as_slice()) {
        ([], []) => Next::Head,
        ([], [length]) => match decimal(length) {
            Some(0) => Next::Head,
            Some(length) => Next::Body(length),
            None => Next::Rejected,
        },
        ([coding], []) if coding.eq_ignore_ascii_case(b"chunked") => Next::Chunked,
        _ => Next::Rejected,
    };
    let is_tracked =
        request.version == Some(1) && request.method != Some("CONNECT") && values("upgrade").is_empty();
    if is_tracked || next == Next::Rejected { next } else { Next::Unknown }
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
