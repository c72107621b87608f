//! Errors as clients see them. The logical status is in the body; the HTTP status is usually 400, as Supabase
//! Storage clients expect.

use std::io::ErrorKind;

use axum::Json;
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use platform::database::{RETRY_AFTER_SECONDS, RetryReason, retry_reason};
use platform::http::request_id;
use platform::log_limit::OUTAGE;
use serde_json::json;
use sqlx::postgres::PgDatabaseError;

use crate::backend;
use crate::domain::object_path::InvalidPath;
use pictures::size;

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
    #[error(transparent)]
    PictureTooLarge(#[from] size::TooLarge),
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
    #[error("The request body did not arrive in time")]
    SlowBody,
    #[error("Too many request bodies are being received, try again")]
    TooManyBodies,
    #[error("Route {0} not found")]
    NoSuchRoute(String),
    #[error("Too many connections issued to the database")]
    TooManyConnections,
    #[error("Another request is changing this object, try again")]
    Locked,
    #[error("The service is temporarily unavailable, try again")]
    Unavailable,
    #[error("The connection to the database timed out")]
    DatabaseTimeout,
    #[error("Too many images are being resized, try again")]
    Busy,
    #[error("The account has used up its storage quota")]
    QuotaExceeded,
    #[error("There is no space left to store the object")]
    StorageFull(#[source] std::io::Error),
    #[error("Object storage is unavailable, try again later")]
    StorageUnavailable(#[source] std::io::Error),
    #[error("The database did not confirm the change. Check whether it was made before you try again")]
    Unclear,
    /// A policy, trigger or constraint of the operator's own failed.
    #[error("{message}")]
    Database { status: u16, code: &'static str, message: String },
    #[error("Internal Server Error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

pub const POLICY: &str = "new row violates row-level security policy";

impl ApiError {
    /// A NUL character in text or JSON.
    pub fn unstorable_character() -> Self {
        Self::InvalidRequest("the request holds a character that can't be stored".to_owned())
    }

    /// The error of reading a blob.
    pub fn from_read(error: std::io::Error) -> Self {
        if error.kind() == ErrorKind::NotFound { Self::NoSuchKey } else { error.into() }
    }

    /// HTTP status, logical status, short error and code.
    fn parts(&self) -> (u16, u16, &'static str, &'static str) {
        match self {
            Self::NoSuchBucket => (400, 404, "Bucket not found", "NoSuchBucket"),
            Self::NoSuchKey => (400, 404, "not_found", "NoSuchKey"),
            Self::BucketAlreadyExists => (400, 409, "Duplicate", "BucketAlreadyExists"),
            Self::KeyAlreadyExists => (400, 409, "Duplicate", "KeyAlreadyExists"),
            Self::BucketNotEmpty => (400, 409, "ResourceNotEmpty", "ResourceNotEmpty"),
            Self::AccessDenied(_) => (400, 403, "Unauthorized", "AccessDenied"),
            Self::ServiceRoleOnly => (403, 403, "Unauthorized", "AccessDenied"),
            Self::InvalidKey(_) => (400, 400, "InvalidKey", "InvalidKey"),
            Self::InvalidBucketName => (400, 400, "Invalid Input", "InvalidBucketName"),
            Self::TooLarge | Self::PictureTooLarge(_) => (400, 413, "Payload too large", "EntityTooLarge"),
            Self::InvalidMimeType(_) => (400, 415, "invalid_mime_type", "InvalidMimeType"),
            Self::InvalidRange => (416, 416, "invalid_range", "InvalidRange"),
            Self::InvalidJwt(_) => (400, 400, "InvalidJWT", "InvalidJWT"),
            Self::InvalidSignature(_) => (400, 400, "InvalidSignature", "InvalidSignature"),
            Self::InvalidRequest(_) => (400, 400, "InvalidRequest", "InvalidRequest"),
            Self::Schema(_) => (400, 400, "Error", "InvalidRequest"),
            Self::UnreadableBody(_) => (400, 400, "FastifyError", "InvalidRequest"),
            Self::SlowBody => (408, 408, "Request Timeout", "RequestTimeout"),
            Self::TooManyBodies => (503, 503, "Service Unavailable", "SlowDown"),
            Self::NoSuchRoute(_) => (404, 404, "Not Found", "InvalidRequest"),
            Self::TooManyConnections => (503, 503, "too_many_connections", "SlowDown"),
            Self::Locked => (503, 503, "LockTimeout", "LockTimeout"),
            Self::Busy => (503, 503, "Busy", "SlowDown"),
            Self::QuotaExceeded => (400, 403, "QuotaExceeded", "QuotaExceeded"),
            Self::StorageFull(_) => (507, 507, "InsufficientStorage", "InsufficientStorage"),
            Self::Unavailable | Self::StorageUnavailable(_) | Self::Unclear => {
                (503, 503, "ServiceUnavailable", "ServiceUnavailable")
            }
            Self::DatabaseTimeout => (544, 544, "DatabaseTimeout", "DatabaseTimeout"),
            Self::Database { status: 500, code, .. } => (500, 500, *code, *code),
            Self::Database { status, code, .. } => (400, *status, *code, *code),
            Self::Internal(_) => (500, 500, "Internal", "InternalError"),
        }
    }

    /// Logs what operators should know. Database errors are logged where they are converted.
    fn log(&self) {
        let id = request_id::current();
        let request_id = id.as_deref();
        match self {
            Self::Internal(cause) => tracing::error!(request_id, %cause, "request failed"),
            Self::StorageUnavailable(cause) if OUTAGE.allows_in_total() => {
                tracing::error!(request_id, %cause, "objects can't be stored or read");
            }
            Self::Unclear => {
                tracing::warn!(request_id, "the outcome of a commit is unknown; its blobs are left alone");
            }
            Self::StorageFull(cause) => tracing::error!(request_id, %cause, "nothing more can be stored"),
            _ => (),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, logical, error, code) = self.parts();
        self.log();
        let body = json!({
            "statusCode": logical.to_string(), "error": error, "message": self.to_string(), "code": code,
        });
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(body)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(RETRY_AFTER_SECONDS));
        }
        response
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        let code = error.as_database_error().and_then(|error| error.code());
        let converted = match (retry_reason(&error), code.as_deref()) {
            (Some(RetryReason::Unavailable), _) => Self::Unavailable,
            (Some(RetryReason::Busy), _) => Self::TooManyConnections,
            (Some(RetryReason::Locked), _) => Self::Locked,
            (None, Some("57014")) => Self::DatabaseTimeout,
            (None, Some("42501")) => return Self::AccessDenied(POLICY),
            (None, Some("22021" | "22P05")) => return Self::unstorable_character(),
            (None, _) => return refused(error),
        };
        if OUTAGE.allows_in_total() {
            let id = request_id::current();
            tracing::warn!(request_id = id.as_deref(), cause = %error, "database error; the client may retry");
        }
        converted
    }
}

/// The errors of Supabase's storage service (`src/storage/database/errors.ts`).
fn refused(error: sqlx::Error) -> ApiError {
    let cause = error.as_database_error().and_then(|error| error.try_downcast_ref::<PgDatabaseError>());
    let Some(cause) = cause else { return ApiError::Internal(error.into()) };
    let (status, code, message) = match cause.code() {
        "22P02" => (400, "InvalidParameter", cause.message().to_owned()),
        "23503" | "23001" if is_still_referenced(cause) => {
            (409, "ResourceReferenced", cause.detail().unwrap_or(cause.message()).to_owned())
        }
        "23503" => (404, "InvalidRequest", "The related resource does not exist".to_owned()),
        "23505" => return ApiError::KeyAlreadyExists,
        "42P01" | "42703" => {
            let message = "The database schema is out of sync. Please run migrations or contact support.";
            (503, "DatabaseSchemaMismatch", message.to_owned())
        }
        "42P17" => {
            let message = "The database schema is invalid or incompatible.";
            (503, "DatabaseInvalidObjectDefinition", message.to_owned())
        }
        code => (500, "DatabaseError", format!("database error, code: {code}")),
    };
    if status >= 500 {
        let id = request_id::current();
        tracing::error!(request_id = id.as_deref(), cause = %error, "the database refused a request");
    }
    ApiError::Database { status, code, message }
}

/// Whether another table refers to the row that was to be deleted. Recognized without the message, whose language depends on the
/// server: such an error has no context, unlike one in a trigger, and names a table other than the storage service's.
fn is_still_referenced(error: &PgDatabaseError) -> bool {
    error.r#where().is_none() && error.schema() != Some("storage")
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Self::StorageFull(error),
            ErrorKind::ResourceBusy => Self::Busy,
            _ if backend::is_unavailable(&error) => Self::StorageUnavailable(error),
            _ => Self::Internal(error.into()),
        }
    }
}

impl From<InvalidPath> for ApiError {
    fn from(error: InvalidPath) -> Self {
        Self::InvalidKey(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_disk_is_reported_as_insufficient_storage() {
        let response = ApiError::from(std::io::Error::from(ErrorKind::StorageFull)).into_response();
        assert_eq!(response.status(), StatusCode::INSUFFICIENT_STORAGE);
        let body = axum::body::to_bytes(response.into_body(), 1000).await.unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let expected = json!({
            "statusCode": "507", "error": "InsufficientStorage",
            "message": "There is no space left to store the object", "code": "InsufficientStorage",
        });
        assert_eq!(body, expected);
    }

    #[test]
    fn retryable_errors_have_retry_after() {
        for error in [ApiError::Busy, ApiError::TooManyConnections, ApiError::Locked, ApiError::Unavailable] {
            let response = error.into_response();
            assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(response.headers().get(RETRY_AFTER), Some(&HeaderValue::from_static("1")));
        }
    }
}
