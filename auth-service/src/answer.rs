//! The outermost layer of the service. It writes every error body in the format the client asked for, and
//! keeps responses out of caches.

use axum::Json;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use platform::http::request_id::RequestId;
use serde_json::{Value, json};

use crate::error::AuthError;

const API_VERSION: HeaderName = HeaderName::from_static("x-supabase-api-version");
const ERROR_CODE: HeaderName = HeaderName::from_static("x-sb-error-code");
/// Clients that send this API version or later expect `code` to hold the error's name instead of the status.
const NAMED_CODES: &str = "2024-01-01";

pub async fn complete(request: Request, next: Next) -> Response {
    let named_codes = wants_named_codes(request.headers());
    let request_id = request.extensions().get::<RequestId>().cloned();
    let mut response = next.run(request).await;
    if let Some(error) = response.extensions_mut().remove::<AuthError>() {
        response = write(&error, named_codes, request_id);
    }
    // Responses hold tokens and personal data. Cacheable handlers set the header themselves.
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn wants_named_codes(headers: &HeaderMap) -> bool {
    let asked = headers.get(API_VERSION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    // chrono also accepts dates without leading zeros.
    let is_date = asked.parse::<NaiveDate>().is_ok_and(|date| date.to_string() == asked);
    // ISO dates sort correctly as strings.
    is_date && asked >= NAMED_CODES
}

fn write(error: &AuthError, named_codes: bool, request_id: Option<RequestId>) -> Response {
    let mut body = if named_codes {
        json!({ "code": error.code, "message": error.message })
    } else {
        json!({ "code": error.status.as_u16(), "error_code": error.code, "msg": error.message })
    };
    if !error.weak_password.is_empty() {
        body["weak_password"] = json!({ "reasons": error.weak_password });
    }
    if let (true, false, Some(id)) = (error.status.is_server_error(), named_codes, request_id) {
        body["error_id"] = Value::from(&*id.0);
    }
    let mut response = (error.status, Json(body)).into_response();
    let headers = response.headers_mut();
    headers.insert(ERROR_CODE, HeaderValue::from_static(error.code));
    if named_codes {
        headers.insert(API_VERSION, HeaderValue::from_static(NAMED_CODES));
    }
    if let Some(seconds) = error.retry_after_seconds {
        headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

pub async fn unknown_route() -> AuthError {
    AuthError::new(StatusCode::NOT_FOUND, "unknown", "Requested path is not found")
}

pub async fn wrong_method() -> AuthError {
    AuthError::new(StatusCode::METHOD_NOT_ALLOWED, "unknown", "Method is not allowed on this path")
}

/// A panic is a bug; the client sees only an internal error.
pub fn panicked() -> AuthError {
    AuthError::internal(&"a handler panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_header_selects_the_error_format() {
        for (value, named) in [
            ("2024-01-01", true),
            ("2025-06-30", true),
            ("2023-12-31", false),
            ("soon", false),
            ("", false),
            ("2024-13-01", false),
            ("2024-1-1", false),
            ("+2024-01-01", false),
        ] {
            let headers = HeaderMap::from_iter([(API_VERSION, HeaderValue::from_static(value))]);
            assert_eq!(wants_named_codes(&headers), named, "{value:?}");
        }
        assert!(!wants_named_codes(&HeaderMap::new()));
    }
}
