//! Turns the errors of all stages into responses.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::ext::ReasonPhrase;
use platform::http::request_id;
use serde_json::Value;

use crate::admission::AdmissionError;
use crate::config::ErrorVerbosity;
use crate::config::server::{LogLevel, STATUS_LOG};
use crate::error_body::{ErrorBody, Rejection};
use crate::log::Debounced;
use crate::pool::error::DatabaseError;

#[derive(Debug)]
pub enum Error {
    /// The request is invalid, or a stage can't answer it.
    Rejected(Rejection),
    Database(DatabaseError),
    /// The schema cache has not been loaded yet.
    NoSchemaCache,
    /// Too many requests are waiting, or too much memory is used by unread responses.
    Busy,
    /// A stage panicked, which is a bug in the gateway.
    Panicked,
}

impl Error {
    pub fn error_body(&self) -> Rejection {
        match self {
            Self::Rejected(rejection) => rejection.clone(),
            Self::Database(error) => error.error_body(),
            Self::Busy => ErrorBody::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "GATEWAY_BUSY",
                "Too many requests at once. Try again.",
            ),
            Self::Panicked => ErrorBody::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "GATEWAY_PANICKED",
                "Something went wrong on our side. Please try again.",
            ),
            Self::NoSchemaCache => ErrorBody::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "PGRST002",
                "Could not query the database for the schema cache. Retrying.",
            ),
        }
    }

    /// Logs server errors as PostgREST does. Leaves out the database's details, which may quote a row.
    pub fn log(&self, level: LogLevel, pool_timeouts: &Debounced) {
        let mut error_body = self.error_body();
        let from_database = match self {
            Self::Database(DatabaseError::Server { .. }) => true,
            Self::Database(_) | Self::NoSchemaCache => false,
            _ => return,
        };
        if level < LogLevel::Error || !error_body.status.is_server_error() {
            tracing::debug!(code = error_body.code, message = error_body.message, "database error");
            return;
        }
        if from_database {
            error_body.details = Value::Null;
        }
        let line = error_body.body(ErrorVerbosity::Verbose);
        match self {
            Self::Database(DatabaseError::PoolTimeout) => pool_timeouts.write(line),
            // An embedded gateway logs only the beginning of an outage.
            Self::NoSchemaCache | Self::Database(DatabaseError::Unreachable(_)) => {
                tracing::info!(target: STATUS_LOG, "{line}");
            }
            _ => {
                let id = request_id::current();
                tracing::warn!(target: STATUS_LOG, request_id = id.as_deref(), "{line}");
            }
        }
        if let Self::Database(DatabaseError::Server { error, .. }) = self
            && error.is_fatal()
        {
            let lost = DatabaseError::ConnectionLost("no connection to the server\n".to_owned());
            let line = lost.error_body().body(ErrorVerbosity::Verbose);
            tracing::info!(target: STATUS_LOG, "{line}");
        }
    }

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

impl From<AdmissionError> for Error {
    fn from(error: AdmissionError) -> Self {
        match error {
            AdmissionError::Busy => Self::Busy,
            AdmissionError::PoolTimeout => Self::Database(DatabaseError::PoolTimeout),
        }
    }
}

impl From<Rejection> for Error {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<DatabaseError> for Error {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_in_postgrests_format_without_details() {
        let response = Error::Panicked.response(ErrorVerbosity::Verbose);
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()["proxy-status"], "PostgREST; error=GATEWAY_PANICKED");
        let body: Value =
            serde_json::from_str(&Error::Panicked.error_body().body(ErrorVerbosity::Verbose)).unwrap();
        let message = "Something went wrong on our side. Please try again.";
        let expected = serde_json::json!({
            "code": "GATEWAY_PANICKED", "details": null, "hint": null, "message": message,
        });
        assert_eq!(body, expected);
    }
}
