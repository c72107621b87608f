//! What went wrong, as the client reads it. The logical status stands in the body; the HTTP status of
//! a refusal is 400, as Supabase Storage has it and its clients expect.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::domain::bucket_name::InvalidBucketName;
use crate::domain::object_path::InvalidPath;
use crate::domain::range::Unsatisfiable;

pub type Result<T, E = ApiError> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    #[error("Bucket not found")]
    NoSuchBucket,
    #[error("Object not found")]
    NoSuchKey,
    #[error("The resource already exists")]
    BucketAlreadyExists,
    #[error("The resource already exists")]
    KeyAlreadyExists,
    #[error("The bucket you tried to delete is not empty")]
    BucketNotEmpty,
    #[error("{0}")]
    AccessDenied(&'static str),
    #[error("Access denied: Invalid role")]
    ServiceRoleOnly,
    #[error("{0}")]
    InvalidKey(String),
    #[error("Bucket name invalid")]
    InvalidBucketName,
    #[error("The object exceeded the maximum allowed size")]
    TooLarge,
    #[error("mime type {0} is not supported")]
    InvalidMimeType(String),
    #[error("invalid range provided")]
    InvalidRange,
    #[error("{0}")]
    InvalidJwt(&'static str),
    #[error("{0}")]
    InvalidSignature(&'static str),
    #[error("{0}")]
    InvalidRequest(String),
    #[error("{0}")]
    Schema(String),
    #[error("{0}")]
    UnreadableBody(&'static str),
    #[error("Route {0} not found")]
    NoSuchRoute(String),
    #[error("Too many connections issued to the database")]
    TooManyConnections,
    #[error("The connection to the database timed out")]
    DatabaseTimeout,
    #[error("Internal Server Error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub const POLICY: &str = "new row violates row-level security policy";

impl ApiError {
    /// Logical status, short error, code.
    fn parts(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::NoSuchBucket => (404, "Bucket not found", "NoSuchBucket"),
            Self::NoSuchKey => (404, "not_found", "NoSuchKey"),
            Self::BucketAlreadyExists => (409, "Duplicate", "BucketAlreadyExists"),
            Self::KeyAlreadyExists => (409, "Duplicate", "KeyAlreadyExists"),
            Self::BucketNotEmpty => (409, "ResourceNotEmpty", "ResourceNotEmpty"),
            Self::AccessDenied(_) | Self::ServiceRoleOnly => (403, "Unauthorized", "AccessDenied"),
            Self::InvalidKey(_) => (400, "InvalidKey", "InvalidKey"),
            Self::InvalidBucketName => (400, "Invalid Input", "InvalidBucketName"),
            Self::TooLarge => (413, "Payload too large", "EntityTooLarge"),
            Self::InvalidMimeType(_) => (415, "invalid_mime_type", "InvalidMimeType"),
            Self::InvalidRange => (416, "invalid_range", "InvalidRange"),
            Self::InvalidJwt(_) => (400, "InvalidJWT", "InvalidJWT"),
            Self::InvalidSignature(_) => (400, "InvalidSignature", "InvalidSignature"),
            Self::InvalidRequest(_) => (400, "InvalidRequest", "InvalidRequest"),
            Self::Schema(_) => (400, "Error", "InvalidRequest"),
            Self::UnreadableBody(_) => (400, "FastifyError", "InvalidRequest"),
            Self::NoSuchRoute(_) => (404, "Not Found", "InvalidRequest"),
            Self::TooManyConnections => (429, "too_many_connections", "SlowDown"),
            Self::DatabaseTimeout => (544, "DatabaseTimeout", "DatabaseTimeout"),
            Self::Internal(_) => (500, "Internal", "InternalError"),
        }
    }

    fn http_status(&self) -> StatusCode {
        match self {
            Self::ServiceRoleOnly => StatusCode::FORBIDDEN,
            Self::NoSuchRoute(_) => StatusCode::NOT_FOUND,
            Self::InvalidRange => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::TooManyConnections => StatusCode::TOO_MANY_REQUESTS,
            Self::DatabaseTimeout => StatusCode::from_u16(544).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (logical, error, code) = self.parts();
        if let Self::Internal(cause) = &self {
            tracing::error!(%cause, "request failed");
        }
        let body = json!({
            "statusCode": logical.to_string(), "error": error, "message": self.to_string(), "code": code,
        });
        (self.http_status(), Json(body)).into_response()
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        match (&error, code.as_deref()) {
            (sqlx::Error::PoolTimedOut, _) | (_, Some("53300")) => Self::TooManyConnections,
            (_, Some("42501")) => Self::AccessDenied(POLICY),
            (_, Some("57014")) => Self::DatabaseTimeout,
            // A NUL character, in text or in JSON.
            (_, Some("22021" | "22P05")) => {
                Self::InvalidRequest("the request holds a character that can't be stored".to_owned())
            }
            _ => Self::Internal(error.into()),
        }
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<InvalidPath> for ApiError {
    fn from(error: InvalidPath) -> Self {
        Self::InvalidKey(error.to_string())
    }
}

impl From<InvalidBucketName> for ApiError {
    fn from(_: InvalidBucketName) -> Self {
        Self::InvalidBucketName
    }
}

impl From<Unsatisfiable> for ApiError {
    fn from(_: Unsatisfiable) -> Self {
        Self::InvalidRange
    }
}
