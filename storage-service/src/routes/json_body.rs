//! JSON bodies, with the refusals that clients know.

use axum::extract::{FromRequest, Request};
use platform::http::body::{self, BodyError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{ApiError, Result};

const MAX_BYTES: usize = 1024 * 1024;

pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _state: &S) -> Result<Self> {
        let (parts, body) = request.into_parts();
        let bytes = body::read(&parts.extensions, body, MAX_BYTES).await.map_err(|error| match error {
            BodyError::TooLarge => ApiError::TooLarge,
            BodyError::Timeout => ApiError::SlowBody,
            BodyError::OutOfMemory => ApiError::TooManyBodies,
            BodyError::Broken(_) => ApiError::UnreadableBody("the request body ended early"),
        })?;
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
