//! Admin endpoints: health checks and the schema cache.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::state::AppState;

pub fn router(state: Arc<AppState>) -> Router {
    Router::new()
        .route("/live", get(live))
        .route("/ready", get(ready))
        .route("/schema_cache", get(schema_cache))
        .with_state(state)
}

/// Live means that the gateway accepts requests.
async fn live(State(state): State<Arc<AppState>>) -> StatusCode {
    if state.health.accepts_requests() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// Ready means that the schema cache is current and the database responds. The check uses no connection of the pool,
/// which may be busy.
async fn ready(State(state): State<Arc<AppState>>) -> StatusCode {
    if !state.health.is_current() || !state.pool.outage.database_responds().await {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    live(State(state)).await
}

async fn schema_cache(State(state): State<Arc<AppState>>) -> impl IntoResponse {
    let snapshot = state.current.borrow().clone();
    let dump = snapshot.map(|snapshot| snapshot.cache.dump().to_string()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json; charset=utf-8")], dump)
}

pub fn with_pool_metrics(metrics: Router, state: Arc<AppState>) -> Router {
    metrics.layer(from_fn_with_state(state, set_pool_metrics))
}

async fn set_pool_metrics(State(state): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let (running, waiting) = state.admission.load();
    state.metrics.set_pool_use(running, waiting);
    next.run(request).await
}
