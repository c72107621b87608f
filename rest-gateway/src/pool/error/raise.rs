//! `raise sqlstate 'PGRST'`: the function defines the whole error response.

use std::collections::BTreeMap;

use axum::http::{HeaderName, StatusCode};
use serde::Deserialize;

use crate::error_body::{ErrorBody, Rejection};

#[derive(Deserialize)]
struct RaisedMessage {
    code: String,
    message: String,
    details: Option<String>,
    hint: Option<String>,
}

#[derive(Deserialize)]
struct RaisedDetail {
    status: u16,
    status_text: Option<String>,
    headers: BTreeMap<String, String>,
}

const MESSAGE_HINT: &str = "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: \
    'details', 'hint'.";
const DETAIL_HINT: &str = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: \
    'status_text'.";

/// The response that the function defines, or the error in its definition.
pub fn error_body(message: &str, detail: Option<&str>) -> Rejection {
    let Ok(body) = serde_json::from_str::<RaisedMessage>(message) else {
        return invalid(&format!("Invalid JSON value for MESSAGE: '{message}'"), MESSAGE_HINT);
    };
    let Some(detail) = detail else {
        return invalid("DETAIL is missing in the RAISE statement", DETAIL_HINT);
    };
    let Ok(RaisedDetail { status, status_text, headers }) = serde_json::from_str(detail) else {
        return invalid(&format!("Invalid JSON value for DETAIL: '{detail}'"), DETAIL_HINT);
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut error_body = ErrorBody::new(status, &body.code, body.message)
        .details(body.details)
        .hint(body.hint)
        .reason(status_text);
    for (name, value) in headers {
        if let Ok(name) = HeaderName::try_from(name) {
            error_body = error_body.header(name, value);
        }
    }
    error_body
}

fn invalid(details: &str, hint: &str) -> Rejection {
    let message = "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error";
    ErrorBody::new(StatusCode::INTERNAL_SERVER_ERROR, "PGRST121", message).details(details).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_may_set_the_reason_phrase() {
        let message = r#"{"code":"closed","message":"The office is closed"}"#;
        let raised = error_body(message, Some(r#"{"status":423,"status_text":"Gone Fishing","headers":{}}"#));
        assert_eq!(raised.reason.as_deref(), Some("Gone Fishing"));
        let raised = error_body(message, Some(r#"{"status":423,"headers":{}}"#));
        assert_eq!(raised.reason, None);
    }
}
