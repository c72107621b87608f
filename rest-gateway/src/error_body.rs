//! Error responses. The codes are numbered by group as in PostgREST: 0 connection, 1 request, 2 schema cache, 3 JWT.
//! PostgreSQL's own errors keep their SQLSTATE.

use axum::http::{HeaderName, StatusCode};
use serde_json::{Value, json};

use crate::config::ErrorVerbosity;

/// An error that ends a request.
pub type Rejection = Box<ErrorBody>;

/// The parts of an error that the client sees.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorBody {
    pub status: StatusCode,
    pub code: String,
    pub message: String,
    pub details: Value,
    pub hint: Value,
    /// Warnings that PostgreSQL raised before the error.
    pub warnings: Vec<Value>,
    pub headers: Vec<(HeaderName, String)>,
    /// Replaces the standard reason phrase of the status.
    pub reason: Option<String>,
}

impl ErrorBody {
    pub fn new(status: StatusCode, code: &str, message: impl Into<String>) -> Rejection {
        Box::new(Self { status, code: code.to_owned(), message: message.into(), ..Self::default() })
    }

    pub fn bad_request(code: &str, message: impl Into<String>) -> Rejection {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    #[must_use]
    pub fn details(mut self: Box<Self>, details: impl Into<Value>) -> Rejection {
        self.details = details.into();
        self
    }

    #[must_use]
    pub fn hint(mut self: Box<Self>, hint: impl Into<Value>) -> Rejection {
        self.hint = hint.into();
        self
    }

    #[must_use]
    pub fn header(mut self: Box<Self>, name: HeaderName, value: impl Into<String>) -> Rejection {
        self.headers.push((name, value.into()));
        self
    }

    #[must_use]
    pub fn reason(mut self: Box<Self>, reason: Option<String>) -> Rejection {
        self.reason = reason;
        self
    }

    pub fn body(&self, verbosity: ErrorVerbosity) -> String {
        if verbosity == ErrorVerbosity::Minimal {
            return json!({ "code": self.code, "message": self.message }).to_string();
        }
        let mut body = json!({
            "code": self.code, "details": self.details, "hint": self.hint, "message": self.message,
        });
        if !self.warnings.is_empty() {
            body["warnings"] = self.warnings.clone().into();
        }
        body.to_string()
    }
}
