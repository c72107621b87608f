//! Limits on the size of request targets and headers.

use axum::http::{Request, StatusCode};

/// Longest request target (path and query) in bytes; longer ones get 414.
pub const MAX_TARGET_BYTES: usize = 32 * 1024;
/// Total bytes of header lines; more gets 431 (the server's read buffer is the outer limit).
pub const MAX_HEADER_BYTES: usize = 32 * 1024;

/// The status for a request whose target or headers are too long.
pub fn excess<B>(request: &Request<B>) -> Option<StatusCode> {
    let target = request.uri().path_and_query().map_or(0, |target| target.as_str().len());
    if target > MAX_TARGET_BYTES {
        return Some(StatusCode::URI_TOO_LONG);
    }
    let headers: usize =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    (headers > MAX_HEADER_BYTES).then_some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE)
}
