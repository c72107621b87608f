//! PGRST1xx: errors in the request itself, found without the schema cache.

use axum::http::StatusCode;

use super::syntax::SyntaxError;
use crate::error_body::ErrorBody;

#[derive(Debug)]
pub enum RequestError {
    Syntax(SyntaxError),
    InvalidRpcMethod(String),
    Body(BodyError),
    InvalidRange(RangeError),
    UnacceptableSchema {
        requested: String,
        exposed: Vec<String>,
    },
    PutLimit,
    UnsupportedMethod(String),
    InvalidPath,
    OpenApiDisabled,
    /// The search patterns exceed the gateway's limits.
    TooManyPatterns {
        count: usize,
        bytes: usize,
        most: usize,
        most_bytes: usize,
    },
}

#[derive(Debug)]
pub enum BodyError {
    Invalid(String),
    TooLarge,
    Timeout,
    /// The bodies of all requests take too much memory.
    TooMany,
}

#[derive(Debug)]
pub enum RangeError {
    NegativeLimit,
    LowerAboveUpper,
    OutOfBounds { first: i64, total: i64 },
}

impl From<SyntaxError> for RequestError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl From<BodyError> for RequestError {
    fn from(error: BodyError) -> Self {
        Self::Body(error)
    }
}

impl RequestError {
    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::Syntax(error) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST100", &error.message).details(error.details.as_str())
            }
            Self::Body(error) => error.error_body(),
            Self::InvalidRpcMethod(method) => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST101",
                format!("Cannot use the {method} method on RPC"),
            ),
            Self::TooManyPatterns { count, bytes, most, most_bytes } => ErrorBody::new(
                S::BAD_REQUEST,
                "GATEWAY_TOO_MANY_PATTERNS",
                "The request contains too many search patterns",
            )
            .details(format!(
                "{count} like, ilike, match, imatch and full-text conditions with {bytes} bytes; \
                         {most} with {most_bytes} bytes are allowed"
            ))
            .hint("Split the search into several requests."),
            Self::InvalidRange(error) => {
                ErrorBody::new(S::RANGE_NOT_SATISFIABLE, "PGRST103", "Requested range not satisfiable")
                    .details(error.to_string())
            }
            Self::UnacceptableSchema { requested, exposed } => {
                ErrorBody::new(S::NOT_ACCEPTABLE, "PGRST106", format!("Invalid schema: {requested}"))
                    .hint(format!("Only the following schemas are exposed: {}", exposed.join(", ")))
            }
            Self::PutLimit => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST114",
                "limit/offset querystring parameters are not allowed for PUT",
            ),
            Self::UnsupportedMethod(method) => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST117",
                format!("Unsupported HTTP method: {method}"),
            ),
            Self::InvalidPath => {
                ErrorBody::new(S::NOT_FOUND, "PGRST125", "Invalid path specified in request URL")
            }
            Self::OpenApiDisabled => {
                ErrorBody::new(S::NOT_FOUND, "PGRST126", "Root endpoint metadata is disabled")
            }
        }
    }
}

impl BodyError {
    fn error_body(&self) -> ErrorBody {
        let (status, message) = match self {
            Self::Invalid(message) => (StatusCode::BAD_REQUEST, message.as_str()),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "The request body is too large"),
            Self::Timeout => (StatusCode::REQUEST_TIMEOUT, "The request body did not arrive in time"),
            Self::TooMany => {
                (StatusCode::SERVICE_UNAVAILABLE, "Too many request bodies are being received, try again")
            }
        };
        ErrorBody::new(status, "PGRST102", message)
    }
}

impl std::fmt::Display for RangeError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NegativeLimit => formatter.write_str("Limit should be greater than or equal to zero."),
            Self::LowerAboveUpper => formatter.write_str(
                "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
            ),
            Self::OutOfBounds { first, total } => {
                write!(formatter, "An offset of {first} was requested, but there are only {total} rows.")
            }
        }
    }
}
