//! Starts the gateway, answers requests and stops it.

use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use platform::admin::readiness::Missing;
use platform::clock::Clock;
use platform::http::panics;
use platform::http::request_id::{self, RequestId};
use platform::measure::method_name;

use crate::config::{Config, ErrorVerbosity};
use crate::error::Error;
use crate::metrics::Route;
use crate::pool::error::DatabaseError;
use crate::request_log::{self, LineWriter};
use crate::response::cors::Cors;
use crate::response::timing::Timing;
use crate::state::AppState;
use crate::{admin, handler};

/// Clients detect the supported features by this header.
const SERVER: &str = "postgrest/16";

/// A running gateway. Clones share the same instance.
#[derive(Clone)]
pub struct Gateway(pub(crate) Arc<AppState>);

/// Loads the schema cache in the background and returns immediately. Requests get 503 until it is loaded.
/// It is asynchronous because it spawns tasks, which needs a runtime.
///
/// # Errors
/// When the settings are invalid. An unreachable database is not an error: the gateway keeps retrying.
pub async fn start(config: Config) -> anyhow::Result<Gateway> {
    Ok(Gateway(Arc::new(AppState::new(config, Clock::system())?)))
}

impl Gateway {
    /// `/`, `/{table}` and `/rpc/{function}`.
    pub fn router(&self) -> Router {
        Router::new().fallback(answer).with_state(self.clone())
    }

    /// The router with an access log, for a standalone gateway. Each line goes to `log`.
    pub(crate) fn logged_router(&self, log: LineWriter) -> Router {
        let router = request_log::logged(self.router(), Arc::clone(&self.0), log);
        if self.0.current.borrow().config.source.stands_in { router.layer(from_fn(finish)) } else { router }
    }

    /// Whether the schema cache is current and the database responds.
    ///
    /// # Errors
    /// The error names what is unavailable.
    pub async fn ready(&self) -> Result<(), Missing> {
        admin::responds(&self.0).await
    }

    /// `/live`, `/ready` and `/schema_cache`. Must be called inside a runtime.
    pub fn admin_router(&self) -> Router {
        admin::router(Arc::clone(&self.0))
    }

    /// `/schema_cache` only.
    pub fn schema_cache_router(&self) -> Router {
        admin::schema_cache_router(Arc::clone(&self.0))
    }

    /// Sets the gauges of the connection pool.
    pub fn observe(&self) {
        admin::observe(&self.0);
    }

    /// Waits until the schema cache is loaded.
    pub async fn loaded(&self) {
        let mut current = self.0.current.clone();
        let _ = current.wait_for(|snapshot| snapshot.schema.is_some()).await;
    }

    /// Closes the connection pool. Later requests fail.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Answers one request, as the router does.
    pub async fn answer(&self, request: Request) -> Response {
        let state = &*self.0;
        let snapshot = state.current.borrow().clone();
        let config = &snapshot.config;
        let cors = Cors::new(request.headers(), config.server.cors_origins.as_deref());
        if let Some(preflight) =
            cors.as_ref().and_then(|cors| cors.preflight(request.method(), request.headers()))
        {
            return preflight;
        }
        let trace = trace_header(request.headers(), config.server.trace_header.as_deref());
        let is_personal = request.headers().contains_key(header::AUTHORIZATION);
        let (method, route) =
            (method_name(request.method()), Route::classify(request.method(), request.uri().path()));
        let (began, running) = (Instant::now(), state.metrics.in_flight.enter());
        let id = request.extensions().get::<RequestId>().cloned();
        let mut timing = Timing::start(config.server.timing);
        let handled = {
            let handling = pin!(handler::handle(state, &snapshot, request, &mut timing));
            panics::caught(id, handling).await
        };
        let mut response = match handled.unwrap_or(Err(Error::Panicked)) {
            Ok(response) => response,
            Err(error) => self.error_response(&error, config, &mut timing),
        };
        timing.add(response.headers_mut());
        drop(running);
        state.metrics.answered(method, route, response.status(), began.elapsed());
        let headers = response.headers_mut();
        if is_personal {
            mark_as_private(headers);
        }
        headers.entry(header::SERVER).or_insert(HeaderValue::from_static(SERVER));
        if let Some(cors) = cors {
            cors.add(headers);
        }
        if let Some((name, value)) = trace {
            headers.insert(name, value);
        }
        response
    }

    fn error_response(&self, error: &Error, config: &Config, timing: &mut Timing) -> Response {
        timing.ended();
        error.log(config.server.log_level, &self.0.pool_timeouts);
        if matches!(error, Error::Database(DatabaseError::PoolTimeout)) {
            self.0.metrics.pool_timeouts.increment(1);
        }
        error.response(config.error_verbosity)
    }
}

/// Finishes a request even if the client disconnects.
async fn finish(request: Request, next: Next) -> Response {
    let answered = tokio::spawn(request_id::inherited(next.run(request))).await;
    answered.unwrap_or_else(|_| Error::Panicked.response(ErrorVerbosity::Verbose))
}

async fn answer(State(gateway): State<Gateway>, request: Request) -> Response {
    gateway.answer(request).await
}

/// The request header that the response repeats. It is empty if the request does not have it.
fn trace_header(headers: &HeaderMap, name: Option<&str>) -> Option<(HeaderName, HeaderValue)> {
    let name = HeaderName::try_from(name?).ok()?;
    let value = headers.get(&name).cloned().unwrap_or(HeaderValue::from_static(""));
    Some((name, value))
}

/// Shared caches must not store responses to authenticated requests.
fn mark_as_private(headers: &mut HeaderMap) {
    headers.append(header::VARY, HeaderValue::from_static("Authorization"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("private"));
}
