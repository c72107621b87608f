//! Errors, numbered by group as in PostgREST: 0 connection, 1 request, 2 schema cache, 3 JWT. PostgreSQL's
//! own errors keep their SQLSTATE.

pub mod hints;
pub mod jwt;
pub mod postgres;
pub mod request;
pub mod schema;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::ext::ReasonPhrase;
use serde_json::{Value, json};

use crate::admission::Refusal;
use crate::config::ErrorVerbosity;

pub use jwt::JwtError;
pub use postgres::DatabaseError;
pub use request::{RangeProblem, RequestError};
pub use schema::SchemaError;

#[derive(Debug)]
pub enum Error {
    Request(RequestError),
    Schema(SchemaError),
    Jwt(JwtError),
    Database(DatabaseError),
    /// The schema cache has not been loaded yet.
    NoSchemaCache,
    /// Too many requests are waiting already.
    Busy,
}

/// The parts of an error that the client sees.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBody {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub details: Value,
    pub hint: Value,
    pub headers: Vec<(HeaderName, String)>,
    /// Replaces the standard reason phrase of the status.
    pub reason: Option<String>,
}

impl ErrorBody {
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Self {
        Self {
            status,
            code: code.to_owned(),
            message: message.into(),
            details: Value::Null,
            hint: Value::Null,
            headers: Vec::new(),
            reason: None,
        }
    }

    #[must_use]
    pub fn details(mut self, details: impl Into<Value>) -> Self {
        self.details = details.into();
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<Value>) -> Self {
        self.hint = hint.into();
        self
    }

    #[must_use]
    pub fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    #[must_use]
    pub fn reason(mut self, reason: Option<String>) -> Self {
        self.reason = reason;
        self
    }

    pub fn body(&self, verbosity: ErrorVerbosity) -> String {
        if verbosity == ErrorVerbosity::Minimal {
            return json!({ "code": self.code, "message": self.message }).to_string();
        }
        json!({ "code": self.code, "details": self.details, "hint": self.hint, "message": self.message })
            .to_string()
    }
}

impl Error {
    pub fn error_body(&self) -> ErrorBody {
        match self {
            Self::Request(error) => error.error_body(),
            Self::Schema(error) => error.error_body(),
            Self::Jwt(error) => error.error_body(),
            Self::Database(error) => error.error_body(),
            Self::Busy => ErrorBody::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "GATEWAY_BUSY",
                "Too many requests at once. Try again.",
            ),
            Self::NoSchemaCache => ErrorBody::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "PGRST002",
                "Could not query the database for the schema cache. Retrying.",
            ),
        }
    }
}

impl Error {
    pub fn response(&self, verbosity: ErrorVerbosity) -> Response {
        let error_body = self.error_body();
        let mut response = (error_body.status, error_body.body(verbosity)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        if let Ok(value) = HeaderValue::from_str(&format!("PostgREST; error={}", error_body.code)) {
            headers.insert("proxy-status", value);
        }
        if error_body.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        for (name, value) in error_body.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        if let Some(reason) = error_body.reason.and_then(|reason| ReasonPhrase::try_from(reason).ok()) {
            response.extensions_mut().insert(reason);
        }
        response
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Busy => Self::Busy,
            Refusal::PoolTimeout => Self::Database(DatabaseError::PoolTimeout),
        }
    }
}

impl From<RequestError> for Error {
    fn from(error: RequestError) -> Self {
        Self::Request(error)
    }
}

impl From<SchemaError> for Error {
    fn from(error: SchemaError) -> Self {
        Self::Schema(error)
    }
}

impl From<JwtError> for Error {
    fn from(error: JwtError) -> Self {
        Self::Jwt(error)
    }
}

impl From<DatabaseError> for Error {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}
