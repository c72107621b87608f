//! JSON bodies, with the errors that clients expect.

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
            .map_err(|error| ApiError::Schema(schema_message(&error.to_string())))
    }
}

/// Keys allowed in one request.
const MAX_KEYS: usize = 1000;

/// # Errors
/// Fails when there are more keys than one statement should process.
pub fn check_keys(member: &str, keys: &[String]) -> Result<()> {
    if keys.len() > MAX_KEYS {
        return Err(ApiError::Schema(format!("body/{member} must NOT have more than {MAX_KEYS} items")));
    }
    Ok(())
}

/// Rewords serde's "missing field `name`" like the schema validator that clients expect.
fn schema_message(fault: &str) -> String {
    match fault.strip_prefix("missing field `").and_then(|rest| rest.split_once('`')) {
        Some((member, _)) => format!("body must have required property '{member}'"),
        None => format!("body is not as expected: {fault}"),
    }
}

pub fn at_least(least: i64, member: &str, number: i64) -> Result<i64> {
    if number < least {
        Err(ApiError::Schema(format!("body/{member} must be >= {least}")))
    } else {
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_missing_member() {
        assert_eq!(
            schema_message("missing field `prefix` at line 1"),
            "body must have required property 'prefix'"
        );
        assert_eq!(schema_message("invalid type: x"), "body is not as expected: invalid type: x");
    }
}
