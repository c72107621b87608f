//! What can go wrong, numbered by stage as PostgREST does: 0 connection, 1 request, 2 schema cache,
//! 3 token. What PostgreSQL refuses keeps its own SQLSTATE.

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
    /// Too many requests wait already.
    Busy,
}

/// The parts of an error that a client sees.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub details: Value,
    pub hint: Value,
    pub headers: Vec<(HeaderName, String)>,
    /// Instead of the standard text beside the status.
    pub reason: Option<String>,
}

impl Face {
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
    pub fn face(&self) -> Face {
        match self {
            Self::Request(error) => error.face(),
            Self::Schema(error) => error.face(),
            Self::Jwt(error) => error.face(),
            Self::Database(error) => error.face(),
            Self::Busy => Face::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "GATEWAY_BUSY",
                "Too many requests at once. Try again.",
            ),
            Self::NoSchemaCache => Face::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "PGRST002",
                "Could not query the database for the schema cache. Retrying.",
            ),
        }
    }
}

impl Error {
    pub fn response(&self, verbosity: ErrorVerbosity) -> Response {
        let face = self.face();
        let mut response = (face.status, face.body(verbosity)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
        if let Ok(value) = HeaderValue::from_str(&format!("PostgREST; error={}", face.code)) {
            headers.insert("proxy-status", value);
        }
        if face.status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        for (name, value) in face.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        if let Some(reason) = face.reason.and_then(|reason| ReasonPhrase::try_from(reason).ok()) {
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
