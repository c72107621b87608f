//! Checks each response for properties that no response may have.

use serde_json::Value;

use super::ground::Ground;
use super::raw::{self, RawResponse};
use super::raw_cases::Case;
use super::request::Request;
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

pub struct Verdict {
    pub faults: Vec<Fault>,
    /// 503 with Retry-After: the server is busy and says for how long.
    pub is_refusal: bool,
    pub is_slow: bool,
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

pub fn judge(
    request: &Request,
    outcome: &Result<Answer, Unanswered>,
    seconds: f64,
    ground: &Ground,
) -> Verdict {
    let mut verdict = Verdict { faults: Vec::new(), is_refusal: false, is_slow: seconds > SLOW_SECONDS };
    let mut fault = |kind, status, code: String| verdict.faults.push(Fault { kind, status, code });
    let answer = match outcome {
        Ok(answer) => answer,
        Err(error) => {
            match error {
                Unanswered::Closed(_) => fault("closed without a response", 0, String::new()),
                Unanswered::Silent => fault("no response", 0, String::new()),
                Unanswered::Malformed(what) => fault("not HTTP", 0, what.clone()),
                Unanswered::Refused(error) => fault("no connection", 0, error.kind().to_string()),
            }
            return verdict;
        }
    };
    let status = answer.status;
    for found in leaks(&answer.body, &ground.secrets) {
        fault("a secret in the response", status, found);
    }
    if answer.headers.iter().any(|(_, value)| !leaks(value.as_bytes(), &ground.secrets).is_empty()) {
        fault("a secret in the headers", status, String::new());
    }
    if status >= 400 {
        let text = String::from_utf8_lossy(&answer.body);
        if let Some(found) = INTERNALS.iter().find(|needle| text.contains(**needle)) {
            fault("internals in an error", status, (*found).to_owned());
        }
    }
    let is_refusal = status == 503 && answer.header("retry-after").is_some();
    if status >= 500 && !is_refusal {
        fault("5xx", status, code_of(answer));
    } else if status >= 400 && !has_shape(request, answer) {
        fault(
            "an error in an unexpected format",
            status,
            String::from_utf8_lossy(&answer.body).chars().take(60).collect(),
        );
    }
    verdict.is_refusal = is_refusal;
    verdict
}

fn leaks(text: &[u8], secrets: &[Vec<u8>]) -> Vec<String> {
    let holds = |needle: &[u8]| {
        text.len() >= needle.len() && text.windows(needle.len()).any(|window| window == needle)
    };
    let mut found: Vec<String> = Vec::new();
    // Both needles begin with rare letters, so the cheap test comes first.
    if text.contains(&b'$') {
        found.extend(HASHES.iter().filter(|hash| holds(hash.as_bytes())).map(|hash| (*hash).to_owned()));
    }
    // Secrets are long; pictures and lists are longer. Their first eight bytes nearly always decide.
    for secret in secrets.iter().filter(|secret| secret.len() >= 16) {
        if find(text, &secret[..16]) && holds(secret) {
            found.push("key".to_owned());
        }
    }
    found
}

fn find(text: &[u8], needle: &[u8]) -> bool {
    let Some(first) = needle.first() else { return false };
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| byte == first) {
        rest = &rest[at..];
        if rest.starts_with(needle) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// The code in the body, in the format of each service.
fn code_of(answer: &Answer) -> String {
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let text = |name: &str| body[name].as_str().map(str::to_owned);
    text("error_code").or_else(|| text("code")).or_else(|| text("error")).unwrap_or_default()
}

/// Whether an error has the format of its service.
fn has_shape(request: &Request, answer: &Answer) -> bool {
    if request.method == "HEAD"
        || answer.header("content-encoding").is_some()
        || matches!(answer.status, 414 | 431)
    {
        return true;
    }
    // The HTTP library rejects what it can't parse before any service sees it.
    if answer.status == 400 && answer.body.is_empty() && answer.closes && !is_clean(request) {
        return true;
    }
    let Ok(Value::Object(body)) = serde_json::from_slice(&answer.body) else { return false };
    let is_text = |name: &str| body.get(name).is_some_and(Value::is_string);
    let has = |names: &[&str]| names.iter().all(|name| body.contains_key(*name));
    match request.template {
        path if path.starts_with("/rest/") => {
            is_text("code") && is_text("message") && has(&["details", "hint"]) && body.len() == 4
        }
        path if path.starts_with("/auth/") => {
            is_text("msg") && is_text("error_code") && has(&["code"]) || is_text("code") && is_text("message")
        }
        path if path.starts_with("/storage/") => {
            is_text("statusCode") && is_text("error") && is_text("message")
        }
        path if path.starts_with("/functions/") => is_text("error"),
        _ => true,
    }
}

/// Whether a request line and headers may contain all these bytes.
fn is_clean(request: &Request) -> bool {
    let target =
        request.target.iter().all(|byte| matches!(byte, 0x21..=0x7e) && !b"\"<>\\^`{|}".contains(byte));
    let header = |value: &[u8]| value.iter().all(|byte| matches!(byte, 0x20..=0x7e | b'\t'));
    target && request.headers.iter().all(|(_, value)| header(value))
}

pub fn judge_raw(case: &Case, response: &RawResponse, ground: &Ground) -> Vec<Fault> {
    let statuses = raw::statuses(&response.bytes);
    let mut faults = Vec::new();
    let mut fault = |kind, status, code: String| faults.push(Fault { kind, status, code });
    if response.silent {
        fault("neither a response nor a close", 0, String::new());
    }
    let obeyed = statuses.iter().filter(|status| **status != 400).count();
    if obeyed > case.most_answers {
        fault("more responses than requests", 0, format!("{obeyed} of {}", case.most_answers));
    }
    if statuses.len() < case.least_answers && !response.silent {
        fault("fewer responses than requests", 0, format!("{} of {}", statuses.len(), case.least_answers));
    }
    let is_busy = String::from_utf8_lossy(&response.bytes).to_ascii_lowercase().contains("retry-after");
    if let Some(status) = statuses.iter().find(|status| **status >= 500 && !(**status == 503 && is_busy)) {
        fault("5xx", *status, String::new());
    }
    if !leaks(&response.bytes, &ground.secrets).is_empty() {
        fault("a secret in the response", 0, String::new());
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::request::Caller;

    fn kinds(template: &'static str, status: u16, body: &str) -> Vec<&'static str> {
        let request = Request::new("GET", template, template, Caller::Visitor);
        let answer = Answer { status, body: body.as_bytes().to_vec(), ..Answer::default() };
        let ground =
            Ground { secrets: vec![b"0123456789abcdef0123456789abcdef".to_vec()], ..Ground::default() };
        judge(&request, &Ok(answer), 0.1, &ground).faults.into_iter().map(|fault| fault.kind).collect()
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
        assert_eq!(
            kinds("/functions/v1/nope", 200, "k=0123456789abcdef0123456789abcdef"),
            ["a secret in the response"]
        );
        assert_eq!(
            kinds("/functions/v1/nope", 400, r#"{"error":"at /src/main.rs:1"}"#),
            ["internals in an error"]
        );
    }

    #[test]
    fn a_rejection_while_busy_is_not_a_finding() {
        let request = Request::new("GET", "/rest/v1/{table}", "/", Caller::Visitor);
        let headers = vec![("retry-after".to_owned(), "1".to_owned())];
        let body = br#"{"code":"PGRST003","details":null,"hint":null,"message":"no"}"#.to_vec();
        let answer = Answer { status: 503, headers, body, ..Answer::default() };
        let verdict = judge(&request, &Ok(answer), 0.1, &Ground::default());
        assert!(verdict.is_refusal && verdict.faults.is_empty());
    }

    #[test]
    fn a_body_parsed_as_a_request_is_found() {
        let case =
            Case { kind: "smuggled", bytes: Vec::new(), least_answers: 1, most_answers: 2, ends: false };
        let answers =
            |count| RawResponse { bytes: b"HTTP/1.1 200 OK\r\n\r\n".repeat(count), ..RawResponse::default() };
        assert_eq!(judge_raw(&case, &answers(2), &Ground::default()), []);
        assert_eq!(judge_raw(&case, &answers(3), &Ground::default())[0].kind, "more responses than requests");
        assert_eq!(
            judge_raw(&case, &answers(0), &Ground::default())[0].kind,
            "fewer responses than requests"
        );
    }
}
