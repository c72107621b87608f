//! Checks each response for properties that no response may have.

use serde_json::Value;

use super::ground::Ground;
use super::request::{Raw, Request};
use super::wire::{Answer, Unanswered};

/// Slower responses are findings.
pub const SLOW_SECONDS: f64 = 5.0;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fault {
    pub kind: &'static str,
    pub status: u16,
    /// The error's own code, or the kind of finding.
    pub code: String,
}

/// Texts that reveal internals when they appear in an error.
const INTERNALS: &[&str] = &[
    "panicked at",
    "stack backtrace",
    "RUST_BACKTRACE",
    ".rs:",
    "/src/",
    "SELECT \"",
    "INSERT INTO",
    "WITH pgrst",
    "pgrst_source",
    "sqlx::",
    "tokio_postgres",
    "/tmp/",
    "/root/",
    "/home/",
    "PL/pgSQL function",
];
const HASHES: &[&str] = &["$argon2", "$2a$", "$2b$", "$2y$"];

/// 503 with Retry-After: the server is busy and says for how long.
pub fn is_refusal(answer: &Answer) -> bool {
    answer.status == 503 && answer.header("retry-after").is_some()
}

pub fn judge(
    request: &Request,
    outcome: &Result<Answer, Unanswered>,
    seconds: f64,
    ground: &Ground,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |kind, status, code: &str| faults.push(Fault { kind, status, code: code.to_owned() });
    let answer = match outcome {
        Ok(answer) => answer,
        Err(error) => {
            fault(error.kind, 0, &error.detail);
            return faults;
        }
    };
    let status = answer.status;
    if seconds > SLOW_SECONDS {
        fault("later than 5 s", status, "");
    }
    let headers = answer.headers.iter().map(|(_, value)| value.as_bytes());
    for found in headers.chain([answer.body.as_slice()]).filter_map(|text| leak(text, &ground.secrets)) {
        fault("a secret in the response", status, found);
    }
    let text = String::from_utf8_lossy(&answer.body);
    if status >= 400
        && let Some(found) = INTERNALS.iter().find(|needle| text.contains(**needle))
    {
        fault("internals in an error", status, found);
    }
    if status >= 500 && !is_refusal(answer) {
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let code = ["error_code", "code", "error"].into_iter().find_map(|name| body[name].as_str());
        fault("5xx", status, code.unwrap_or_default());
    } else if status >= 400 && !has_shape(request, answer) {
        fault("an error in an unexpected format", status, &text.chars().take(60).collect::<String>());
    }
    faults
}

/// A hash or a key in a response.
fn leak(text: &[u8], secrets: &[Vec<u8>]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(text);
    let hash = HASHES.iter().copied().find(|hash| text.contains(hash));
    hash.or_else(|| {
        secrets.iter().any(|secret| text.contains(&*String::from_utf8_lossy(secret))).then_some("key")
    })
}

/// Whether an error has the format of its service.
fn has_shape(request: &Request, answer: &Answer) -> bool {
    let is_cut = request.method == "HEAD" || answer.header("content-encoding").is_some();
    // The HTTP library rejects what it can't parse before any service sees it.
    let is_unparsed = answer.status == 400 && answer.body.is_empty() && answer.closes && !is_clean(request);
    if is_cut || is_unparsed || matches!(answer.status, 414 | 431) {
        return true;
    }
    let Ok(Value::Object(body)) = serde_json::from_slice(&answer.body) else { return false };
    let is_text = |name: &str| body.get(name).is_some_and(Value::is_string);
    let has = |names: &[&str]| names.iter().all(|name| body.contains_key(*name));
    match request.template.split('/').nth(1) {
        Some("rest") => is_text("code") && is_text("message") && has(&["details", "hint"]) && body.len() == 4,
        Some("auth") => {
            is_text("msg") && is_text("error_code") && has(&["code"]) || is_text("code") && is_text("message")
        }
        Some("storage") => is_text("statusCode") && is_text("error") && is_text("message"),
        Some("functions") => is_text("error"),
        _ => true,
    }
}

/// Whether a request line and headers may contain all these bytes.
fn is_clean(request: &Request) -> bool {
    let is_target = |byte: &u8| matches!(byte, 0x21..=0x7e) && !b"\"<>\\^`{|}".contains(byte);
    let is_header = |value: &[u8]| value.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
    request.target.iter().all(is_target) && request.headers.iter().all(|(_, value)| is_header(value))
}

/// `response` is everything that the server sent, or `None` if it neither closed the connection nor responded in time.
pub fn judge_raw(raw: &Raw, response: &[u8], is_silent: bool, ground: &Ground) -> Vec<Fault> {
    let text = String::from_utf8_lossy(response);
    // A body with such a line would be misread; ours have none.
    let statuses =
        text.match_indices("HTTP/1.").filter_map(|(at, _)| text.get(at + 9..at + 12)?.parse().ok());
    let statuses: Vec<u16> = statuses.filter(|status| *status >= 200).collect();
    let mut faults = Vec::new();
    let mut fault = |kind, status, code: String| faults.push(Fault { kind, status, code });
    if is_silent {
        fault("neither a response nor a close", 0, String::new());
    }
    let obeyed = statuses.iter().filter(|status| **status != 400).count();
    if obeyed > raw.most_answers {
        fault("more responses than requests", 0, format!("{obeyed} of {}", raw.most_answers));
    }
    if statuses.len() < raw.least_answers && !is_silent {
        fault("fewer responses than requests", 0, format!("{} of {}", statuses.len(), raw.least_answers));
    }
    let is_busy = text.to_ascii_lowercase().contains("retry-after");
    if let Some(status) = statuses.iter().find(|status| **status >= 500 && !(**status == 503 && is_busy)) {
        fault("5xx", *status, String::new());
    }
    if leak(response, &ground.secrets).is_some() {
        fault("a secret in the response", 0, String::new());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::request::Caller;

    fn kinds(template: &str, status: u16, body: &str) -> Vec<&'static str> {
        let request = Request::new("GET", template, template, Caller::Visitor);
        let answer = Answer { status, body: body.as_bytes().to_vec(), ..Answer::default() };
        let ground =
            Ground { secrets: vec![b"0123456789abcdef0123456789abcdef".to_vec()], ..Ground::default() };
        judge(&request, &Ok(answer), 0.1, &ground).into_iter().map(|fault| fault.kind).collect()
    }

    #[test]
    fn each_service_has_its_own_error_format() {
        let right = [
            ("/rest/v1/{table}", r#"{"code":"42501","details":null,"hint":null,"message":"no"}"#),
            ("/auth/v1/user", r#"{"code":400,"error_code":"x","msg":"no"}"#),
            ("/auth/v1/user", r#"{"code":"x","message":"no"}"#),
            ("/storage/v1/bucket", r#"{"statusCode":"404","error":"x","message":"no","code":"x"}"#),
            ("/functions/v1/nope", r#"{"error":"no"}"#),
        ];
        for (template, body) in right {
            assert_eq!(kinds(template, 400, body), [""; 0], "{template}");
            assert_eq!(kinds(template, 400, "{}"), ["an error in an unexpected format"], "{template}");
        }
    }

    #[test]
    fn server_errors_and_leaks_are_found() {
        let right = r#"{"error":"no"}"#;
        assert_eq!(kinds("/functions/v1/nope", 500, right), ["5xx"]);
        assert_eq!(kinds("/functions/v1/nope", 200, "x$argon2id$v=19"), ["a secret in the response"]);
        let leaked = "k=0123456789abcdef0123456789abcdef";
        assert_eq!(kinds("/functions/v1/nope", 200, leaked), ["a secret in the response"]);
        let internals = r#"{"error":"at /src/main.rs:1"}"#;
        assert_eq!(kinds("/functions/v1/nope", 400, internals), ["internals in an error"]);
    }

    #[test]
    fn a_rejection_while_busy_is_not_a_finding() {
        let request = Request::new("GET", "/rest/v1/{table}", "/", Caller::Visitor);
        let headers = vec![("retry-after".to_owned(), "1".to_owned())];
        let body = br#"{"code":"PGRST003","details":null,"hint":null,"message":"no"}"#.to_vec();
        let answer = Answer { status: 503, headers, body, ..Answer::default() };
        assert!(is_refusal(&answer));
        assert_eq!(judge(&request, &Ok(answer), 0.1, &Ground::default()), []);
    }

    #[test]
    fn a_body_parsed_as_a_request_is_found() {
        let raw = Raw { bytes: Vec::new(), least_answers: 1, most_answers: 2, ends: false };
        let kinds = |count: usize| -> Vec<_> {
            let response = b"HTTP/1.1 200 OK\r\n\r\n".repeat(count);
            judge_raw(&raw, &response, false, &Ground::default())
                .into_iter()
                .map(|fault| fault.kind)
                .collect()
        };
        assert_eq!(kinds(2), [""; 0]);
        assert_eq!(kinds(3), ["more responses than requests"]);
        assert_eq!(kinds(0), ["fewer responses than requests"]);
    }
}
