//! Gives each request an id that appears in the response, in its log lines and in the database, so that users can quote
//! it. A service that calls another one forwards it.

use std::cell::Cell;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use tracing::Instrument;

use crate::trace::RequestSpan;

pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

#[derive(Clone, Debug)]
pub struct RequestId(pub Arc<str>);

/// The longest accepted id. Longer ones are replaced.
const MAX_BYTES: usize = 64;

struct Current {
    id: Arc<str>,
    database_time: Cell<Duration>,
    span: Option<RequestSpan>,
}

tokio::task_local! {
    static CURRENT: Current;
}

/// The id of the request that this task handles. Log it with errors: the request's span has it, too, but the
/// default filter (warnings and errors) leaves spans out.
pub fn current() -> Option<Arc<str>> {
    CURRENT.try_with(|current| Arc::clone(&current.id)).ok()
}

/// How long the request that this task handles has waited for statements.
pub fn database_time() -> Duration {
    CURRENT.try_with(|current| current.database_time.get()).unwrap_or_default()
}

/// Adds the time until it is dropped to the request's [`database_time`].
pub struct DatabaseTimer(Instant);

impl DatabaseTimer {
    #[expect(clippy::new_without_default, reason = "it has a side effect when it is dropped")]
    pub fn new() -> Self {
        Self(Instant::now())
    }
}

impl Drop for DatabaseTimer {
    fn drop(&mut self) {
        let _ = CURRENT.try_with(|current| {
            let took = self.0.elapsed();
            current.database_time.set(current.database_time.get() + took);
            if let Some(span) = &current.span {
                span.waited(took);
            }
        });
    }
}

/// The span of the request that this task handles, if traces are sent.
pub fn span() -> Option<RequestSpan> {
    CURRENT.try_with(|current| current.span.clone()).ok().flatten()
}

/// Runs a future that is spawned as part of the current request.
pub fn inherited<F: Future>(future: F) -> impl Future<Output = F::Output> {
    let (id, span) = (current(), span());
    async move {
        match id {
            Some(id) => CURRENT.scope(Current { id, database_time: Cell::default(), span }, future).await,
            None => future.await,
        }
    }
}

/// The caller's id, if it can be logged and put into SQL without escaping.
fn accepted(headers: &HeaderMap) -> Option<Arc<str>> {
    let id = headers.get(&REQUEST_ID)?.to_str().ok()?;
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    ((1..=MAX_BYTES).contains(&id.len()) && id.bytes().all(is_allowed)).then(|| id.into())
}

fn created() -> Arc<str> {
    // Nothing depends on ids being unguessable, so they need no system call.
    let random = uuid::Builder::from_random_bytes(rand::random()).into_uuid();
    (&*random.simple().encode_lower(&mut uuid::Uuid::encode_buffer())).into()
}

/// A path for the log, without long segments, which may be secrets of mailed links. Names of files have a dot and are
/// shown.
fn without_secrets(path: &str) -> String {
    let is_secret = |segment: &str| segment.len() >= 40 && !segment.contains('.');
    let segments = path.split('/').map(|segment| if is_secret(segment) { "…" } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

/// Keeps the caller's id, or assigns one, and returns it in the response.
pub async fn named(request: Request, next: Next) -> Response {
    answered(request, |request| next.run(request)).await
}

/// Like [`named`], for a handler that is not part of a router.
pub async fn answered<F: Future<Output = Response>>(
    mut request: Request,
    handler: impl FnOnce(Request) -> F,
) -> Response {
    let id = accepted(request.headers()).unwrap_or_else(created);
    request.extensions_mut().insert(RequestId(Arc::clone(&id)));
    let span = tracing::info_span!("request", %id, method = %request.method(), path = %without_secrets(request.uri().path()));
    let traced = RequestSpan::begin(request.method(), request.headers(), &id);
    let current = Current { id: Arc::clone(&id), database_time: Cell::default(), span: traced.clone() };
    // Pinned here, because each wrapper would otherwise move the whole future.
    let handling = pin!(handler(request));
    let mut response = CURRENT.scope(current, handling.instrument(span)).await;
    if let Some(traced) = traced {
        traced.answered(response.status());
    }
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

    #[test]
    fn no_secret_of_a_link_reaches_the_log() {
        let secret = "s".repeat(48);
        assert_eq!(without_secrets(&format!("/dev/mail/{secret}/5")), "/dev/mail/…/5");
        for path in ["/rest/v1/items", &format!("/storage/v1/object/images/{}.jpeg", "a".repeat(60))] {
            assert_eq!(without_secrets(path), path);
        }
    }

    #[tokio::test]
    async fn handlers_know_the_id_that_the_client_gets() {
        let handler = async || current().map(|id| id.to_string()).unwrap_or_default();
        let app = Router::new().route("/", get(handler)).layer(from_fn(named));
        let response = app.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap();
        let id = response.headers()[REQUEST_ID].to_str().unwrap().to_owned();
        assert_eq!(to_bytes(response.into_body(), 99).await.unwrap(), id);
        assert_eq!(current(), None);
    }

    #[tokio::test]
    async fn a_well_formed_id_of_the_caller_is_kept() {
        let app = Router::new().route("/", get(async || "ok")).layer(from_fn(named));
        let returned = async |id: &str| {
            let request = Request::get("/").header(REQUEST_ID, id).body(Body::empty()).unwrap();
            app.clone().oneshot(request).await.unwrap().headers()[REQUEST_ID].to_str().unwrap().to_owned()
        };
        for id in ["a", "5f1d7a84-8a33_x.y", &"a".repeat(MAX_BYTES)] {
            assert_eq!(returned(id).await, id);
        }
        for id in ["", "a b", "a'b", "a\"b", &"a".repeat(MAX_BYTES + 1)] {
            let own = returned(id).await;
            assert!(own != id && own.len() == 32, "{own}");
        }
    }
}
