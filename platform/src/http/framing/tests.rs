use proptest::prelude::*;

use super::*;

/// The output when the bytes arrive in these pieces.
fn passed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut framing = Framing::default();
    let mut output = Vec::new();
    for piece in pieces {
        if framing.skip_body(piece) {
            output.extend_from_slice(piece);
        } else {
            framing.push(piece, &mut output);
        }
    }
    output.append(&mut framing.finish());
    output
}

fn passed_whole(text: &[u8]) -> Vec<u8> {
    passed([text])
}

const NEXT: &str = "GET /<next> HTTP/1.1\r\n\r\n";

/// Asserts that the next request is still tracked.
#[track_caller]
fn is_tracked(text: &str) {
    let output = passed_whole(format!("{text}{NEXT}").as_bytes());
    let expected = format!("{text}GET /%3Cnext%3E HTTP/1.1\r\n\r\n");
    assert_eq!(String::from_utf8_lossy(&output), expected);
}

/// Asserts that nothing more is changed.
#[track_caller]
fn is_opaque(text: &str) {
    let whole = format!("{text}{NEXT}");
    assert_eq!(String::from_utf8_lossy(&passed_whole(whole.as_bytes())), whole);
}

/// Asserts that neither this head nor what follows reaches the server.
#[track_caller]
fn is_rejected(text: &str) {
    assert_eq!(passed_whole(format!("{text}{NEXT}").as_bytes()), [REJECTION], "{text:?}");
    let after_another = passed_whole(format!("{NEXT}{text}{NEXT}").as_bytes());
    assert_eq!(after_another, [b"GET /%3Cnext%3E HTTP/1.1\r\n\r\n", &[REJECTION][..]].concat());
}

#[test]
fn only_the_request_line_changes() {
    let text = b"GET /a?select=b->>\"c\" HTTP/1.1\r\nX: \"<>\"\r\n\r\n";
    assert_eq!(passed_whole(text), b"GET /a?select=b-%3E%3E%22c%22 HTTP/1.1\r\nX: \"<>\"\r\n\r\n");
}

#[test]
fn the_next_request_is_found_after_every_kind_of_body() {
    is_tracked("GET / HTTP/1.1\r\n\r\n");
    is_tracked("\r\nGET / HTTP/1.1\r\n\r\n");
    is_tracked("POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    is_tracked("POST / HTTP/1.1\r\ncontent-length: 23\r\n\r\nGET /<x> HTTP/1.1\r\n\r\n<>");
    is_tracked("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 20\r\n\r\nPOST /<<< HTTP/1.1\r\n");
}

#[test]
fn a_body_is_forwarded_as_it_arrives() {
    let mut framing = Framing::default();
    let mut output = Vec::new();
    framing.push(b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", &mut output);
    output.clear();
    framing.push(b"OK", &mut output);
    assert_eq!(output, b"OK");
}

#[test]
fn a_request_with_ambiguous_length_is_rejected() {
    for headers in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 5",
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 5, 5",
        "Content-Length: +5",
        "Content-Length: -1",
        "Content-Length: 0x5",
        "Content-Length: ",
        "Content-Length: 99999999999999999999",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: \x0bchunked",
        "Host: a\r\nHost: b",
        "A: b\nTransfer-Encoding: chunked",
    ] {
        let text = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n");
        let output = passed_whole(format!("{text}{NEXT}").as_bytes());
        let is_unparsable = head::next(text.as_bytes()) == State::Opaque;
        if is_unparsable {
            is_opaque(&text);
        } else {
            assert_eq!(output, [REJECTION], "{headers:?}");
            is_rejected(&text);
        }
    }
    is_rejected("POST / HTTP/1.0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n");
    is_rejected("POST / HTTP/1.1\nHost: a\r\n\r\n");
    is_rejected("\nPOST / HTTP/1.1\r\n\r\n");
}

#[test]
fn untracked_connections_pass_unchanged() {
    is_opaque("GET / HTTP/1.0\r\n\r\n");
    is_opaque("GET / HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nOK");
    is_opaque("CONNECT a:1 HTTP/1.1\r\n\r\n");
    is_opaque("GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n");
    is_opaque("GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n");
    is_opaque("GET / HTTP/1.1\r\nA : b\r\n\r\n");
    is_opaque("GET / HTTP/2.0\r\n\r\n");
    is_opaque("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    is_opaque("\x16\x03\x01\r\n\r\n");
    is_opaque("GET  / HTTP/1.1\r\n\r\n");
    is_opaque(&format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(MAX_HEAD_BYTES)));
    let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n";
    for body in [
        "0\r\n\r\n",
        "2\r\n<>\r\nA;x=\"<>\"\r\n0\r\n\r\n<7890\r\n0\r\n\r\n",
        "0;<>\r\nTrailer: <>\r\n\r\n",
        "\r\n",
        "x\r\n",
        "2 \r\n<>\r\n0\r\n\r\n",
        "2\n<>\r\n0\r\n\r\n",
        "2\r\n<>0\r\n\r\n",
        "0;a\n\r\n\r\n",
        "0\r\nA: b\n\r\n",
    ] {
        is_opaque(&format!("{chunked}{body}"));
    }
}

#[test]
fn an_incomplete_head_is_forwarded_unchanged() {
    assert_eq!(passed_whole(b"GET /<x> HTTP/1.1\r\nA: b"), b"GET /<x> HTTP/1.1\r\nA: b");
}

#[test]
fn many_pipelined_requests_are_tracked() {
    let requests = NEXT.repeat(20_000);
    assert_eq!(passed_whole(requests.as_bytes()).len(), requests.len() + 4 * 20_000);
}

/// A valid message, and what the server may read of it.
fn message() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    let target = "[a-z<>\"=&?/%]{0,20}";
    let body = prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        Just(b"GET /<smuggled><<<>>> HTTP/1.1\r\nHost: <a>\r\n\r\n".to_vec()),
        Just(b"0\r\n\r\nGET /<smuggled> HTTP/1.1\r\n\r\n".to_vec()),
    ];
    (target, body, 0..3, any::<bool>()).prop_map(|(target, body, kind, expects)| {
        let mut rest = Vec::new();
        rest.extend_from_slice(b" HTTP/1.1\r\nHost: <host>\r\n");
        if expects {
            rest.extend_from_slice(b"Expect: 100-continue\r\n");
        }
        if kind == 0 {
            rest.extend_from_slice(b"\r\n");
        } else {
            rest.extend_from_slice(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
            rest.extend_from_slice(&body);
        }
        let encoded = target.replace('<', "%3C").replace('>', "%3E").replace('"', "%22");
        let with = |target: &str| [format!("POST /{target}").as_bytes(), &rest].concat();
        (with(&target), with(&encoded))
    })
}

fn cut(text: &[u8], places: &[prop::sample::Index]) -> Vec<Vec<u8>> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(text.len() + 1)).collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places.windows(2).map(|pair| text[pair[0]..pair[1]].to_vec()).collect()
}

proptest! {
    #[test]
    fn only_request_lines_of_valid_messages_change(
        messages in proptest::collection::vec(message(), 1..6),
        places in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let sent: Vec<u8> = messages.iter().flat_map(|(sent, _)| sent.clone()).collect();
        let expected: Vec<u8> = messages.iter().flat_map(|(_, expected)| expected.clone()).collect();
        let pieces = cut(&sent, &places);
        prop_assert_eq!(passed(pieces.iter().map(Vec::as_slice)), expected);
    }

    #[test]
    fn garbage_passes_unchanged(
        head in prop_oneof![
            Just(&b"GET / HTTP/1.0\r\n\r\n"[..]),
            Just(&b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n"[..]),
            Just(&b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"[..]),
            Just(&b"GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n"[..]),
            Just(&b"\x80\r\n\r\n"[..]),
        ],
        garbage in prop_oneof![
            proptest::collection::vec(any::<u8>(), 0..400),
            "[A-Z /<>a-f0-9;\r\n]{0,400}".prop_map(String::into_bytes),
        ],
        places in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let sent = [head, &garbage].concat();
        let pieces = cut(&sent, &places);
        prop_assert_eq!(passed(pieces.iter().map(Vec::as_slice)), sent);
    }

    #[test]
    fn the_split_into_chunks_makes_no_difference(
        garbage in "(GET|POST|[A-Z]{0,3}) /[<>]{0,3} HTTP/1.[012]\r?\n(Content-Length: [0-9]{1,2}\r\n|Transfer-Encoding: chunked\r\n|Host: a\r?\n){0,3}\r\n[0-5;\r\nA<>]{0,40}(GET /<> HTTP/1.1\r\n\r\n){0,2}",
        places in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let pieces = cut(garbage.as_bytes(), &places);
        prop_assert_eq!(passed(pieces.iter().map(Vec::as_slice)), passed_whole(garbage.as_bytes()));
    }
}
