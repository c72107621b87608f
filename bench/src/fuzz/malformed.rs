//! Requests that break one rule of HTTP/1.1 each.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;

use super::request::{Caller, Raw, Request};

const GET: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n";
const LAST: &str = "GET /rest/v1/gigs?limit=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
const PATHS: &[&str] = &[
    "/rest/v1/influencers",
    "/auth/v1/token",
    "/storage/v1/object/images/x",
    "/functions/v1/create-admin",
    "/",
];

/// Kinds and their variants. In a variant, `{path}` is one of the paths above, and `{n}` stands for many letters.
/// Variants without a line break are request lines, those that begin with `+` are headers and a body of a POST.
pub fn kinds() -> BTreeMap<String, Vec<String>> {
    serde_json::from_str(include_str!("malformed.json")).unwrap_or_default()
}

pub fn requests() -> BoxedStrategy<Request> {
    let kinds: Vec<_> = kinds().into_iter().collect();
    let kind = select(kinds).prop_flat_map(|(kind, variants)| (Just(kind), select(variants)));
    (kind, select(PATHS), 2..12_usize, 10_000..90_000_usize)
        .prop_map(|((kind, variant), path, count, many)| {
            let mut request = Request::new("raw", &kind, "", Caller::Nobody);
            request.raw = Some(raw(&kind, &variant, path, count, many));
            request
        })
        .boxed()
}

fn raw(kind: &str, variant: &str, path: &str, count: usize, many: usize) -> Raw {
    // Most get at most one response, after which the client closes its side.
    let (mut least_answers, mut most_answers, mut ends) = (0, 1, true);
    let text = match kind {
        "pipelined" => {
            (least_answers, most_answers, ends) = (count, count, false);
            format!("{}{LAST}", GET.repeat(count - 1))
        }
        "smuggled" => {
            // A body that looks like a request, with characters that some servers encode in request lines. Without
            // `connection: close`, so that a response to a smuggled request would be received.
            (least_answers, most_answers, ends) = (1, 2, false);
            let inner = format!("GET /{} HTTP/1.1\r\nx: {GET}", "<".repeat(5 * count));
            let length = inner.len();
            format!(
                "POST {path} HTTP/1.1\r\nhost: x\r\n{variant}content-length: {length}\r\n\r\n{inner}{LAST}"
            )
        }
        "long head" if variant == "headers" => {
            format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(many / 45))
        }
        _ => {
            match kind {
                "expect" => (least_answers, ends) = (1, false),
                // Whichever of the two the server uses, the bytes after the other's end must not be parsed as a
                // request unless the framing says so.
                "length and chunks" => most_answers = 2,
                _ => {}
            }
            match variant.strip_prefix('+') {
                Some(rest) => format!("POST {path} HTTP/1.1\r\nhost: x\r\n{rest}"),
                None if variant.contains('\n') || kind == "garbage" => variant.to_owned(),
                None => format!("{variant}\r\nhost: x\r\n\r\n"),
            }
        }
    };
    let text = text.replace("{path}", path).replace("{n}", &"a".repeat(many));
    Raw { bytes: text.into_bytes(), least_answers, most_answers, ends }
}
