//! Parses JSON bodies, regardless of their content type. Limits size and depth here; the server limits the
//! time.

use std::fmt::Display;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use platform::http::body::{self, BodyError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{AuthError, Result};

pub const MAX_BYTES: usize = 1024 * 1024;

pub struct JsonBody<T>(pub T);

/// A body that may be missing.
pub struct OptionalJsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        parse(&read(request).await?).map(Self)
    }
}

impl<T: DeserializeOwned + Default, S: Send + Sync> FromRequest<S> for OptionalJsonBody<T> {
    type Rejection = AuthError;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let body = read(request).await?;
        if body.is_empty() { Ok(Self(T::default())) } else { parse(&body).map(Self) }
    }
}

async fn read(request: Request) -> Result<Bytes> {
    let (parts, body) = request.into_parts();
    body::read(&parts.extensions, body, MAX_BYTES).await.map_err(|error| match error {
        BodyError::TooLarge => AuthError::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "request_entity_too_large",
            format!("Request body too large (max {MAX_BYTES} bytes)"),
        ),
        BodyError::Timeout => AuthError::new(
            StatusCode::REQUEST_TIMEOUT,
            "request_timeout",
            "Timed out reading the request body",
        ),
        BodyError::OutOfMemory => AuthError {
            retry_after_seconds: Some(1),
            ..AuthError::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "over_request_rate_limit",
                "The server is receiving too many requests, please try again",
            )
        },
        BodyError::Broken(_) => AuthError::bad_request("bad_json", "Could not read request body"),
    })
}

/// serde_json's recursion limit of 128 bounds the depth.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let malformed = |problem: &dyn Display| AuthError::bad_json(problem);
    // For duplicate members the last one wins. `null` counts as an empty object.
    let members = match serde_json::from_slice(body).map_err(|error| malformed(&error))? {
        Value::Null => Map::new(),
        Value::Object(members) => members,
        // serde would read a list as a struct with all members missing.
        _ => return Err(malformed(&"expected an object")),
    };
    serde_json::from_value(Value::Object(members)).map_err(|error| malformed(&error))
}
