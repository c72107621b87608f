//! A panic in a handler ends only that request: the client gets the API's own internal error, the log names
//! the request. The message of a panic may quote a secret, so only the panic hook logs it.

use std::panic::AssertUnwindSafe;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use futures::FutureExt;

use super::request_id::RequestId;

/// Answers with `error` when one of the router's handlers panics.
pub fn recovering<E: IntoResponse + 'static>(router: Router, error: fn() -> E) -> Router {
    router.layer(from_fn(move |request: Request, next: Next| async move {
        let id = request.extensions().get().cloned();
        caught(id, next.run(request)).await.unwrap_or_else(|| error().into_response())
    }))
}

/// The handler's result, or `None` if it panics.
pub async fn caught<T>(id: Option<RequestId>, handler: impl Future<Output = T>) -> Option<T> {
    // Nothing that the handler left half-changed is used again: its state belongs to the request, or is
    // behind locks and transactions.
    let outcome = AssertUnwindSafe(handler).catch_unwind().await;
    if outcome.is_err() {
        metrics::counter!("handler_panics_total").increment(1);
        let id = id.as_ref().map(|id| &*id.0);
        tracing::error!(request_id = id, "a handler panicked");
    }
    outcome.ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Mutex;

    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::http::request_id::{REQUEST_ID, named};

    #[tokio::test]
    async fn a_panic_ends_one_request_and_the_log_names_it() {
        async fn broken() -> StatusCode {
            panic!("a secret")
        }
        let (mut reader, writer) = std::io::pipe().unwrap();
        // The default level of the log, which leaves out the request's span.
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_max_level(tracing::Level::WARN)
            .with_writer(Mutex::new(writer))
            .finish();
        let capturing = tracing::subscriber::set_default(subscriber);
        let routes = Router::new().route("/broken", get(broken)).route("/works", get(async || "works"));
        let app = recovering(routes, || StatusCode::INTERNAL_SERVER_ERROR).layer(from_fn(named));
        let ask = async |path: &str| {
            app.clone().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap()
        };

        let failed = ask("/broken").await;
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(ask("/works").await.status(), StatusCode::OK);

        drop(capturing);
        let mut log = String::new();
        reader.read_to_string(&mut log).unwrap();
        assert_eq!(log.lines().count(), 1, "{log}");
        let id = failed.headers()[REQUEST_ID].to_str().unwrap();
        assert!(log.contains("ERROR") && log.contains(&format!("request_id=\"{id}\"")), "{log}");
        assert!(!log.contains("a secret"), "{log}");
    }

    #[tokio::test]
    async fn a_panic_after_a_pause_is_caught() {
        // tracing caches for all threads whether any subscriber wants an event, so this test must want it,
        // too.
        let unread = tracing_subscriber::fmt().with_writer(std::io::sink).finish();
        let _capturing = tracing::subscriber::set_default(unread);
        let paused = async {
            tokio::task::yield_now().await;
            panic!("a secret")
        };
        assert!(caught::<()>(None, paused).await.is_none());
        assert_eq!(caught(None, async { 7 }).await, Some(7));
    }
}
