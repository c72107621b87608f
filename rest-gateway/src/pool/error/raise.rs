//! `raise sqlstate 'PGRST'`: the function defines the whole error response.

use std::collections::BTreeMap;

use axum::http::{HeaderName, StatusCode};
use serde::Deserialize;

use crate::error_body::ErrorBody;

/// The definition is invalid. Contains the invalid text.
#[derive(Debug)]
enum RaiseError {
    Message(String),
    Detail(String),
    NoDetail,
}

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

/// The response that the function defines, or the error in its definition.
pub fn error_body(message: &str, detail: Option<&str>) -> ErrorBody {
    raised(message, detail).unwrap_or_else(|error| error.error_body())
}

fn raised(message: &str, detail: Option<&str>) -> Result<ErrorBody, RaiseError> {
    let body: RaisedMessage =
        serde_json::from_str(message).map_err(|_| RaiseError::Message(message.to_owned()))?;
    let detail = detail.ok_or(RaiseError::NoDetail)?;
    let detail: RaisedDetail =
        serde_json::from_str(detail).map_err(|_| RaiseError::Detail(detail.to_owned()))?;
    let status = StatusCode::from_u16(detail.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut error_body = ErrorBody::new(status, &body.code, body.message)
        .details(body.details)
        .hint(body.hint)
        .reason(detail.status_text);
    for (name, value) in detail.headers {
        if let Ok(name) = HeaderName::try_from(name) {
            error_body = error_body.header(name, value);
        }
    }
    Ok(error_body)
}

impl std::fmt::Display for RaiseError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Message(text) => write!(formatter, "Invalid JSON value for MESSAGE: '{text}'"),
            Self::Detail(text) => write!(formatter, "Invalid JSON value for DETAIL: '{text}'"),
            Self::NoDetail => formatter.write_str("DETAIL is missing in the RAISE statement"),
        }
    }
}

impl RaiseError {
    fn error_body(&self) -> ErrorBody {
        ErrorBody::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "PGRST121",
            "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
        )
        .details(self.to_string())
        .hint(self.hint())
    }

    fn hint(&self) -> &'static str {
        match self {
            Self::Message(_) => {
                "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
            }
            Self::Detail(_) | Self::NoDetail => {
                "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_may_set_the_reason_phrase() {
        let message = r#"{"code":"closed","message":"The office is closed"}"#;
        let error_body = raised(message, Some(r#"{"status":423,"status_text":"Gone Fishing","headers":{}}"#));
        assert_eq!(error_body.unwrap().reason.as_deref(), Some("Gone Fishing"));
        let error_body = raised(message, Some(r#"{"status":423,"headers":{}}"#));
        assert_eq!(error_body.unwrap().reason, None);
    }
}
