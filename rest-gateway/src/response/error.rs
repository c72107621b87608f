//! PGRST1xx: invalid `response.headers` and `response.status` settings.

use axum::http::StatusCode;

use crate::error_body::ErrorBody;

#[derive(Debug)]
pub enum ResponseError {
    BadGucHeaders,
    BadGucStatus,
}

impl ResponseError {
    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::BadGucHeaders => ErrorBody::new(
                S::INTERNAL_SERVER_ERROR,
                "PGRST111",
                "response.headers guc must be a JSON array composed of objects with a single key and a string value",
            ),
            Self::BadGucStatus => ErrorBody::new(
                S::INTERNAL_SERVER_ERROR,
                "PGRST112",
                "response.status guc must be a valid status code",
            ),
        }
    }
}
