//! Gives each request an id that appears in the response and in the log lines about its errors, so that users
//! can quote it.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

tokio::task_local! {
    static CURRENT: Arc<str>;
}

/// The id of the request that this task handles. Log it with errors: the request's span has it, too, but the
/// default filter (warnings and errors) leaves spans out.
pub fn current() -> Option<Arc<str>> {
    CURRENT.try_with(Arc::clone).ok()
}

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
    let mut response = CURRENT.scope(Arc::clone(&id), handler(request).instrument(span)).await;
    if let Ok(value) = HeaderValue::from_str(&id) {
        // A service may have set the header itself, to return the client's id.
        response.headers_mut().entry(REQUEST_ID).or_insert(value);
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::{Body, to_bytes};
    use axum::middleware::from_fn;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn handlers_know_the_id_that_the_client_gets() {
        let handler = async || current().map(|id| id.to_string()).unwrap_or_default();
        let app = Router::new().route("/", get(handler)).layer(from_fn(named));
        let response = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
        let id = response.headers()[REQUEST_ID].to_str().unwrap().to_owned();
        assert_eq!(to_bytes(response.into_body(), 99).await.unwrap(), id);
        assert_eq!(current(), None);
    }
}
