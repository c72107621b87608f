//! Admin endpoints: health checks and the schema cache.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use platform::admin::readiness::{Missing, Readiness};

use crate::state::AppState;

#[derive(Clone)]
struct Admin {
    state: Arc<AppState>,
    readiness: Readiness,
}

/// Must be called inside a runtime, because it checks the readiness in the background.
pub fn router(state: Arc<AppState>) -> Router {
    let checked = Arc::clone(&state);
    let readiness = Readiness::new(move || {
        let state = Arc::clone(&checked);
        async move { responds(&state).await }
    });
    Router::new()
        .route("/live", get(live))
        .route("/ready", get(ready))
        .with_state(Admin { state: Arc::clone(&state), readiness })
        .merge(schema_cache_router(state))
}

pub fn schema_cache_router(state: Arc<AppState>) -> Router {
    Router::new().route("/schema_cache", get(schema_cache)).with_state(state)
}

/// Live means that the gateway accepts requests.
async fn live(State(admin): State<Admin>) -> StatusCode {
    if admin.state.health.accepts_requests() { StatusCode::OK } else { StatusCode::INTERNAL_SERVER_ERROR }
}

/// A problem that is already known is reported without a check.
async fn ready(State(admin): State<Admin>) -> StatusCode {
    if is_known_to_fail(&admin.state) || admin.readiness.get().await.is_err() {
        return StatusCode::SERVICE_UNAVAILABLE;
    }
    live(State(admin)).await
}

fn is_known_to_fail(state: &AppState) -> bool {
    !state.health.is_current() || state.pool.outage.is_known()
}

/// Ready means that the schema cache is current and the database responds. The check uses no connection of the pool,
/// which may be busy.
pub async fn responds(state: &AppState) -> Result<(), Missing> {
    if !state.health.is_current() {
        return Err("the schema cache is not current");
    }
    match state.pool.outage.database_responds().await {
        true => Ok(()),
        false => Err("the gateway's database does not answer"),
    }
}

async fn schema_cache(State(state): State<Arc<AppState>>) -> impl IntoResponse {
    let snapshot = state.current.borrow().clone();
    let dump = snapshot.schema.as_ref().map(|schema| schema.cache.dump().to_string()).unwrap_or_default();
    ([(header::CONTENT_TYPE, "application/json; charset=utf-8")], dump)
}

/// Sets the gauges of the connection pool.
pub fn observe(state: &AppState) {
    let (running, waiting) = state.admission.load();
    state.metrics.set_pool_use(running, waiting);
}
