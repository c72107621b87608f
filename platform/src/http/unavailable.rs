//! The response of a service whose database is not there yet, or whose disk is full.

use axum::Json;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

#[derive(Clone, Copy, Debug)]
pub enum Reason {
    /// Nothing can be read or written yet.
    Unreachable,
    /// Nothing can be written.
    DiskFull,
}

impl Reason {
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Self::Unreachable => "The database is unavailable. Please try again in a moment.",
            Self::DiskFull => {
                "The server is out of disk space: nothing can be saved at the moment. Please try again later."
            }
        }
    }
}

pub const RETRY_AFTER: (HeaderName, &str) = (header::RETRY_AFTER, "2");

/// An error with the fields that the clients of all APIs read.
#[must_use]
pub fn unavailable(reason: Reason) -> Response {
    // PostgREST's code for a lost connection, or PostgreSQL's for a full disk.
    let (code, proxy_status) = match reason {
        Reason::Unreachable => ("PGRST001", "PostgREST; error=PGRST001"),
        Reason::DiskFull => ("53100", "PostgREST; error=53100"),
    };
    let message = reason.message();
    let body = json!({
        "code": code, "message": message, "details": null, "hint": null, "msg": message, "error": message,
        "error_code": "service_unavailable", "statusCode": "503",
    });
    let headers = [
        RETRY_AFTER,
        (header::CACHE_CONTROL, "no-store"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (HeaderName::from_static("proxy-status"), proxy_status),
        (HeaderName::from_static("x-sb-error-code"), "service_unavailable"),
    ];
    (StatusCode::SERVICE_UNAVAILABLE, headers, Json(body)).into_response()
}
