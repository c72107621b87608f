//! Errors from PostgreSQL and of the connection to it.

mod raise;

use std::time::Duration;

use axum::http::{StatusCode, header};
use platform::database::needs_primary;
use serde_json::{Value, json};

use crate::error_body::{ErrorBody, Rejection};
use crate::wire::error::{ServerError, WireError};

#[derive(Debug)]
pub enum DatabaseError {
    /// An error from PostgreSQL, with whether the client was authenticated and whether the transaction was
    /// read-only.
    Server { error: Box<ServerError>, authenticated: bool, reads_only: bool },
    /// The response is larger than `limit`, in bytes.
    TooLarge { limit: usize, is_saved: bool },
    /// No connection could be opened.
    Unreachable(String),
    /// An open connection was lost, or PostgreSQL did not respond in time.
    ConnectionLost(String),
    /// No connection became free in time.
    PoolTimeout,
}

impl DatabaseError {
    pub fn from_wire(error: WireError, authenticated: bool, reads_only: bool) -> Self {
        match error {
            WireError::Server(error) => Self::Server { error, authenticated, reads_only },
            WireError::RowTooLarge(limit) => Self::TooLarge { limit, is_saved: false },
            other => Self::ConnectionLost(other.to_string()),
        }
    }

    /// A transaction may have committed, because the connection failed, or has committed.
    pub fn may_have_committed(&self) -> bool {
        matches!(self, Self::ConnectionLost(_) | Self::TooLarge { is_saved: true, .. })
    }

    pub fn no_response(time: Duration) -> Self {
        Self::ConnectionLost(format!("no answer within {} s", time.as_secs()))
    }

    /// The database is currently known to be unavailable.
    pub fn unavailable() -> Self {
        Self::Unreachable("the database is unavailable".to_owned())
    }

    pub fn error_body(&self) -> Rejection {
        match self {
            Self::Server { error, authenticated, reads_only } => {
                server_error(error, *authenticated, *reads_only)
            }
            // Like PostgreSQL's own limit of 1 GB.
            Self::TooLarge { limit, is_saved } => ErrorBody::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "54000",
                format!("The response is larger than {limit} bytes"),
            )
            .details(is_saved.then(|| "The change was saved.".to_owned()))
            .hint("Request fewer rows or columns."),
            Self::Unreachable(cause) => {
                ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, "PGRST000", "Database connection error.")
                    .details(cause.as_str())
            }
            Self::ConnectionLost(cause) => ErrorBody::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "PGRST001",
                "Database client error. Retrying the connection.",
            )
            .details(cause.as_str()),
            Self::PoolTimeout => ErrorBody::new(
                StatusCode::GATEWAY_TIMEOUT,
                "PGRST003",
                "Timed out acquiring connection from connection pool.",
            ),
        }
    }
}

fn server_error(error: &ServerError, authenticated: bool, reads_only: bool) -> Rejection {
    let code = error.code.as_str();
    if code == "PGRST" {
        return raise::error_body(&error.message, error.detail.as_deref());
    }
    let status = corrected_status(error, reads_only).unwrap_or_else(|| status(error, authenticated));
    let mut error_body = ErrorBody::new(status, code, error.message.as_str())
        .details(error.detail.clone())
        .hint(error.hint.clone());
    error_body.warnings = error.warnings.iter().map(warning).collect();
    if code.starts_with("PT") {
        error_body = error_body.reason(Some(error.message.clone()));
    }
    if status == StatusCode::UNAUTHORIZED {
        error_body = error_body.header(header::WWW_AUTHENTICATE, "Bearer");
    }
    error_body
}

fn warning(warning: &ServerError) -> Value {
    json!({
        "severity": "WARNING",
        "code": warning.code,
        "message": warning.message,
        "details": warning.detail,
        "hint": warning.hint,
    })
}

/// Statuses that differ from PostgREST's, because PostgREST would blame the server for a client error, or
/// tell the client not to retry.
fn corrected_status(error: &ServerError, reads_only: bool) -> Option<StatusCode> {
    let (message, routine) = (error.message.as_str(), error.routine.as_deref());
    match error.code.as_str() {
        // Locked rows, deadlocks, I/O errors, servers that are starting or stopping, terminated sessions.
        "40P01" | "55P03" | "58030" | "57P01" | "57P02" | "57P03" | "57P05" => {
            Some(StatusCode::SERVICE_UNAVAILABLE)
        }
        // The server is a read-only standby. The primary may come back.
        "25006" if !reads_only && !is_raised_by_function(error) => Some(StatusCode::SERVICE_UNAVAILABLE),
        "0A000" if needs_primary("0A000", routine) => Some(StatusCode::SERVICE_UNAVAILABLE),
        // The client does not choose what functions and triggers do.
        _ if error.in_function => None,
        // A write to a view that is not updatable.
        "55000" if routine.is_some_and(|routine| READ_ONLY_VIEW.contains(&routine)) => {
            Some(StatusCode::METHOD_NOT_ALLOWED)
        }
        // The request has too many dimensions, columns or nesting levels.
        "54000" | "54001" | "54011" | "54023" => Some(StatusCode::BAD_REQUEST),
        // The same row occurs twice in one upsert.
        "21000" if routine == Some("ExecOnConflictUpdate") => Some(StatusCode::BAD_REQUEST),
        // `fts(0)` names a text search configuration by OID. `::unknown` is a type without casts.
        "XX000" if INTERNAL_BUT_CLIENT_ERRORS.iter().any(|beginning| message.starts_with(beginning)) => {
            Some(StatusCode::BAD_REQUEST)
        }
        _ => None,
    }
}

/// The functions of PostgreSQL that reject writes to a view. Before version 17 there were three.
const READ_ONLY_VIEW: [&str; 4] =
    ["error_view_not_updatable", "RewriteQuery", "rewriteTargetView", "CheckValidResultRel"];

/// PostgreSQL reports these errors as internal, although the request caused them. It does not translate them.
const INTERNAL_BUT_CLIENT_ERRORS: [&str; 2] =
    ["cache lookup failed for text search configuration", "failed to find conversion function from unknown"];

/// Whether a function raised the error, so that its author chose the code.
fn is_raised_by_function(error: &ServerError) -> bool {
    error.routine.as_deref() == Some("exec_stmt_raise")
}

fn status(error: &ServerError, authenticated: bool) -> StatusCode {
    use StatusCode as S;
    let (code, message) = (error.code.as_str(), error.message.as_str());
    match code {
        "23503" | "23505" => S::CONFLICT,
        "25006" => S::METHOD_NOT_ALLOWED,
        "21000" if message.ends_with("requires a WHERE clause") => S::BAD_REQUEST,
        "21000" | "53400" | "42P17" => S::INTERNAL_SERVER_ERROR,
        // The token names a role that does not exist. The request can only choose one other setting that is a text.
        "22023"
            if !error.in_function
                && error.routine.as_deref() == Some("call_string_check_hook")
                && !message.contains("TimeZone") =>
        {
            S::UNAUTHORIZED
        }
        "57P01" => S::SERVICE_UNAVAILABLE,
        "P0001" => S::BAD_REQUEST,
        "42883" if message.contains(" xmlagg(") => S::NOT_ACCEPTABLE,
        "42883" | "42P01" => S::NOT_FOUND,
        "42501" if authenticated => S::FORBIDDEN,
        "42501" => S::UNAUTHORIZED,
        _ => match code.get(..2).unwrap_or_default() {
            "08" | "53" => S::SERVICE_UNAVAILABLE,
            "0L" | "0P" | "28" => S::FORBIDDEN,
            "09" | "25" | "2D" | "38" | "39" | "3B" | "40" | "54" | "55" | "57" | "58" | "F0" | "HV"
            | "P0" | "XX" => S::INTERNAL_SERVER_ERROR,
            "PT" => code[2..]
                .parse()
                .ok()
                .and_then(|number: u16| StatusCode::from_u16(number).ok())
                .unwrap_or(S::INTERNAL_SERVER_ERROR),
            _ => S::BAD_REQUEST,
        },
    }
}
