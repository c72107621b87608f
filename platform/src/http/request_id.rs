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
pub async fn named(request: Request, next: Next) -> Response {
    answered(request, |request| next.run(request)).await
}

/// What [`named`] does, for a handler that is no part of a router.
pub async fn answered<F: Future<Output = Response>>(
    mut request: Request,
    handler: impl FnOnce(Request) -> F,
) -> Response {
    // Nothing depends on ids being unguessable, so they need no call to the system.
    let random = uuid::Builder::from_random_bytes(rand::random()).into_uuid();
    let id: Arc<str> = (&*random.simple().encode_lower(&mut uuid::Uuid::encode_buffer())).into();
    request.extensions_mut().insert(RequestId(Arc::clone(&id)));
    let span = tracing::info_span!("request", %id, method = %request.method(), path = request.uri().path());
    let mut response = handler(request).instrument(span).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        // A service may have set the header itself, to return the client's id.
        response.headers_mut().entry(REQUEST_ID).or_insert(value);
    }
    response
}
