//! JSON bodies, whatever their content type says: bounded in size, depth and time.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use serde_json::{Map, Value};

use crate::error::{FunctionError, Result};

pub const MAX_BYTES: usize = 1024 * 1024;

pub struct JsonObject(pub Map<String, Value>);

impl JsonObject {
    /// A client that has not finished its body after `patience` is cut off.
    pub async fn read(request: Request, patience: Duration) -> Result<Self> {
        let reading = tokio::time::timeout(patience, Bytes::from_request(request, &()));
        let body = match reading.await {
            Ok(Ok(body)) => body,
            Ok(Err(rejection)) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => {
                return Err(FunctionError::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "The request body is larger than 1 MB",
                ));
            }
            Ok(Err(_)) => return Err(FunctionError::bad_request("The request body can't be read")),
            Err(_) => {
                return Err(FunctionError::new(
                    StatusCode::REQUEST_TIMEOUT,
                    "The request body took too long",
                ));
            }
        };
        // The parser's own limit of 128 levels bounds the depth.
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|_| FunctionError::bad_request("The request body must be a JSON object"))
    }
}
