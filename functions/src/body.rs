//! Parses JSON bodies, regardless of their content type, with limits on size, depth and time.

use std::time::Duration;

use axum::extract::Request;
use axum::http::StatusCode;
use platform::http::body::{self, BodyError};
use serde_json::{Map, Value};

use crate::error::{FunctionError, Result};

pub const MAX_BYTES: usize = 1024 * 1024;

pub struct JsonObject(pub Map<String, Value>);

impl JsonObject {
    /// Disconnects a client that has not sent its whole body within `timeout`.
    pub async fn read(request: Request, timeout: Duration) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let reading = tokio::time::timeout(timeout, body::read(&parts.extensions, body, MAX_BYTES));
        let body = reading.await.unwrap_or(Err(BodyError::Timeout)).map_err(|error| match error {
            BodyError::TooLarge => {
                FunctionError::new(StatusCode::PAYLOAD_TOO_LARGE, "The request body is larger than 1 MB")
            }
            BodyError::Timeout => {
                FunctionError::new(StatusCode::REQUEST_TIMEOUT, "The request body took too long")
            }
            BodyError::OutOfMemory => FunctionError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "The server is receiving too many requests. Please try again.",
            ),
            BodyError::Broken(_) => FunctionError::bad_request("The request body can't be read"),
        })?;
        // serde_json's recursion limit of 128 bounds the depth.
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|_| FunctionError::bad_request("The request body must be a JSON object"))
    }
}
