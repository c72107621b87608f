//! Limits on the size of request targets and headers.

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Longest request target (path and query) in bytes; longer ones get 414.
pub const MAX_TARGET_BYTES: usize = 32 * 1024;
/// Total bytes of header lines; more gets 431 (the server's read buffer is the outer limit).
pub const MAX_HEADER_BYTES: usize = 32 * 1024;

/// Rejects overlong targets and headers. Wrap the whole router in it.
pub async fn bounded(request: Request, next: Next) -> Response {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target > MAX_TARGET_BYTES {
        return StatusCode::URI_TOO_LONG.into_response();
    }
    let headers: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if headers > MAX_HEADER_BYTES {
        return StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response();
    }
    next.run(request).await
}
