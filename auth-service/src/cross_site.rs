//! Rejects what a page of another site can send without asking: browsers send text and forms across sites, and
//! ask first for JSON. Without this, any page could make its visitors' browsers sign in, sign up and request
//! mails, which would count toward the visitors' limits. Clients outside browsers send no `Origin`, so they may
//! use any content type, as with GoTrue.

use axum::body::HttpBody;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::AuthError;

pub async fn refuse(request: Request, next: Next) -> Response {
    let headers = request.headers();
    let has_body = !request.body().is_end_stream();
    if headers.contains_key(header::ORIGIN) && has_body && !is_json(headers) {
        return AuthError::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "validation_failed",
            "Send the body with Content-Type: application/json",
        )
        .into_response();
    }
    next.run(request).await
}

fn is_json(headers: &HeaderMap) -> bool {
    let declared =
        headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = declared.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json") || kind.to_ascii_lowercase().ends_with("+json")
}
