//! An error: `{"error": "…"}` for the client. The cause goes to the log only.

use std::borrow::Cow;

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use platform::database::RETRY_AFTER_SECONDS;
use platform::http::request_id;
use serde_json::json;

const RELAY_ERROR: HeaderName = HeaderName::from_static("x-relay-error");

#[derive(Debug)]
pub struct FunctionError {
    pub status: StatusCode,
    message: Cow<'static, str>,
    /// The request did not reach a function.
    by_platform: bool,
    /// Seconds until the limit allows another request.
    retry_after: Option<u32>,
}

pub type Result<T, E = FunctionError> = std::result::Result<T, E>;

impl FunctionError {
    pub fn new(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), by_platform: false, retry_after: None }
    }

    pub fn by_platform(status: StatusCode, message: &'static str) -> Self {
        Self { by_platform: true, ..Self::new(status, message) }
    }

    /// A limit was reached. `retry_after` is in seconds.
    pub fn too_many(message: impl Into<Cow<'static, str>>, retry_after: Option<u32>) -> Self {
        Self { retry_after, ..Self::new(StatusCode::TOO_MANY_REQUESTS, message) }
    }

    pub fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn unauthorized(message: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// The cause is logged; the client sees a generic message.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        let request_id = request_id::current();
        tracing::error!(request_id = request_id.as_deref(), %cause, "function failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "Something went wrong on our side. Please try again.")
    }

    /// Another service can't be reached or does not answer.
    pub fn unavailable(cause: &dyn std::fmt::Display) -> Self {
        let request_id = request_id::current();
        tracing::error!(request_id = request_id.as_deref(), %cause, "a service does not answer");
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "A service is not available at the moment. Please try again.",
        )
    }
}

impl IntoResponse for FunctionError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(json!({ "error": self.message }))).into_response();
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.by_platform {
            response.headers_mut().insert(RELAY_ERROR, HeaderValue::from_static("true"));
        }
        response
    }
}
