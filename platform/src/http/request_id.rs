//! Gives each request an id that appears in every log line and in the response, so that users can quote it.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// Assigns our own id (a client's is not trusted) and returns it in the response.
pub async fn named(mut request: Request, next: Next) -> Response {
    let id: Arc<str> = uuid::Uuid::new_v4().simple().to_string().into();
    request.extensions_mut().insert(RequestId(Arc::clone(&id)));
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let mut response = next.run(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        // A service may have set the header itself, to return the client's id.
        response.headers_mut().entry(REQUEST_ID).or_insert(value);
    }
    response
}
