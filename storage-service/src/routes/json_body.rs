//! JSON bodies, with the refusals that clients know.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use http_body_util::{BodyExt, Limited};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{ApiError, Result};

const MAX_BYTES: usize = 1024 * 1024;
const MAX_TIME: Duration = Duration::from_secs(15);

pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self> {
        let body = Limited::<Body>::new(request.into_body(), MAX_BYTES).collect();
        let body = tokio::time::timeout(MAX_TIME, body).await;
        let body = body.map_err(|_| ApiError::UnreadableBody("the request body did not arrive in time"))?;
        let bytes = body.map_err(|_| ApiError::TooLarge)?.to_bytes();
        if bytes.is_empty() {
            return Err(ApiError::UnreadableBody(
                "Body cannot be empty when content-type is set to 'application/json'",
            ));
        }
        let value: Value = serde_json::from_slice(&bytes).map_err(|_| {
            ApiError::UnreadableBody("Body is not valid JSON but content-type is set to 'application/json'")
        })?;
        serde_json::from_value(value)
            .map(Self)
            .map_err(|error| ApiError::Schema(in_their_words(&error.to_string())))
    }
}

/// Keys that one request may name.
const MAX_KEYS: usize = 1000;

/// # Errors
/// When there are more than one statement should work on.
pub fn check_keys(member: &str, keys: &[String]) -> Result<()> {
    if keys.len() > MAX_KEYS {
        return Err(ApiError::Schema(format!("body/{member} must NOT have more than {MAX_KEYS} items")));
    }
    Ok(())
}

/// «missing field `name`» is worded as a schema validator would.
fn in_their_words(fault: &str) -> String {
    match fault.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
        Some((member, _)) => format!("body must have required property '{member}'"),
        None => format!("body is not as expected: {fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_member_is_named() {
        assert_eq!(
            in_their_words("missing field `prefix` at line 1"),
            "body must have required property 'prefix'"
        );
        assert_eq!(in_their_words("invalid type: x"), "body is not as expected: invalid type: x");
    }
}
