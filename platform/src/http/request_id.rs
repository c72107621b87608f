//! One name for a request in every log line and in the answer, so that a user can quote it.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// Gives every request an id of ours (a client's own is not trusted) and sends it back.
pub async fn named(mut request: Request, next: Next) -> Response {
    let id = uuid::Uuid::new_v4().simple().to_string();
    request.extensions_mut().insert(RequestId(id.clone()));
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let mut response = next.run(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        // A service that was told to send a client's own id back keeps it.
        response.headers_mut().entry(REQUEST_ID).or_insert(value);
    }
    response
}
