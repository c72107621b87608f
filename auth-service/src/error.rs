//! The service's error: a status, code and message for the client. The cause goes to the log only.
//!
//! The body's format depends on a request header (`X-Supabase-Api-Version`) that a handler's error does not
//! know, so `answer.rs` writes the body.

use std::borrow::Cow;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use platform::database::{RETRY_AFTER_SECONDS, RetryReason, retry_reason};
use platform::http::request_id;
use platform::log_limit::OUTAGE;

use crate::domain::email::EmailError;
use crate::domain::metadata::MetadataError;
use crate::domain::password::{PasswordError, Weakness};
use crate::domain::phone::PhoneError;
use crate::domain::pkce::ChallengeError;

#[derive(Debug, Clone)]
pub struct AuthError {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: Cow<'static, str>,
    /// Why a password is too weak. Empty for every other error.
    pub weak_password: Vec<&'static str>,
    pub retry_after_seconds: Option<u64>,
    /// Set for the errors that some callers handle instead of passing them on.
    pub kind: Option<ErrorKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// Another account has the address.
    EmailTaken,
    /// Another transaction holds a row.
    Locked,
}

pub type Result<T, E = AuthError> = std::result::Result<T, E>;

impl AuthError {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            weak_password: Vec::new(),
            retry_after_seconds: None,
            kind: None,
        }
    }

    pub fn bad_request(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub fn forbidden(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    pub fn unprocessable(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    pub fn not_found(code: &'static str, message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::bad_request("validation_failed", message)
    }

    pub fn bad_json(problem: &dyn std::fmt::Display) -> Self {
        Self::bad_request("bad_json", format!("Could not parse request body as JSON: {problem}"))
    }

    /// The same response for an unknown address and a wrong password.
    pub fn invalid_credentials() -> Self {
        Self::bad_request("invalid_credentials", "Invalid login credentials")
    }

    pub fn too_many_requests(retry_after_seconds: u64) -> Self {
        Self {
            retry_after_seconds: Some(retry_after_seconds),
            ..Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "over_request_rate_limit",
                "Request rate limit reached",
            )
        }
    }

    /// A retry may succeed: 503, which Supabase clients retry.
    fn try_again(why: RetryReason, cause: &sqlx::Error) -> Self {
        if OUTAGE.allows_in_total() {
            let request_id = request_id::current();
            tracing::warn!(request_id = request_id.as_deref(), %cause, reason = ?why, "database error; the client may retry");
        }
        let (code, message, kind) = match why {
            RetryReason::Unavailable => {
                ("request_timeout", "The service is temporarily unavailable, please try again", None)
            }
            RetryReason::Busy => ("request_timeout", "The server is busy, please try again", None),
            RetryReason::Locked => {
                ("conflict", "Too many concurrent requests, please try again", Some(ErrorKind::Locked))
            }
        };
        Self {
            retry_after_seconds: Some(RETRY_AFTER_SECONDS),
            kind,
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message)
        }
    }

    /// Clients expect 409 when a session is refreshed concurrently.
    #[must_use]
    pub fn conflict_if_locked(self) -> Self {
        match self.kind {
            Some(ErrorKind::Locked) => {
                Self::new(StatusCode::CONFLICT, "conflict", "Too many concurrent requests for this session")
            }
            _ => self,
        }
    }

    /// The cause is logged; the client sees a generic message.
    pub fn internal(cause: &dyn std::fmt::Display) -> Self {
        let request_id = request_id::current();
        tracing::error!(request_id = request_id.as_deref(), %cause, "request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "unexpected_failure",
            "Unexpected failure, please check server logs for more information",
        )
    }
}

/// An empty response that carries the error; `answer.rs` writes the body.
impl IntoResponse for AuthError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<EmailError> for AuthError {
    fn from(error: EmailError) -> Self {
        Self::validation(error.to_string())
    }
}

impl From<MetadataError> for AuthError {
    fn from(error: MetadataError) -> Self {
        match error {
            MetadataError::NotAnObject => Self::bad_json(&error),
            MetadataError::TooLarge | MetadataError::Unstorable => Self::validation(error.to_string()),
        }
    }
}

impl From<PhoneError> for AuthError {
    fn from(error: PhoneError) -> Self {
        Self::validation(error.to_string())
    }
}

impl From<ChallengeError> for AuthError {
    fn from(error: ChallengeError) -> Self {
        Self::validation(error.to_string())
    }
}

impl From<PasswordError> for AuthError {
    fn from(error: PasswordError) -> Self {
        let message = error.to_string();
        match error {
            PasswordError::TooLong | PasswordError::Nul => Self::validation(message),
            PasswordError::Weak(broken) => Self {
                weak_password: broken.iter().map(Weakness::reason).collect(),
                ..Self::unprocessable("weak_password", message)
            },
        }
    }
}

/// SQLSTATE class of our triggers. Their messages are our own, so they are safe to show.
const REFUSED_BY_TRIGGER: &str = "SR";
/// SQLSTATE `query_canceled`: the statement timeout expired.
const STATEMENT_TIMEOUT: &str = "57014";

impl From<sqlx::Error> for AuthError {
    fn from(error: sqlx::Error) -> Self {
        if let Some(why) = retry_reason(&error) {
            return Self::try_again(why, &error);
        }
        let refusal =
            error.as_database_error().and_then(|refusal| Some((refusal.code()?, refusal.message())));
        match refusal {
            Some((code, message)) if code.starts_with(REFUSED_BY_TRIGGER) => {
                Self::unprocessable("validation_failed", message.to_owned())
            }
            Some((code, _)) if code == STATEMENT_TIMEOUT => Self::try_again(RetryReason::Busy, &error),
            // Display, never Debug: the detail of a constraint error quotes the row.
            _ => Self::internal(&error),
        }
    }
}

/// Whether the statement violated this named constraint.
pub fn violates(error: &sqlx::Error, constraint: &str) -> bool {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint) == Some(constraint)
}
